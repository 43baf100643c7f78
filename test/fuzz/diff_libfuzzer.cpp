// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libFuzzer's entry points of fuzz_diff.

#include "diff_fuzz.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

extern "C" size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max_size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  nophook::check_diff({reinterpret_cast<const char *>(bytes), size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                                          unsigned seed) {
  std::mt19937 random(seed);
  if (random() % 8 == 0)
    return LLVMFuzzerMutate(bytes, size, max_size);
  const std::string changed =
      nophook::mutate_diff({reinterpret_cast<const char *>(bytes), size}, random);
  if (changed.size() > max_size)
    return size;
  std::copy(changed.begin(), changed.end(), bytes);
  return changed.size();
}
