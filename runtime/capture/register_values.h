// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of a call of which only general registers are kept: a word for each, as a payload has
// it (NOPHOOK_VALUE_REGISTER in nophook/buffer.h). Each is made in a register of the CPU. In a text
// of bytes, the word would wait for the bytes.
//
// Runs in callbacks, as capture/capture.h.

#pragma once

#include "arch/callback_path.h"
#include "capture/capture_plan.h"

#include <nophook/buffer.h>

namespace nophook {

struct RegisterValues {
  uint32_t count;
  // Payload words; a register takes two if it does not fit into six bytes.
  uint64_t words[2 * kMaxRegisters];
};

// Keeps the registers of a list. False: the list does not have all the values.
__attribute__((always_inline)) inline bool
keep_registers(const RegisterList &list, const ftrace_regs *regs, RegisterValues *values) {
  if (list.count == RegisterList::kHasOthers)
    return false;
  uint64_t *to = values->words;
  for (uint32_t i = 0; i < list.count; i++) {
    const uint32_t number = list.numbers[i];
    const uint64_t value = regs->general.at(Arch::Regs::kByDwarfNumber[number]);
    if (__builtin_expect((uint64_t)((int64_t)(value << 16) >> 16) != value, 0))
      *to++ = ~(value >> 48 << 8 | NOPHOOK_VALUE_UPPER | number);
    *to++ = ~(value << 16 >> 8 | NOPHOOK_VALUE_REGISTER | number);
  }
  values->count = (uint32_t)(to - values->words);
  return true;
}

} // namespace nophook
