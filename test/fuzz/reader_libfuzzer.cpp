// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libFuzzer's entry points of fuzz_recording and fuzz_buffer.

#include "reader_fuzz.h"

#include <algorithm>

extern "C" size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max_size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  nophook::check_input({bytes, size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                                          unsigned seed) {
  std::mt19937 random(seed);
  if (random() % 16 == 0)
    return LLVMFuzzerMutate(bytes, size, max_size);
  auto change = [&](uint8_t *part, size_t part_size, size_t part_max) {
    return random() % 4 ? nophook::change_words(part, part_size, part_max, random)
                        : LLVMFuzzerMutate(part, part_size, part_max);
  };
  std::vector<uint8_t> changed = nophook::mutate_input({bytes, size}, random, change);
  if (changed.size() > max_size)
    return size;
  std::copy(changed.begin(), changed.end(), bytes);
  return changed.size();
}
