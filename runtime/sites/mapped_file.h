// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A regular file mapped for reading, for the length of a scope, and an ELF file's section headers.
// The file's contents are not trusted: every access is checked against its size. Neither is its
// name: where a FIFO has it, the program must not wait for a writer.

#pragma once

#include "base/bytes.h"
#include "base/syscall.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace nophook {

class MappedFile {
public:
  MappedFile() = default; // maps nothing
  explicit MappedFile(const char *path) { map(path); }
  ~MappedFile() { unmap(); }
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  // Maps another file in place of the present one.
  void map(const char *path) {
    unmap();
    long fd = sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (sys_failed(fd))
      return;
    struct stat st;
    if (!sys_failed(sys(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH)) && S_ISREG(st.st_mode) &&
        st.st_size > 0) {
      long at = sys(SYS_mmap, 0, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (!sys_failed(at)) {
        data_ = reinterpret_cast<const char *>(at);
        size_ = (uint64_t)st.st_size;
        device_ = st.st_dev;
        inode_ = st.st_ino;
      }
    }
    sys(SYS_close, fd);
  }

  uint64_t device() const { return device_; }
  uint64_t inode() const { return inode_; }

  // `count` elements of T at `offset`, or null if they are not all inside the file.
  template <class T> const T *at(uint64_t offset, uint64_t count) const {
    if (!data_ || count > size_ / sizeof(T) || offset > size_ - count * sizeof(T) ||
        offset % alignof(T))
      return nullptr;
    return reinterpret_cast<const T *>(data_ + offset);
  }

  // The section headers, `count` of them; null if this is no ELF file that has some.
  const ElfW(Shdr) * sections(uint32_t *count) const {
    const auto *header = at<ElfW(Ehdr)>(0, 1);
    if (!header || !equal_bytes(header->e_ident, ELFMAG, SELFMAG) ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(ElfW(Shdr)))
      return nullptr;
    *count = header->e_shnum;
    return at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  }

private:
  void unmap() {
    if (data_)
      sys(SYS_munmap, data_, size_);
    data_ = nullptr;
    size_ = 0;
  }

  const char *data_ = nullptr;
  uint64_t size_ = 0, device_ = 0, inode_ = 0;
};

} // namespace nophook
