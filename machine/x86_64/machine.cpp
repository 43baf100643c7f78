// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine/x86_64/linked_field.h"
#include "machine/x86_64/sites.h"

#include "llvm/BinaryFormat/ELF.h"

namespace nophook::x86_64 {
namespace {

namespace ELF = llvm::ELF;

bool is_emulation(llvm::StringRef name) {
  return name == "elf_x86_64";
}

std::string general_name(uint32_t number) {
  static constexpr const char *kNames[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
                                           "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
  return number < std::size(kNames) ? kNames[number] : "";
}

constexpr uint8_t kPrologue[] = {0x55, 0x48, 0x89, 0xe5}; // push %rbp; mov %rsp, %rbp
constexpr const char *kFolders[] = {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu"};

} // namespace

extern const Machine kMachine;
const Machine kMachine = {
    .number = ELF::EM_X86_64,
    .name = "x86-64",
    .arch = "x86_64",
    .is_emulation = is_emulation,
    .library_folders = kFolders,
    .relocations = {.absolute = ELF::R_X86_64_64,
                    .absolute32 = ELF::R_X86_64_32,
                    .pc32 = ELF::R_X86_64_PC32,
                    .call = ELF::R_X86_64_PLT32,
                    .relative = ELF::R_X86_64_RELATIVE,
                    .call_slot = ELF::R_X86_64_JUMP_SLOT,
                    .got_entry = ELF::R_X86_64_GLOB_DAT},
    .is_call = is_call,
    .linked_field = linked_field,
    .general_name = general_name,
    .vector_prefix = "xmm",
    .first_vector = 17,
    .saved_frame = std::nullopt,
    .saved_link = std::nullopt,
    .site_bytes = 5,
    .marks_data = false,
    .may_call_at_entry = true,
    .call_as_nop = call_as_nop,
    .nops_as_site = nops_as_site,
    .nop_bytes = nop_bytes,
    .landing_pad_bytes = landing_pad_bytes,
    .is_entry_kept = is_entry_kept,
    .describes_behind_nops = false,
    .unlisted_prologue = kPrologue,
    .is_site = is_site,
    .pad_before_site = pad_before_site,
    .site_at_entry = site_at_entry,
    .entry_nops = "5",
    .has_fentry = true,
    .gnu_ld_packs_relocations = true,
};

} // namespace nophook::x86_64
