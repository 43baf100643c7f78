// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "machine/aarch64/sites.h"

#include "llvm/BinaryFormat/ELF.h"

namespace nophook::aarch64 {
namespace {

namespace ELF = llvm::ELF;

bool is_emulation(llvm::StringRef name) {
  return name.starts_with("aarch64") && !name.contains("32b") && !name.ends_with("b");
}

std::string general_name(uint32_t number) {
  constexpr uint32_t kLast = 30;
  return number <= kLast ? "x" + std::to_string(number) : "";
}

// The last one of the cross compiler's libraries.
constexpr const char *kFolders[] = {"/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                                    "/usr/aarch64-linux-gnu/lib"};

} // namespace

extern const Machine kMachine;
const Machine kMachine = {
    .number = ELF::EM_AARCH64,
    .name = "AArch64",
    .arch = "aarch64",
    .is_emulation = is_emulation,
    .library_folders = kFolders,
    .relocations = {.absolute = ELF::R_AARCH64_ABS64,
                    .absolute32 = ELF::R_AARCH64_ABS32,
                    .pc32 = ELF::R_AARCH64_PREL32,
                    .call = ELF::R_AARCH64_CALL26,
                    .relative = ELF::R_AARCH64_RELATIVE,
                    .call_slot = ELF::R_AARCH64_JUMP_SLOT,
                    .got_entry = ELF::R_AARCH64_GLOB_DAT},
    .is_call = is_call,
    .linked_field = nullptr,
    .general_name = general_name,
    .vector_prefix = "v",
    .first_vector = 64,
    .saved_frame = 29,
    .saved_link = 30,
    .site_bytes = 4,
    .marks_data = true,
    .may_call_at_entry = false,
    .call_as_nop = call_as_nop,
    .nops_as_site = nops_as_site,
    .nop_bytes = nop_bytes,
    .landing_pad_bytes = landing_pad_bytes,
    .is_entry_kept = is_entry_kept,
    .describes_behind_nops = true,
    .unlisted_prologue = {},
    .is_site = is_site,
    .pad_before_site = pad_before_site,
    .site_at_entry = nullptr,
    .entry_nops = "1",
    .has_fentry = false,
    .gnu_ld_packs_relocations = false,
};

} // namespace nophook::aarch64
