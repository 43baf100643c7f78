// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files: a descriptor that closes itself, a file that is read piece by piece, one that is mapped.
//
// Programs are mapped. A recording is read, because another program may be writing to it.

#pragma once

#include "foundation/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nophook {

class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor &&other) noexcept : fd_(other.release()) {}
  FileDescriptor &operator=(FileDescriptor &&other) noexcept {
    reset(other.release());
    return *this;
  }
  ~FileDescriptor() { reset(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void reset(int fd = -1);

private:
  int fd_ = -1;
};

// A regular file. If it is cut while it is open, a read fails.
class InputFile {
public:
  // `flags`: O_NOFOLLOW, or none.
  static Result<InputFile> open(const std::string &path, int flags = 0);

  const std::string &path() const { return path_; }
  uint64_t size() const { return size_; } // size when it was opened
  bool read(uint64_t offset, void *to, uint64_t bytes) const;
  int descriptor() const { return fd_.get(); }

private:
  std::string path_;
  FileDescriptor fd_;
  uint64_t size_ = 0;
};

// A whole file, mapped. An empty file is an empty span.
class MappedFile {
public:
  static Result<MappedFile> open(const std::string &path);

  MappedFile() = default;
  MappedFile(MappedFile &&other) noexcept
      : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile &operator=(MappedFile &&other) noexcept {
    std::swap(path_, other.path_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedFile();

  const std::string &path() const { return path_; }
  std::span<const uint8_t> bytes() const { return bytes_; }
  uint64_t size() const { return bytes_.size(); }

private:
  std::string path_;
  std::span<const uint8_t> bytes_;
};

// The whole of a small file, such as those of /proc, or an empty string.
std::string read_small_file(const std::string &path);

// Writes all of it, through short writes and interruptions. False: errno says why.
bool write_all(int fd, const void *data, uint64_t bytes);

// The same at a place of the file, which several threads may use at once. Reading fails at the
// file's end, too.
bool write_all_at(int fd, uint64_t offset, const void *data, uint64_t bytes);
bool read_all_at(int fd, uint64_t offset, void *to, uint64_t bytes);

// Length of the character at the start of `text` (not empty), in bytes of UTF-8; 0 for a control
// character and for invalid bytes.
size_t printable_length(std::string_view text);

// Makes a name of the file system fit for one line of a terminal: control characters and bytes that
// are not UTF-8 come from strangers and are shown as '?'.
std::string printable(std::string_view text);

} // namespace nophook
