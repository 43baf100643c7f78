// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reader of ELF symbol tables that believes nothing.

#include "sites/symbols.h"

#include "arch/arch.h"
#include "base/memory.h"
#include "base/syscall.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>

namespace nophook {
namespace {

// A file mapped for reading, for the length of a scope.
class MappedFile {
public:
  explicit MappedFile(const char *path) {
    long fd = sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (sys_failed(fd))
      return;
    struct stat st;
    if (fstat((int)fd, &st) == 0 && st.st_size > 0) {
      long at = sys(SYS_mmap, 0, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (!sys_failed(at)) {
        data_ = reinterpret_cast<const char *>(at);
        size_ = (uint64_t)st.st_size;
      }
    }
    sys(SYS_close, fd);
  }
  ~MappedFile() {
    if (data_)
      sys(SYS_munmap, data_, size_);
  }
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  // `count` elements of T at `offset`, or null if they are not all inside the file.
  template <class T> const T *at(uint64_t offset, uint64_t count) const {
    if (!data_ || count > size_ / sizeof(T) || offset > size_ - count * sizeof(T) ||
        offset % alignof(T))
      return nullptr;
    return reinterpret_cast<const T *>(data_ + offset);
  }

private:
  const char *data_ = nullptr;
  uint64_t size_ = 0;
};

const ElfW(Shdr) * find_symbols(const ElfW(Shdr) * sections, uint32_t n) {
  const uint32_t kinds[] = {SHT_SYMTAB, SHT_DYNSYM}; // .dynsym is what strip leaves
  for (uint32_t wanted : kinds)
    for (uint32_t i = 0; i < n; i++)
      if (sections[i].sh_type == wanted && sections[i].sh_size >= sizeof(ElfW(Sym)))
        return &sections[i];
  return nullptr;
}

// The record whose site lies in the function of `bytes` bytes at `address`: the first one there,
// be it at its start, behind a landing pad, or (gcc's mcount) behind the prologue. Assembly may
// leave the size out; then only a site at the very entry is known to be the function's.
bool find_record(const Module *module, uint64_t address, uint64_t bytes, uint32_t *index) {
  uint32_t i = module->records.lower_bound(address);
  if (i == module->records.count())
    return false;
  if (bytes == 0)
    bytes = Arch::skip_landing_pad(reinterpret_cast<const uint8_t *>(address)) + 1;
  *index = i;
  return module->records.ip(i) - address < bytes;
}

} // namespace

Status visit_symbols(const Module *module, SymbolVisitor visitor, void *context) {
  MappedFile file(module->path);
  const auto *header = file.at<ElfW(Ehdr)>(0, 1);
  if (!header)
    return failure(ENOENT, "the module's file cannot be read");
  if (!equal_bytes(header->e_ident, ELFMAG, SELFMAG) || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_shentsize != sizeof(ElfW(Shdr)))
    return failure(ENOEXEC, "the module's file has no section headers");
  const auto *sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  const ElfW(Shdr) *table = sections ? find_symbols(sections, header->e_shnum) : nullptr;
  if (!table || table->sh_link >= header->e_shnum)
    return failure(ENOEXEC, "the module's file has no symbol table");
  const ElfW(Shdr) &strings = sections[table->sh_link];
  uint64_t count = table->sh_size / sizeof(ElfW(Sym));
  const auto *symbol = file.at<ElfW(Sym)>(table->sh_offset, count);
  const char *text = file.at<char>(strings.sh_offset, strings.sh_size);
  if (!symbol || !text || strings.sh_size == 0 || text[strings.sh_size - 1] != 0)
    return failure(ENOEXEC, "the module's symbol table is damaged");
  for (uint64_t i = 0; i < count; i++) {
    uint32_t index;
    if (ELF64_ST_TYPE(symbol[i].st_info) == STT_FUNC && symbol[i].st_shndx != SHN_UNDEF &&
        symbol[i].st_name < strings.sh_size && text[symbol[i].st_name] &&
        find_record(module, module->bias + symbol[i].st_value, symbol[i].st_size, &index))
      visitor(context, index, text + symbol[i].st_name);
  }
  return {};
}

} // namespace nophook
