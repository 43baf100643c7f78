// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The payloads of an event have its values, seven bytes each, whatever their number. Nothing beside
// the values is read, which AddressSanitizer would report.

#include "buffer/event_words.h"

#include <gtest/gtest.h>
#include <vector>

namespace nophook {
namespace {

TEST(ValueWords, AnyNumberOfBytes) {
  for (uint32_t bytes = 1; bytes <= 64; bytes++) {
    std::vector<uint8_t> values(bytes);
    for (uint32_t i = 0; i < bytes; i++)
      values[i] = (uint8_t)(i * 37 + 129);
    for (uint32_t at = 0; at < bytes; at += NOPHOOK_VALUES_PER_WORD) {
      uint64_t expected = 0;
      for (uint32_t k = 0; k < NOPHOOK_VALUES_PER_WORD && at + k < bytes; k++)
        expected |= (uint64_t)values[at + k] << 8 * k;
      EXPECT_EQ(values_at(values.data(), at, bytes), expected) << at << " of " << bytes;
    }
  }
}

} // namespace
} // namespace nophook
