// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libFuzzer's entry points: coverage leads, our mutator keeps the bytes plausible.
//
//   ninja fuzz_elf && test/fuzz/elf_seeds.py … seeds && mkdir corpus && cd seeds
//   fuzz_elf ../corpus .            (thin archives have their members in the working folder)

#include "elf_fuzz.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max_size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  nophook::check_image(bytes, size);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                                          unsigned seed) {
  if (seed % 8 == 0)
    return LLVMFuzzerMutate(bytes, size, max_size);
  for (unsigned changes = 1 + seed / 8 % 3; changes; changes--)
    size = nophook::mutate_image(bytes, size, max_size, seed + changes);
  return size;
}
