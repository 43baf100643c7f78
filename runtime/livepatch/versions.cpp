// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the whole code of a function. A body is more than its symbol's range: compilers move
// unlikely code to NAME.cold, and parts that others share to NAME.part.N. A thread that is in one
// of these is in the function.

#include "livepatch/versions.h"

#include "arch/arch.h"
#include "base/eternal.h"
#include "base/limit_text.h"
#include "sites/symbols.h"

#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

namespace nophook {
namespace {

constexpr const char *kPieces[] = {"cold", "part"};

// Bodies that callers enter in place of the function: with constant arguments (gcc's constprop,
// clang's specialized), with other parameters, or behind a beginning that they have inlined.
constexpr const char *kClones[] = {"constprop", "isra", "part", "specialized"};

// Whether `symbol` is "NAME.cold", "NAME.part.0" and so on.
template <size_t Count>
bool is_one_of(const char *const (&kinds)[Count], const char *name, const char *symbol) {
  const size_t bytes = text_length(name);
  if (strncmp(symbol, name, bytes) != 0 || symbol[bytes] != '.')
    return false;
  for (const char *kind : kinds)
    if (strncmp(symbol + bytes + 1, kind, text_length(kind)) == 0)
      return true;
  return false;
}

struct CloneSearch {
  const char *name;
  FunctionName clone;
};
void visit_clone(void *context, const char *name, uint64_t, uint64_t) {
  auto *search = static_cast<CloneSearch *>(context);
  if (!search->clone.size() && is_one_of(kClones, search->name, name))
    search->clone.add(name);
}

// The end counts if it may be the return address of a call that does not return. Else it is the
// next function's address, which may lie in a frame for ever: that of main() does in its caller's.
CodeRange code_of(uint64_t start, uint64_t bytes) {
  constexpr uint64_t kWindow = Arch::kCallWindowBytes;
  const uint64_t end = start + bytes;
  const auto *behind = reinterpret_cast<const uint8_t *>(end);
  bool may_return = bytes < kWindow || Arch::ends_with_call(behind - kWindow);
  return {start, may_return ? end : end - 1};
}

struct ByName {
  const char *name;
  unsigned long position;
  unsigned long seen;
  uint64_t address, bytes;
};
void visit_by_name(void *context, const char *name, uint64_t address, uint64_t bytes) {
  auto *wanted = static_cast<ByName *>(context);
  if (strcmp(name, wanted->name) != 0)
    return;
  wanted->seen++;
  if (!wanted->position || wanted->seen == wanted->position) {
    wanted->address = address;
    wanted->bytes = bytes;
  }
}

struct ByAddress {
  uint64_t address, bytes;
  Text<512> name;
};
void visit_by_address(void *context, const char *name, uint64_t address, uint64_t bytes) {
  auto *wanted = static_cast<ByAddress *>(context);
  if (address != wanted->address || !bytes || wanted->bytes)
    return;
  wanted->bytes = bytes;
  wanted->name.add(name);
}

struct Pieces {
  const char *name;
  Version *version;
  bool is_full;
};
void visit_pieces(void *context, const char *name, uint64_t address, uint64_t bytes) {
  auto *pieces = static_cast<Pieces *>(context);
  if (!is_one_of(kPieces, pieces->name, name))
    return;
  Version *version = pieces->version;
  if (version->piece_count == Version::kMostPieces)
    pieces->is_full = true;
  else
    version->pieces[version->piece_count++] = code_of(address, bytes);
}

Status find_pieces(const Module *module, const char *name, Version *version) {
  version->piece_count = 0;
  Pieces pieces = {name, version, false};
  NOPHOOK_TRY(visit_symbols(module, visit_pieces, &pieces));
  return pieces.is_full
             ? failure(EINVAL, limit_text<"the function has more than ", Version::kMostPieces,
                                          " pieces (.cold and .part)">)
             : Status{};
}

struct ObjectSearch {
  uint64_t address;
  ObjectPath *path;
  uint64_t bias;
  bool found;
};
bool lies_in(const dl_phdr_info *info, uint64_t address) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && address - info->dlpi_addr - segment.p_vaddr < segment.p_memsz)
      return true;
  }
  return false;
}

int visit_object(dl_phdr_info *info, size_t, void *context) {
  auto *search = static_cast<ObjectSearch *>(context);
  search->found = lies_in(info, search->address);
  if (!search->found)
    return 0;
  search->path->add(info->dlpi_name);
  search->bias = info->dlpi_addr;
  return 1;
}

