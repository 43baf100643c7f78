// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/debug_sections.h"

#include "llvm/Object/Decompressor.h"
#include "llvm/Support/Endian.h"

namespace nophook::analysis {
namespace {

namespace ELF = llvm::ELF;

constexpr llvm::StringLiteral kSections[] = {
    ".debug_info",        ".debug_abbrev",   ".debug_str",    ".debug_line_str", ".debug_addr",
    ".debug_str_offsets", ".debug_rnglists", ".debug_ranges", ".debug_loc",      ".debug_loclists"};

// The largest ratio of unpacked to packed bytes that a compressor can reach. An unpacked section is
// as large as it claims to be: beyond this, the claim is damage.
constexpr uint64_t kBestRatio = 2000;

llvm::StringRef text_of(const Object &object, uint32_t section) {
  const Bytes bytes = object.contents(section);
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

bool is_compressed(const Object &object, uint32_t section) {
  return object.sections()[section].sh_flags & ELF::SHF_COMPRESSED;
}

std::unique_ptr<llvm::WritableMemoryBuffer> copy(const Object &object, uint32_t section) {
  const llvm::StringRef bytes = text_of(object, section);
  if (!is_compressed(object, section)) {
    auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(bytes.size());
    if (buffer)
      std::memcpy(buffer->getBufferStart(), bytes.data(), bytes.size());
    return buffer;
  }
  auto packed = llvm::object::Decompressor::create(object.name(section), bytes, /*IsLE=*/true,
                                                   /*Is64Bit=*/true);
  if (!packed) {
    llvm::consumeError(packed.takeError());
    return nullptr;
  }
  const uint64_t size = packed->getDecompressedSize();
  if (size / kBestRatio > bytes.size())
    return nullptr;
  auto buffer = llvm::WritableMemoryBuffer::getNewMemBuffer(size);
  auto *out = buffer ? reinterpret_cast<uint8_t *>(buffer->getBufferStart()) : nullptr;
  if (!buffer || llvm::errorToBool(packed->decompress({out, size_t(size)})))
    return nullptr;
  return buffer;
}

unsigned bytes_of_relocation(const Object &object, uint32_t type) {
  const Machine::Relocations &known = object.machine().relocations;
  if (type == known.absolute)
    return 8;
  if (type == known.absolute32)
    return 4;
  return 0; // for thread-local variables, and others of no function
}

void relocate(const Object &object, uint32_t relocations, llvm::WritableMemoryBuffer &buffer) {
  for (const Elf::Rela &relocation : object.relocations(relocations)) {
    const unsigned bytes = bytes_of_relocation(object, relocation.getType(false));
    const uint64_t at = relocation.r_offset;
    if (!bytes || at > buffer.getBufferSize() || buffer.getBufferSize() - at < bytes)
      continue;
    const uint32_t symbol = relocation.getSymbol(false);
    const uint32_t section = object.section_of(symbol);
    uint64_t value = relocation.r_addend;
    if (section)
      value += object.symbols()[symbol].st_value;
    char *place = buffer.getBufferStart() + at;
    if (bytes == 4)
      llvm::support::endian::write32le(place, value);
    else if (section && object.sections()[section].sh_flags & ELF::SHF_ALLOC)
      llvm::support::endian::write64le(place, uint64_t(section) << 32 | uint32_t(value));
    else
      llvm::support::endian::write64le(place, value);
  }
}

} // namespace

DebugSections debug_sections(const Object &object) {
  DebugSections sections;
  const uint32_t count = object.sections().size();
  std::vector<bool> is_relocated(count);
  for (uint32_t i = 1; i < count; i++)
    if (object.sections()[i].sh_type == ELF::SHT_RELA)
      is_relocated[object.sections()[i].sh_info] = true;
  std::vector<llvm::WritableMemoryBuffer *> copies(count);
  for (uint32_t i = 1; i < count; i++) {
    // Types that several files may have are in groups, in sections of the same name.
    if (object.sections()[i].sh_type != ELF::SHT_PROGBITS || object.group_of(i) ||
        !llvm::is_contained(kSections, object.name(i)) ||
        sections.contains(object.name(i).drop_front()))
      continue;
    std::unique_ptr<llvm::MemoryBuffer> &buffer = sections[object.name(i).drop_front()];
    if (!is_relocated[i] && !is_compressed(object, i)) {
      buffer = llvm::MemoryBuffer::getMemBuffer(text_of(object, i), "", false);
      continue;
    }
    auto writable = copy(object, i);
    if (!writable)
      return {};
    copies[i] = writable.get();
    buffer = std::move(writable);
  }
  if (!sections.contains("debug_info"))
    return {};
  for (uint32_t i = 1; i < count; i++)
    if (object.sections()[i].sh_type == ELF::SHT_RELA && copies[object.sections()[i].sh_info])
      relocate(object, i, *copies[object.sections()[i].sh_info]);
  return sections;
}

} // namespace nophook::analysis
