// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of a function that a linker may write.

#include "patch/byte_check.h"

#include <gtest/gtest.h>
#include <llvm/BinaryFormat/ELF.h>

namespace nophook {
namespace {

using namespace llvm::ELF;
using Bytes = std::vector<uint8_t>;

bool are_equal(const Bytes &object, const Bytes &linked, uint32_t type, int64_t offset) {
  return are_equal_outside(object, linked, {find_machine(EM_X86_64)->linked_field(type, offset)});
}

TEST(byte_check, leaves_out_fields) {
  // call f
  EXPECT_TRUE(are_equal({0xe8, 0, 0, 0, 0, 0xc3}, {0xe8, 1, 2, 3, 4, 0xc3}, R_X86_64_PLT32, 1));
  EXPECT_FALSE(are_equal({0xe8, 0, 0, 0, 0, 0xc3}, {0xe9, 1, 2, 3, 4, 0xc3}, R_X86_64_PLT32, 1));
  EXPECT_FALSE(are_equal({0xe8, 0, 0, 0, 0, 0xc3}, {0xe8, 1, 2, 3, 4, 0xc2}, R_X86_64_PLT32, 1));
  EXPECT_FALSE(are_equal({0xe8, 0, 0, 0, 0, 0xc3}, {0xe8, 1, 2, 3, 4}, R_X86_64_PLT32, 1));
  // movabs $f, %rax
  EXPECT_TRUE(are_equal({0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0}, {0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8},
                        R_X86_64_64, 2));
}

TEST(byte_check, knows_rewritten_instructions) {
  // mov f@GOTPCREL(%rip), %rax; lea f(%rip), %rax
  EXPECT_TRUE(are_equal({0x48, 0x8b, 0x05, 0, 0, 0, 0}, {0x48, 0x8d, 0x05, 1, 2, 3, 4},
                        R_X86_64_REX_GOTPCRELX, 3));
  EXPECT_FALSE(are_equal({0x48, 0x8b, 0x05, 0, 0, 0, 0}, {0x48, 0x8d, 0x05, 1, 2, 3, 4},
                         R_X86_64_GOTPCREL, 3));
  // call *f@GOTPCREL(%rip); addr32 call f
  EXPECT_TRUE(are_equal({0xff, 0x15, 0, 0, 0, 0}, {0x67, 0xe8, 1, 2, 3, 4}, R_X86_64_GOTPCRELX, 2));
  // data16 lea x@tlsgd(%rip), %rdi; data16 data16 rex.w call __tls_get_addr
  EXPECT_TRUE(
      are_equal({0x66, 0x48, 0x8d, 0x3d, 0, 0, 0, 0, 0x66, 0x66, 0x48, 0xe8, 0, 0, 0, 0, 0x90},
                {0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0, 0x48, 0x8d, 0x80, 1, 2, 3, 4, 0x90},
                R_X86_64_TLSGD, 4));
}

} // namespace
} // namespace nophook
