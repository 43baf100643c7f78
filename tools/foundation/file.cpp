// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes whole ranges in spite of short results and signals; and knows UTF-8.

#include "foundation/file.h"

#include "foundation/mapped_files.h"
#include "foundation/regular_file.h"

#include <algorithm>
#include <llvm/Support/ConvertUTF.h>
#include <sys/mman.h>
#include <unistd.h>

namespace nophook {

void FileDescriptor::reset(int fd) {
  if (fd_ >= 0)
    ::close(fd_);
  fd_ = fd;
}

Result<InputFile> InputFile::open(const std::string &path, int flags) {
  auto opened = open_regular(path, O_RDONLY | flags);
  NOPHOOK_TRY(opened);
  InputFile file;
  file.path_ = path;
  file.fd_ = std::move(opened->fd);
  file.size_ = opened->size;
  return file;
}

bool InputFile::read(uint64_t offset, void *to, uint64_t bytes) const {
  return read_all_at(fd_.get(), offset, to, bytes);
}

Result<MappedFile> MappedFile::open(const std::string &path) {
  auto input = InputFile::open(path);
  NOPHOOK_TRY(input);
  MappedFile file;
  file.path_ = path;
  if (input->size()) {
    void *at = mmap(nullptr, input->size(), PROT_READ, MAP_PRIVATE, input->descriptor(), 0);
    if (at == MAP_FAILED)
      return system_error(path, "cannot be mapped");
    know_mapping(path, at, input->size());
    file.bytes_ = {static_cast<const uint8_t *>(at), input->size()};
  }
  return file;
}

MappedFile::~MappedFile() {
  if (bytes_.empty())
    return;
  forget_mapping(bytes_.data());
  munmap(const_cast<uint8_t *>(bytes_.data()), bytes_.size());
}

std::string read_small_file(const std::string &path) {
  std::string text;
  FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char part[4096];
  while (fd.valid()) {
    ssize_t n = ::read(fd.get(), part, sizeof part);
    if (n <= 0)
      break;
    text.append(part, (size_t)n);
  }
  return text;
}

bool write_all(int fd, const void *data, uint64_t bytes) {
  const char *at = static_cast<const char *>(data);
  while (bytes) {
    ssize_t n = ::write(fd, at, bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    at += n;
    bytes -= (uint64_t)n;
  }
  return true;
}

bool read_all_at(int fd, uint64_t offset, void *to, uint64_t bytes) {
  while (bytes) {
    ssize_t n = ::pread(fd, to, bytes, (off_t)offset);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    to = static_cast<char *>(to) + n;
    offset += (uint64_t)n;
    bytes -= (uint64_t)n;
  }
  return true;
}

bool write_all_at(int fd, uint64_t offset, const void *data, uint64_t bytes) {
  const char *at = static_cast<const char *>(data);
  while (bytes) {
    ssize_t n = ::pwrite(fd, at, bytes, (off_t)offset);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    at += n;
    offset += (uint64_t)n;
    bytes -= (uint64_t)n;
  }
  return true;
}

namespace {

// Length of the UTF-8 sequence at the start of `text`; 0 if there is none.
size_t utf8_length(std::string_view text) {
  const auto *start = reinterpret_cast<const llvm::UTF8 *>(text.data());
  return llvm::isLegalUTF8Sequence(start, start + text.size()) ? llvm::getNumBytesForUTF8(*start)
                                                               : 0;
}

} // namespace

size_t printable_length(std::string_view text) {
  size_t n = utf8_length(text);
  bool control = (unsigned char)text[0] < 0x20 || text[0] == 0x7f;
  // U+0080 to U+009F are control characters too.
  control |= n == 2 && (unsigned char)text[0] == 0xc2 && (unsigned char)text[1] < 0xa0;
  return control ? 0 : n;
}

std::string printable(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; }))
    return std::string(text);
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    size_t n = printable_length(text);
    if (n == 0) {
      shown += '?';
      n = std::max<size_t>(utf8_length(text), 1);
    } else {
      shown.append(text.substr(0, n));
    }
    text.remove_prefix(n);
  }
  return shown;
}

} // namespace nophook
