// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "debug_sections.h"

#include "llvm/Object/Decompressor.h"
#include "llvm/Support/Endian.h"

namespace nophook {
namespace {

namespace ELF = llvm::ELF;

constexpr llvm::StringLiteral kSections[] = {
    ".debug_info", ".debug_abbrev",      ".debug_str",      ".debug_line_str",
    ".debug_addr", ".debug_str_offsets", ".debug_rnglists", ".debug_ranges"};

// A section that is unpacked is as large as it claims to be. What no compressor could have made
// is damage.
constexpr uint64_t kBestRatio = 2000;

std::unique_ptr<llvm::WritableMemoryBuffer> copy(const Object &object, uint32_t section) {
  const Bytes bytes = object.contents(section);
  const llvm::StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (!(object.sections()[section].sh_flags & ELF::SHF_COMPRESSED)) {
    auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(bytes.size());
    if (buffer)
      std::memcpy(buffer->getBufferStart(), bytes.data(), bytes.size());
    return buffer;
  }
  auto packed = llvm::object::Decompressor::create(object.name(section), text, /*IsLE=*/true,
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
  const bool is_aarch64 = object.machine() == ELF::EM_AARCH64;
  if (type == (is_aarch64 ? uint32_t(ELF::R_AARCH64_ABS64) : uint32_t(ELF::R_X86_64_64)))
    return 8;
  if (type == (is_aarch64 ? uint32_t(ELF::R_AARCH64_ABS32) : uint32_t(ELF::R_X86_64_32)))
    return 4;
  return 0; // of thread-local variables, and others that no function is told by
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
  std::vector<llvm::WritableMemoryBuffer *> buffers(object.sections().size());
  for (uint32_t i = 1; i < object.sections().size(); i++) {
    // Types that several files may have are in groups, in sections of the same name.
    if (object.sections()[i].sh_type != ELF::SHT_PROGBITS || object.group_of(i) ||
        !llvm::is_contained(kSections, object.name(i)) ||
        sections.contains(object.name(i).drop_front()))
      continue;
    auto buffer = copy(object, i);
    if (!buffer)
      return {};
    buffers[i] = buffer.get();
    sections[object.name(i).drop_front()] = std::move(buffer);
  }
  if (!sections.contains("debug_info"))
    return {};
  for (uint32_t i = 1; i < object.sections().size(); i++)
    if (object.sections()[i].sh_type == ELF::SHT_RELA && buffers[object.sections()[i].sh_info])
      relocate(object, i, *buffers[object.sections()[i].sh_info]);
  return sections;
}

} // namespace nophook