// Whether `name` is the path of a library's file, the file's name, or that without ".so" and the
// rest.
bool is_name_of(const char *name, const char *path) {
  const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
  const char *so = strstr(file, ".so");
  return strcmp(name, path) == 0 || strcmp(name, file) == 0 ||
         (so && is_text(file, (size_t)(so - file), name));
}

} // namespace

bool find_object(uint64_t address, ObjectPath *path, uint64_t *bias) {
  ObjectSearch search = {address, path, 0, false};
  dl_iterate_phdr(visit_object, &search);
  *bias = search.bias;
  return search.found;
}

bool add_code_of_object(uint64_t address, CodeRanges &ranges) {
  struct Search {
    uint64_t address;
    CodeRanges *ranges;
    bool works;
  } search = {address, &ranges, true};
  const int found = dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *context) {
        auto *wanted = static_cast<Search *>(context);
        if (!lies_in(info, wanted->address))
          return 0;
        for (int i = 0; i < info->dlpi_phnum; i++) {
          const ElfW(Phdr) &segment = info->dlpi_phdr[i];
          const uint64_t start = info->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && segment.p_flags & PF_X)
            wanted->works &= wanted->ranges->add({start, start + segment.p_memsz});
        }
        return 1;
      },
      &search);
  return found && search.works;
}

bool object_is_loaded(const char *name) {
  struct Search {
    const char *name;
    bool found;
  } search = {name, false};
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *context) {
        auto *wanted = static_cast<Search *>(context);
        wanted->found = wanted->found || is_name_of(wanted->name, info->dlpi_name);
        return 0;
      },
      &search);
  return search.found;
}

Module *module_of_object(const char *name) {
  const uint64_t program = getauxval(AT_PHDR);
  for (Module *m = first_module(); m; m = m->next) {
    if (!m->loaded)
      continue;
    if (name ? is_name_of(name, m->path) : program >= m->start && program < m->end)
      return m;
  }
  return nullptr;
}

Status find_original(Module *module, const char *name, unsigned long position, uint32_t *index,
                     Version *version) {
  ByName wanted = {name, position, 0, 0, 0};
  bool is_full = false;
  Status read = visit_symbols(module, visit_by_name, &wanted, &is_full);
  if (!read.ok())
    return failure(ENOENT, read.reason);
  if (!wanted.seen || wanted.seen < position)
    return failure(ENOENT, "the symbol table has no such function (is the file stripped?)");
  if (position && !is_full)
    return failure(ENOENT, "the file is stripped, so positions in its symbol table are unknown");
  if (wanted.seen > 1 && !position)
    return failure(EINVAL, "several functions have this name: old_sympos must say which");
  if (!wanted.bytes)
    return failure(EINVAL, "the symbol table does not say how long it is");
  if (!find_record(module, wanted.address, 0, index))
    return failure(EINVAL, "the function has no site at its entry");
  const uint64_t body = module->records.ip(*index) + Arch::kSiteBytes;
  version->entry = body;
  version->named = wanted.address;
  version->body = code_of(body, wanted.address + wanted.bytes - body);
  return find_pieces(module, name, version);
}

FunctionName find_clone(const Module *module, const char *name) {
  CloneSearch search = {name, {}};
  // find_original() has read the file before.
  (void)visit_symbols(module, visit_clone, &search).ok();
  return search.clone;
}

Status find_replacement(uint64_t function, Version *version) {
  // Only a path and a place of it are used; it is too large for a stack.
  static Eternal<Module> scratch;
  Module *file = scratch.all();
  ObjectPath path;
  if (!find_object(function, &path, &file->bias))
    return failure(ENOENT, "the new function lies in no object of this process");
  const char *name = path.size() ? path.c_str() : "/proc/self/exe";
  copy_bytes(file->path, name, text_length(name) + 1);
  ByAddress wanted = {function, 0, {}};
  NOPHOOK_TRY(visit_symbols(file, visit_by_address, &wanted));
  if (!wanted.bytes)
    return failure(ENOENT, "no symbol shows where the new function ends (is its file stripped?)");
  version->entry = version->named = function;
  version->body = code_of(function, wanted.bytes);
  return find_pieces(file, wanted.name.c_str(), version);
}

} // namespace nophook
