// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts of floating-point numbers that are wider than double: the same on every CPU, and equal to
// those of {fmt} where it has the format.

#include "read/steps/extended_float.h"

#include <gtest/gtest.h>

#include <array>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <random>

using namespace nophook;

namespace {

std::string x87(uint16_t head, uint64_t mantissa) {
  std::array<uint8_t, 10> bytes;
  std::memcpy(bytes.data(), &mantissa, 8);
  std::memcpy(bytes.data() + 8, &head, 2);
  return x87_text(bytes);
}
std::string quad(uint64_t high, uint64_t low) {
  const uint64_t words[] = {low, high};
  return quad_text({reinterpret_cast<const uint8_t *>(words), 16});
}

} // namespace

TEST(ExtendedFloat, X87) {
  EXPECT_EQ(x87(0, 0), "0");
  EXPECT_EQ(x87(0x8000, 0), "-0");
  EXPECT_EQ(x87(0x3fff, 0x8000000000000000), "1");
  EXPECT_EQ(x87(0xc000, 0xc90fdaa22168c235), "-3.1415926535897932385");
  EXPECT_EQ(x87(0x3ffb, 0xcccccccccccccccd), "0.1");
  EXPECT_EQ(x87(0x403e, 0xffffffffffffffff), "1.8446744073709551615e+19");
  EXPECT_EQ(x87(0x7ffe, 0xffffffffffffffff), "1.189731495357231765e+4932");
  EXPECT_EQ(x87(0, 1), "4e-4951");
  EXPECT_EQ(x87(0x7fff, 0x8000000000000000), "inf");
  EXPECT_EQ(x87(0xffff, 0x8000000000000000), "-inf");
  EXPECT_EQ(x87(0x7fff, 0xc000000000000000), "nan");
}

TEST(ExtendedFloat, QuadIsTheNearest) {
  EXPECT_EQ(quad(0x3fff000000000000, 0), "1");
  EXPECT_EQ(quad(0x3ffb999999999999, 0x999999999999999a), "0.1");
  EXPECT_EQ(quad(0xc000921fb54442d1, 0x8469898cc51701b8), "-3.1415926535897932385");
  EXPECT_EQ(quad(0x7ffeffffffffffff, 0xffffffffffffffff), "inf"); // beyond x87's largest
  EXPECT_EQ(quad(0, 1), "0");
  EXPECT_EQ(quad(0x7fff000000000000, 0), "inf");
}

#if LDBL_MANT_DIG == 64
TEST(ExtendedFloat, SameAsFmt) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; i++) {
    uint64_t mantissa = random();
    uint16_t head = random() & 0xffff;
    if (i % 2) // a usual size, with few bits
      head = (uint16_t)(0x3fff - 40 + random() % 80), mantissa &= ~0ul << random() % 64;
    if (head & 0x7fff)
      mantissa |= 1ul << 63;
    else
      mantissa &= ~(1ul << 63);
    long double value = 0;
    std::memcpy(&value, &mantissa, 8);
    std::memcpy(reinterpret_cast<char *>(&value) + 8, &head, 2);
    // Below a power of two numbers lie closer than above, which {fmt} 9 leaves out of account.
    if (!std::isnan(value) && mantissa != 1ul << 63)
      ASSERT_EQ(x87(head, mantissa), fmt::format("{}", value)) << head << " " << mantissa;
  }
}
#endif
