// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes that linkers write on x86-64. Source: x86-64 psABI, "Linker Optimizations".

#include "machine/x86_64/linked_field.h"

#include "llvm/BinaryFormat/ELF.h"

namespace nophook::x86_64 {

namespace ELF = llvm::ELF;

ByteRange linked_field(uint32_t type, int64_t offset) {
  switch (type) {
  case ELF::R_X86_64_NONE:
    return {offset, offset};
  case ELF::R_X86_64_64:
  case ELF::R_X86_64_PC64:
  case ELF::R_X86_64_GOTOFF64:
  case ELF::R_X86_64_DTPOFF64:
  case ELF::R_X86_64_TPOFF64:
    return {offset, offset + 8};
  case ELF::R_X86_64_GOTPCRELX: // an opcode and its operand's form in front
    return {offset - 2, offset + 4};
  case ELF::R_X86_64_REX_GOTPCRELX: // a prefix, too
  case ELF::R_X86_64_GOTTPOFF:
  case ELF::R_X86_64_GOTPC32_TLSDESC:
    return {offset - 3, offset + 4};
  case ELF::R_X86_64_TLSGD: // the call behind it, too
    return {offset - 4, offset + 12};
  case ELF::R_X86_64_TLSLD:
    return {offset - 3, offset + 10};
  case ELF::R_X86_64_TLSDESC_CALL:
    return {offset, offset + 2};
  case ELF::R_X86_64_16:
  case ELF::R_X86_64_PC16:
    return {offset, offset + 2};
  case ELF::R_X86_64_8:
  case ELF::R_X86_64_PC8:
    return {offset, offset + 1};
  default:
    return {offset, offset + 4};
  }
}

} // namespace nophook::x86_64
