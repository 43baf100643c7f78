// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding modules by their ELF notes, and turning their tables into records.

#include "base/limit_text.h"
#include "sites/note.h"
#include "sites/site_tables.h"

#include "arch/arch.h"
#include "base/log.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <nophook/buffer.h>

namespace nophook {

static uint32_t g_next_id = 0;
static bool g_is_awaited = false;

bool take_ids(uint32_t count, uint32_t *first) {
  if (count > (1u << NOPHOOK_ID_BITS) - g_next_id)
    return false;
  *first = g_next_id;
  g_next_id += count;
  return true;
}

namespace {

void read_segments(const dl_phdr_info *info, Module *module) {
  module->bias = info->dlpi_addr;
  module->start = ~uint64_t{0};
  const int more_rights = rights_by_properties(info);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    if (p.p_type != PT_LOAD || p.p_memsz == 0)
      continue;
    uint64_t begin = info->dlpi_addr + p.p_vaddr;
    uint64_t first = round_down(begin, kPageBytes), last = round_up(begin + p.p_memsz, kPageBytes);
    module->start = first < module->start ? first : module->start;
    module->end = last > module->end ? last : module->end;
    if ((p.p_flags & PF_X) && (p.p_flags & PF_R) && module->text_count < kMaxTextSegments)
      module->text[module->text_count++] = {begin, begin + p.p_filesz,
                                            PROT_READ | PROT_EXEC | more_rights |
                                                ((p.p_flags & PF_W) ? PROT_WRITE : 0)};
  }
}

void read_path(const dl_phdr_info *info, Module *module) {
  if (info->dlpi_name && info->dlpi_name[0]) {
    Text<sizeof(module->path)> text;
    text.add(info->dlpi_name);
    copy_bytes(module->path, text.c_str(), text.size() + 1);
    return;
  }
  long n = sys(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", module->path, sizeof(module->path) - 1);
  module->path[sys_failed(n) ? 0 : n] = 0;
}

struct Search {
  Status status;
  Discovery found;
  uint64_t objects; // number of objects visited so far
};

void reject(const Module *module, const char *why) {
  LogText line;
  log_refusal(line.add(module->path).add(": not traceable: ").add(why));
}

FileIdentity identity_of(const char *path) {
  struct stat st = {};
  if (sys_failed(sys(SYS_newfstatat, AT_FDCWD, path, &st, 0)))
    return {};
  return {st.st_dev, st.st_ino, (uint64_t)st.st_size,
          (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec};
}

bool is_same_file(const Module *a, const Module *b) {
  if (a->build_id_bytes != b->build_id_bytes)
    return false;
  if (a->build_id_bytes)
    return equal_bytes(a->build_id, b->build_id, a->build_id_bytes);
  return a->file.inode && equal_bytes(&a->file, &b->file, sizeof a->file);
}

// An earlier load of the same file at the same address, which is gone; or null.
Module *find_former(const Module *module, uint64_t sites) {
  for (Module *old = first_module(); old; old = old->next)
    if (!old->loaded && old->bias == module->bias && old->note == module->note &&
        old->ids == sites && is_same_file(old, module))
      return old;
  return nullptr;
}

// Takes over the fields that a new load sets and that the former one has lost.
void come_back(Module *former, const Module *module) {
  former->records = module->records;
  former->calls_on = 0;
  former->has_looked_aside = former->has_plans = former->is_adopted = false;
  __atomic_store_n(&former->loaded, true, __ATOMIC_RELEASE);
}

Status make_records(const dl_phdr_info *info, Module *module, Array<uint32_t> &offsets) {
  if (!offsets.empty() &&
      !module->records.build(module->bias, offsets.data(), (uint32_t)offsets.size()))
    return failure(ENOMEM, "no memory for records");
  uint64_t taken = 0;
  for (uint32_t i = 0; i < module->records.count(); i++) {
    const uint64_t ip = module->records.ip(i);
    uint64_t insn = Arch::read_insn(reinterpret_cast<const uint8_t *>(ip));
    if (insn == Arch::kNopClang)
      continue;
    module->records.state(i) |= kStateNopGas; // the NOP of a taken site is seen when it comes back
    if (insn == Arch::kNopGas)
      continue;
    bool is_kept = is_static_call(info, module, ip);
    module->records.state(i) |= is_kept ? kStateCall : kStateForeign;
    taken += !is_kept;
  }
  if (taken) {
    LogText line;
    log_line(line.add(module->path)
                 .add(": ")
                 .number(taken)
                 .add(" functions have a breakpoint or uprobe at their entry and are left alone"));
  }
  return {};
}

Status add_module(const dl_phdr_info *info, const NoteSearch &found, bool can_leave,
                  Discovery *discovery) {
  auto *module = static_cast<Module *>(map_pages(sizeof(Module)));
  if (!module)
    return failure(ENOMEM, "no memory for a module");
  module->note = found.note;
  module->loaded = true;
  module->can_leave = can_leave;
  read_segments(info, module);
  read_path(info, module);
  module->build_id_bytes = found.build_id_bytes < sizeof(module->build_id)
                               ? found.build_id_bytes
                               : (uint32_t)sizeof(module->build_id);
  copy_bytes(module->build_id, found.build_id, module->build_id_bytes);
  if (!module->build_id_bytes)
    module->file = identity_of(module->path);
  module->static_calls = find_static_calls(info, found);
  module->prototypes = find_prototypes(info, found);

  Array<uint32_t> offsets;
  NOPHOOK_TRY(read_site_tables(info, found, module, &offsets));
  Module *former = find_former(module, offsets.size());
  if (!former) {
    constexpr uint32_t kIds = 1u << NOPHOOK_ID_BITS;
    if (!take_ids((uint32_t)offsets.size(), &module->first_id)) {
      reject(module, limit_text<"the process has more functions than there are ids (", kIds, ")">);
      offsets.clear();
      module->first_id = g_next_id;
    }
    module->ids = (uint32_t)offsets.size();
  }
  NOPHOOK_TRY(make_records(info, module, offsets));
  if (former) {
    come_back(former, module);
    unmap_pages(module, sizeof(Module));
    discovery->back++;
    return {};
  }
  discovery->records += module->records.count();
  discovery->pages += module->records.page_count();
  publish_module(module);
  discovery->modules++;
  return {};
}

// Whether the module is on its way out of the address space, and its destructor has found no
// runtime to call. If not, its destructor will call us.
bool has_left(nophook_life *life) {
  __atomic_store_n(&life->unregister, nophook_unregister_module, __ATOMIC_SEQ_CST);
  return __atomic_load_n(&life->leaves, __ATOMIC_SEQ_CST); // in this order: nophook/site.h
}

int visit_object(dl_phdr_info *info, size_t, void *data) {
  auto *search = static_cast<Search *>(data);
  // The program itself stays, and only it has no name.
  bool can_leave = search->objects++ || (info->dlpi_name && info->dlpi_name[0]);
  const NoteSearch found = search_notes(info);
  if (!found.note || find_module(found.note))
    return 0;
  nophook_life *life = find_life(info, found);
  if (life && has_left(life))
    return 0;
  if (can_leave && !life) {
    LogText line;
    log_line(
        line.add(info->dlpi_name)
            .add(": not traceable: it was linked with an older nophook_module.o, which does not "
                 "report that the library is unloaded"));
    return 0;
  }
  search->status = add_module(info, found, can_leave, &search->found);
  return search->status.ok() ? 0 : 1;
}

int visit_table(dl_phdr_info *info, size_t, void *any) {
  const NoteSearch found = search_notes(info);
  return *static_cast<bool *>(any) = found.note && has_site_tables(info, found);
}

} // namespace

// Before the loader's list is read: a module that is not in it yet sees this in its constructor.
void await_modules() {
  __atomic_store_n(&g_is_awaited, true, __ATOMIC_SEQ_CST);
}

bool modules_are_awaited() {
  return __atomic_load_n(&g_is_awaited, __ATOMIC_SEQ_CST);
}

bool has_sites() {
  bool any = false;
  dl_iterate_phdr(visit_table, &any);
  return any;
}

Status discover_modules(Discovery *found) {
  Search search = {};
  await_modules();
  dl_iterate_phdr(visit_object, &search);
  *found = search.found;
  return search.status;
}

} // namespace nophook
