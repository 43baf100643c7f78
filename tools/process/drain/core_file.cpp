// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds mappings of buffers in the note NT_FILE, and copies their memory into sparse files.

#include "process/drain/core_file.h"

#include "foundation/file.h"
#include "process/drain/buffer_file.h"

#include <nophook/buffer.h>

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <llvm/Object/ELF.h>
#include <unistd.h>
#include <vector>

namespace nophook {

namespace {

using Elf = llvm::object::ELF64LE;
using CoreFile = llvm::object::ELFFile<Elf>;

constexpr uint64_t kPage = 4096;
constexpr uint32_t kNoteFiles = 0x46494c45; // NT_FILE

struct MappedPart {
  uint64_t start = 0, end = 0, page = 0; // page: offset in the file, in pages
  std::string path;
};

// Layout: count, page size, then count times start, end and page; then count paths.
std::vector<MappedPart> parse_files(std::span<const uint8_t> note) {
  std::vector<MappedPart> parts;
  auto number = [&](uint64_t index) {
    uint64_t value = 0;
    if (index < note.size() / 8)
      std::memcpy(&value, note.data() + index * 8, 8);
    return value;
  };
  uint64_t count = number(0), unit = number(1) / kPage;
  if (count > note.size() / 24)
    return parts;
  std::string_view texts(reinterpret_cast<const char *>(note.data()), note.size());
  texts.remove_prefix(std::min<size_t>(16 + count * 24, texts.size()));
  for (uint64_t i = 0; i < count && !texts.empty(); i++) {
    size_t end = std::min(texts.find('\0'), texts.size());
    parts.push_back({number(2 + i * 3), number(3 + i * 3), number(4 + i * 3) * unit,
                     std::string(texts.substr(0, end))});
    texts.remove_prefix(std::min(end + 1, texts.size()));
  }
  return parts;
}

std::vector<MappedPart> mapped_files(const CoreFile &core) {
  auto segments = core.program_headers();
  if (!segments) {
    llvm::consumeError(segments.takeError());
    return {};
  }
  std::vector<MappedPart> parts;
  for (const auto &segment : *segments) {
    llvm::Error error = llvm::Error::success();
    if (segment.p_type == llvm::ELF::PT_NOTE)
      for (const auto &note : core.notes(segment, error))
        if (note.getType() == kNoteFiles)
          parts = parse_files(note.getDesc(4));
    llvm::consumeError(std::move(error));
  }
  return parts;
}

// The part of the memory from `address` to the end of its segment that the core contains.
std::span<const uint8_t> memory_at(const CoreFile &core, uint64_t address) {
  auto segments = core.program_headers();
  if (!segments) {
    llvm::consumeError(segments.takeError());
    return {};
  }
  for (const auto &p : *segments)
    if (p.p_type == llvm::ELF::PT_LOAD && address >= p.p_vaddr &&
        address - p.p_vaddr < p.p_filesz && p.p_offset < core.getBufSize()) {
      uint64_t skipped = address - p.p_vaddr;
      uint64_t bytes = std::min<uint64_t>(p.p_filesz, core.getBufSize() - p.p_offset);
      return {core.base() + p.p_offset + skipped, bytes > skipped ? bytes - skipped : 0};
    }
  return {};
}

// Writes no zero pages: most of a buffer has never been used.
bool write_sparse(int fd, std::span<const uint8_t> bytes, uint64_t offset) {
  for (uint64_t at = 0; at < bytes.size(); at += kPage) {
    auto page = bytes.subspan(at, std::min(kPage, bytes.size() - at));
    if (std::ranges::any_of(page, [](uint8_t byte) { return byte != 0; }) &&
        ::pwrite(fd, page.data(), page.size(), (off_t)(offset + at)) != (ssize_t)page.size())
      return false;
  }
  return true;
}

// Copies the mapped parts: the header and the tables behind it, and the sub-buffers that the
// process has used.
bool copy_parts(const CoreFile &core, const std::vector<MappedPart> &parts, const MappedPart &head,
                const nophook_buffer &header, const std::string &copy) {
  FileDescriptor fd(::open(copy.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.valid() || ::ftruncate(fd.get(), (off_t)header.file_bytes) != 0)
    return false;
  for (const MappedPart &part : parts) {
    std::span<const uint8_t> memory = memory_at(core, part.start);
    uint64_t bytes = std::min<uint64_t>(memory.size(), part.end - part.start);
    uint64_t offset = part.page * kPage;
    if (part.path == head.path && offset < header.file_bytes &&
        !write_sparse(fd.get(), memory.first(std::min(bytes, header.file_bytes - offset)), offset))
      return false;
  }
  return true;
}

bool is_head_of_buffer(const MappedPart &part) {
  return part.page == 0 && std::string_view(part.path).ends_with(kBufferSuffix);
}

} // namespace

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  std::filesystem::remove_all(path, error);
}

bool is_core_file(const std::string &path) {
  auto file = InputFile::open(path);
  Elf::Ehdr header;
  return file && file->read(0, &header, sizeof header) && header.checkMagic() &&
         header.e_ident[llvm::ELF::EI_CLASS] == llvm::ELF::ELFCLASS64 &&
         header.e_ident[llvm::ELF::EI_DATA] == llvm::ELF::ELFDATA2LSB &&
         header.e_type == llvm::ELF::ET_CORE;
}

Result<std::shared_ptr<const TemporaryFolder>> buffers_of_core(const std::string &path) {
  auto file = MappedFile::open(path);
  NOPHOOK_TRY(file);
  auto core = CoreFile::create(
      {reinterpret_cast<const char *>(file->bytes().data()), file->bytes().size()});
  if (!core)
    return error_at(path, llvm::toString(core.takeError()));
  std::error_code error;
  std::string copies = (std::filesystem::temp_directory_path(error) / "nophook-XXXXXX").string();
  if (!::mkdtemp(copies.data()))
    return system_error(copies, "cannot be made");
  auto folder = std::make_shared<const TemporaryFolder>(copies);
  std::string left_out;
  bool any = false;
  std::vector<MappedPart> parts = mapped_files(*core);
  for (const MappedPart &part : parts) {
    if (!is_head_of_buffer(part))
      continue;
    std::span<const uint8_t> memory = memory_at(*core, part.start);
    nophook_buffer header = {};
    if (memory.size() >= sizeof header)
      std::memcpy(&header, memory.data(), sizeof header);
    if (header.magic != NOPHOOK_BUFFER_MAGIC) {
      left_out = part.path;
      continue;
    }
    any = true;
    std::string name = std::filesystem::path(part.path).filename().string();
    std::string copy = copies + "/" + name;
    if (!copy_parts(*core, parts, part, header, copy))
      return system_error(copy, "cannot be written");
    for (const char *suffix : {kMapsSuffix, kProfileSuffix})
      std::filesystem::copy_file(beside_buffer(part.path, suffix), beside_buffer(copy, suffix),
                                 error);
  }
  if (any)
    return folder;
  if (left_out.empty())
    return error_at(path, "is a core file of a process that was not traced");
  std::string also =
      std::filesystem::exists(left_out, error) ? fmt::format("; {} is still there", left_out) : "";
  return error_at(path,
                  "holds no events: Linux leaves shared memory out of core files unless bit 3 "
                  "of /proc/PID/coredump_filter is set" +
                      also);
}

} // namespace nophook
