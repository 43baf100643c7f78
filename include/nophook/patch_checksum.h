// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: a live patch's file, and how a damaged one is recognized before it is loaded.
//
// Made by:   `nophook patch build`: a note of its own, whose descriptor is a checksum.
// Used by:   `nophook patch apply`, and the runtime in front of dlopen().
//
// A library that was copied while it was written, or to a full disk, is cut short. The loader maps
// what its program headers say, and the first access behind the file's end is a SIGBUS, which ends
// the program that was to be patched: of 14,936 bytes, cuts at 9000, 5000 and 1000 did so. So each
// part that is to be loaded must lie within the file, whatever compiler has made it. Bytes that are
// not those of `patch build` are seen by the checksum:
//
//      PT_NOTE --> name "Nophook", type NOPHOOK_PATCH_NOTE_TYPE
//                  uint64_t  checksum of all parts that are loaded, without the file's header and
//                            these eight bytes themselves
//
// `strip -g` changes neither. The file is read, not mapped: it may be cut at this very moment.

#ifndef NOPHOOK_PATCH_CHECKSUM_H
#define NOPHOOK_PATCH_CHECKSUM_H

// The note's type, beside those in site.h and runtime.h.
#define NOPHOOK_PATCH_NOTE_TYPE 3

#ifdef __cplusplus
#include <nophook/site.h>

#include <elf.h>
#include <stdint.h>

namespace nophook {

struct PatchChecksum {
  uint64_t at = 0; // offset of the note's descriptor in the file; 0: there is no such note
  uint64_t written = 0, found = 0;
  bool is_good() const { return !at || written == found; }
};

constexpr char kPatchIsOther[] = "its bytes are not those that nophook patch build has written: "
                                 "copy the file again, or build it again";

namespace patch_file {

constexpr uint64_t kBlockBytes = 1024, kMostSegments = 64, kMostNoteBytes = 1024;

struct Block {
  uint64_t at = 0, bytes = 0; // a part of the file: its offset and its size
  uint8_t data[kBlockBytes];
};

// Sets the bytes that the checksum leaves out to 0.
inline void blank(Block *block, uint64_t begin, uint64_t end) {
  for (uint64_t i = 0; i < block->bytes; i++)
    if (block->at + i >= begin && block->at + i < end)
      block->data[i] = 0;
}

// FNV-1a, since each single changed byte changes it.
inline uint64_t add(uint64_t sum, const Block &block) {
  for (uint64_t i = 0; i < block.bytes; i++)
    sum = (sum ^ block.data[i]) * 0x100000001b3;
  return sum;
}

template <class Value> Value value_at(const uint8_t *bytes) {
  Value value;
  __builtin_memcpy(&value, bytes, sizeof value);
  return value;
}

// Names and descriptors of the notes in one segment are padded to its alignment.
template <class Read>
bool find_note(const Elf64_Phdr &segment, const Read &read, PatchChecksum *checksum) {
  const uint64_t align = segment.p_align == 8 ? 8 : 4;
  const auto round_up = [&](uint64_t bytes) { return (bytes + align - 1) & ~(align - 1); };
  uint8_t notes[kMostNoteBytes];
  const uint64_t bytes = segment.p_filesz < sizeof notes ? segment.p_filesz : sizeof notes;
  if (!read(segment.p_offset, notes, bytes))
    return false;
  for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= bytes;) {
    const auto header = value_at<Elf64_Nhdr>(notes + at);
    const uint64_t name = at + sizeof header, descriptor = name + round_up(header.n_namesz);
    if (descriptor + header.n_descsz > bytes)
      break;
    if (header.n_type == NOPHOOK_PATCH_NOTE_TYPE && header.n_namesz == sizeof NOPHOOK_NOTE_NAME &&
        __builtin_memcmp(notes + name, NOPHOOK_NOTE_NAME, sizeof NOPHOOK_NOTE_NAME) == 0 &&
        header.n_descsz == sizeof checksum->written) {
      checksum->at = segment.p_offset + descriptor;
      checksum->written = value_at<uint64_t>(notes + descriptor);
    }
    at = descriptor + round_up(header.n_descsz);
  }
  return true;
}

} // namespace patch_file

// Looks at a file of `file_bytes` bytes. `read(offset, to, bytes)`: false if it has not all of
// these bytes. Returns null, or why the file may not be loaded, as a clause about it; is_good() of
// the checksum is for the caller to ask.
template <class Read>
const char *check_patch_file(uint64_t file_bytes, const Read &read, PatchChecksum *checksum) {
  using namespace patch_file;
  constexpr const char *kNoLibrary = "is not a 64-bit shared library";
  constexpr const char *kIsCut =
      "is cut short: it ends within a part that is to be loaded (copy the "
      "file again)";
  Elf64_Ehdr header;
  if (file_bytes < sizeof header || !read(0, &header, sizeof header) ||
      __builtin_memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN ||
      header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum > kMostSegments)
    return kNoLibrary;
  Elf64_Phdr segments[kMostSegments];
  if (!read(header.e_phoff, segments, header.e_phnum * sizeof *segments))
    return kIsCut;
  for (const Elf64_Phdr *p = segments; p < segments + header.e_phnum; p++) {
    if (p->p_type != PT_LOAD && p->p_type != PT_DYNAMIC && p->p_type != PT_NOTE &&
        p->p_type != PT_TLS)
      continue;
    if (p->p_filesz > file_bytes || p->p_offset > file_bytes - p->p_filesz)
      return kIsCut; // one without bytes, too: the loader may map the page that it begins in
    if (p->p_type == PT_NOTE && !find_note(*p, read, checksum))
      return kIsCut;
  }
  if (!checksum->at)
    return nullptr;
  Block block;
  checksum->found = 0xcbf29ce484222325;
  for (const Elf64_Phdr *p = segments; p < segments + header.e_phnum; p++)
    for (uint64_t at = 0; p->p_type == PT_LOAD && at < p->p_filesz; at += block.bytes) {
      block.at = p->p_offset + at;
      block.bytes = p->p_filesz - at < kBlockBytes ? p->p_filesz - at : kBlockBytes;
      if (!read(block.at, block.data, block.bytes))
        return kIsCut;
      blank(&block, 0, sizeof header);
      blank(&block, checksum->at, checksum->at + sizeof checksum->written);
      checksum->found = add(checksum->found, block);
    }
  return nullptr;
}

} // namespace nophook
#endif

#endif
