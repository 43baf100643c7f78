// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts of each CPU that readers of files need: numbers, names, relocations, sites.
//
// A recording or an object is read on any machine. So the command and recordmcount have the facts
// of all CPUs, and ask find_machine() by the number in an ELF header. Nothing outside of machine/
// names a relocation, a register or an instruction; docs/porting.md explains each name.
//
// A site is the instruction that the runtime overwrites: one of five bytes on x86-64. gcc's
// position-independent calls have six. They become `67 0f 1f 44 00 00`, one instruction again,
// and the site is its last five bytes: patched, it is `67 e8 …` or `67 e9 …`, for which the
// prefix has no meaning. So a site is five bytes everywhere, and no thread ever stands within
// an instruction (a `66` in front, which looks the same, would cut the target to 16 bits on
// AMD's processors).

#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace nophook {

// A range of bytes within a section that is rewritten, and the site in it.
struct SiteForm {
  uint64_t start;                           // first byte that is replaced
  llvm::SmallVector<uint8_t, 16> bytes;     // new bytes
  uint64_t site;                            // offset of the site
  uint64_t from = 0;                        // its offset before it moved; 0: it has not
  uint64_t moved = 0;                       // bytes by which the site moves to the entry
  llvm::SmallVector<uint8_t, 16> kept = {}; // new bytes of a moved call that is kept
};

// Bytes [begin, end) of a function.
struct ByteRange {
  int64_t begin, end;
  bool operator==(const ByteRange &) const = default;
};

struct Machine {
  using Bytes = llvm::ArrayRef<uint8_t>;
  using Rela = llvm::object::ELF64LE::Rela;

  // ---- Names
  uint16_t number;                              // in ELF headers, e_machine
  llvm::StringRef name;                         // for people
  llvm::StringRef arch;                         // in the names of targets, in front of -linux-gnu
  bool (*is_emulation)(llvm::StringRef name);   // whether a linker's -m means this CPU
  llvm::ArrayRef<const char *> library_folders; // of Debian, for this CPU alone

  // ---- Relocations
  struct Relocations {
    uint32_t absolute;   // 8 bytes, symbol + addend
    uint32_t absolute32; // the same in 4 bytes
    uint32_t pc32;       // 4 bytes, symbol + addend - place
    uint32_t call;       // a direct call
    uint32_t relative;   // dynamic: load base + addend
    uint32_t call_slot;  // dynamic: a function's slot that may be resolved by the first call
    uint32_t got_entry;  // dynamic: a symbol's address
  } relocations;

  // Whether code uses the symbol of this relocation only to call or jump to it.
  bool (*is_call)(Bytes code, const Rela &relocation);

  // The bytes that a linker may write for a relocation of this type at `offset` of a function.
  // Null: patches are not built for this CPU.
  ByteRange (*linked_field)(uint32_t type, int64_t offset);

  // ---- Registers, by DWARF's numbers
  std::string (*general_name)(uint32_t number); // empty: there is none of that number
  const char *vector_prefix; // of a vector register's name, in front of its number
  unsigned first_vector;     // the number of the first vector register
  // The registers of the caller's frame and of the return address, if functions save both; else
  // none.
  std::optional<uint32_t> saved_frame, saved_link;

  // ---- Sites
  uint64_t site_bytes; // bytes of the site's one instruction
  bool marks_data;     // whether symbols ($d) mark data within code

  // Whether a call that is the function's first instruction can return.
  bool may_call_at_entry;

  // The NOP for the call that a relocation against mcount belongs to. Fails if there is no call.
  llvm::Expected<SiteForm> (*call_as_nop)(Bytes code, const Rela &relocation);

  // The site in the NOPs at `offset`, as few as can be a site, with one site instruction in front.
  // `bytes` is empty if they have that form already. Fails if there are too few for a site.
  llvm::Expected<SiteForm> (*nops_as_site)(Bytes code, uint64_t offset);

  // The number of bytes of the NOP instruction at `offset`; 0 if there is none.
  uint64_t (*nop_bytes)(Bytes code, uint64_t offset);

  // The number of bytes of the landing pad for indirect calls at `offset`; 0 if there is none.
  uint64_t (*landing_pad_bytes)(Bytes code, uint64_t offset);

  // Whether all instructions between `entry` and `site` leave the function's state as it was at the
  // entry.
  bool (*is_entry_kept)(Bytes code, uint64_t entry, uint64_t site);

  // Whether gcc's debug info and unwind tables begin a function behind the NOPs at its entry.
  bool describes_behind_nops;

  // The code of a prologue behind which gcc's -mnop-mcount leaves a NOP that no list names; empty:
  // gcc has no such option for this CPU.
  llvm::ArrayRef<uint8_t> unlisted_prologue;

  // ---- Sites of linked files
  // Whether the code at `address` begins with the NOP of a site.
  bool (*is_site)(Bytes code, uint64_t address);

  // Bytes of the landing pad at the start of the code, behind which the site of an entry is that
  // names the function's start.
  uint64_t (*pad_before_site)(Bytes code);

  // The offset of the site at the entry of a function with this code. Null: the NOP of a site is
  // like any other.
  std::optional<uint64_t> (*site_at_entry)(Bytes code);

  // ---- Compilers and linkers
  llvm::StringRef entry_nops; // N of -fpatchable-function-entry=N and of rustc's option
  // Whether gcc calls __fentry__ at the very beginning of a function.
  bool has_fentry;
  // Whether GNU ld packs relative relocations.
  bool gnu_ld_packs_relocations;
};

// Null: there is none of that number (e_machine), name (`arch`), or linker's -m.
const Machine *find_machine(uint32_t number);
const Machine *machine_of_arch(llvm::StringRef arch);
const Machine *machine_of_emulation(llvm::StringRef name);

// The names of those that are chosen, with `between` between the last two: "x86-64 and AArch64".
std::string machine_names(llvm::StringRef between, bool (*chosen)(const Machine &) = nullptr);

} // namespace nophook
