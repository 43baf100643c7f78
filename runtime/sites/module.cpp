// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding modules by their ELF notes, and turning their tables into records.
//
// The table comes from a file and is not trusted: an entry counts only if it points at one
// of the NOPs we know inside an executable segment. Entries may point before `endbr64` (some
// compilers record the function's start), may be doubled, and need not be sorted.

#include "sites/module.h"

#include "arch/arch.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/sort.h"
#include "sites/side_file.h"
#include "sites/startup.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>

#include <nophook/args.h>
#include <nophook/buffer.h>

namespace nophook {

static Module *g_modules = nullptr;
#pragma weak dlsym // a static program has none, and loads no libraries
static uint32_t g_next_id = 0;

Module *first_module() {
  return __atomic_load_n(&g_modules, __ATOMIC_ACQUIRE);
}

Module *module_from(uint32_t id) {
  Module *next = nullptr;
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded && m->records.count() && m->first_id >= id &&
        (!next || m->first_id < next->first_id))
      next = m;
  return next;
}

Module *find_module(const nophook_note *note) {
  for (Module *m = first_module(); m; m = m->next)
    if (m->loaded && m->note == note)
      return m;
  return nullptr;
}

bool in_text(const Module *module, uint64_t address, uint64_t bytes) {
  for (uint32_t i = 0; i < module->text_count; i++)
    if (address >= module->text[i].start && address + bytes <= module->text[i].end &&
        address + bytes > address)
      return true;
  return false;
}

namespace {

struct NoteSearch {
  const nophook_note *note;
  uint32_t note_bytes;
  const uint8_t *build_id;
  uint32_t build_id_bytes;
};

// Walks one PT_NOTE segment. Names and descriptors are padded to 4 bytes.
void search_notes(const char *at, uint64_t bytes, NoteSearch *found) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    const auto *header = reinterpret_cast<const ElfW(Nhdr) *>(at);
    uint64_t name_bytes = round_up(header->n_namesz, 4);
    uint64_t desc_bytes = round_up(header->n_descsz, 4);
    uint64_t total = sizeof(*header) + name_bytes + desc_bytes;
    if (total > bytes)
      return;
    const char *name = at + sizeof(*header);
    const char *desc = name + name_bytes;
    if (header->n_namesz == sizeof(NOPHOOK_NOTE_NAME) && header->n_type == NOPHOOK_NOTE_TYPE &&
        header->n_descsz >= NOPHOOK_NOTE_MIN_BYTES &&
        equal_bytes(name, NOPHOOK_NOTE_NAME, sizeof(NOPHOOK_NOTE_NAME)))
      found->note = reinterpret_cast<const nophook_note *>(desc),
      found->note_bytes = header->n_descsz;
    if (header->n_namesz == 4 && header->n_type == NT_GNU_BUILD_ID && equal_bytes(name, "GNU", 4)) {
      found->build_id = reinterpret_cast<const uint8_t *>(desc);
      found->build_id_bytes = header->n_descsz;
    }
    at += total;
    bytes -= total;
  }
}

// Where a note's field points. The sum wraps for garbage; the range check below catches it.
uint64_t points_to(const int64_t &field) {
  return reinterpret_cast<uint64_t>(&field) + (uint64_t)field;
}

// Whether [start, stop) is a table of entries of `entry` bytes in one PT_LOAD segment.
bool is_table(const dl_phdr_info *info, uint64_t start, uint64_t stop, uint64_t entry,
              uint64_t align) {
  if (start >= stop || (stop - start) % entry || start % align)
    return false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    uint64_t begin = info->dlpi_addr + p.p_vaddr;
    if (p.p_type == PT_LOAD && (p.p_flags & PF_R) && start >= begin && stop <= begin + p.p_memsz)
      return true;
  }
  return false;
}

void read_segments(const dl_phdr_info *info, Module *module) {
  module->bias = info->dlpi_addr;
  module->start = ~uint64_t{0};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    if (p.p_type != PT_LOAD || p.p_memsz == 0)
      continue;
    uint64_t begin = info->dlpi_addr + p.p_vaddr;
    uint64_t first = round_down(begin, kPageBytes), last = round_up(begin + p.p_memsz, kPageBytes);
    module->start = first < module->start ? first : module->start;
    module->end = last > module->end ? last : module->end;
    if ((p.p_flags & PF_X) && (p.p_flags & PF_R) && module->text_count < kMaxTextSegments)
      module->text[module->text_count++] = {
          begin, begin + p.p_filesz, PROT_READ | PROT_EXEC | ((p.p_flags & PF_W) ? PROT_WRITE : 0)};
  }
}

void read_path(const dl_phdr_info *info, Module *module) {
  if (info->dlpi_name && info->dlpi_name[0]) {
    Text<sizeof(module->path)> text;
    text.add(info->dlpi_name);
    copy_bytes(module->path, text.c_str(), text.size() + 1);
    return;
  }
  long n = sys(SYS_readlinkat, -100 /* AT_FDCWD */, "/proc/self/exe", module->path,
               sizeof(module->path) - 1);
  module->path[sys_failed(n) ? 0 : n] = 0;
}

TableBounds find_prototypes(const dl_phdr_info *info, const NoteSearch &found) {
  if (found.note_bytes < offsetof(nophook_note, kept_calls))
    return {};
  uint64_t start = points_to(found.note->proto_start), stop = points_to(found.note->proto_stop);
  if (!is_table(info, start, stop, 4, 4))
    return {};
  return {start, stop};
}

nophook_kept_calls *find_kept_calls(const dl_phdr_info *info, const NoteSearch &found) {
  if (found.note_bytes < sizeof(nophook_note))
    return nullptr;
  uint64_t at = points_to(found.note->kept_calls);
  if (!is_table(info, at, at + sizeof(nophook_kept_calls), sizeof(nophook_kept_calls), 8))
    return nullptr;
  auto *calls = reinterpret_cast<nophook_kept_calls *>(at);
  // The load base, which an undefined symbol of a PIE looks like, has a file header there.
  return at == info->dlpi_addr || calls->code_bytes > kPageBytes ? nullptr : calls;
}

// Whether a call of the module's own mcount stands at `ip`. A table that is not to be trusted may
// lead to bytes that look like a call through memory where there is none.
bool is_kept_call(const dl_phdr_info *info, const Module *module, uint64_t ip) {
  const nophook_kept_calls *calls = module->kept_calls;
  if (!calls)
    return false;
  uint64_t target = Arch::call_target(ip);
  uint64_t slot = in_text(module, ip - 1, 1) ? Arch::call_slot(ip) : 0;
  if (is_table(info, slot, slot + sizeof(target), sizeof(target), alignof(uint64_t)))
    target = *reinterpret_cast<const uint64_t *>(slot);
  return target - points_to(calls->code) < calls->code_bytes;
}

// The table's sites as ascending distances from the bias. `bad` counts entries that are none.
[[nodiscard]] bool read_sites(const dl_phdr_info *info, const Module *module, const uint64_t *entry,
                              const uint64_t *stop, Array<uint32_t> *offsets, uint64_t *bad) {
  if (!offsets->reserve((uint64_t)(stop - entry)))
    return false;
  for (; entry < stop; entry++) {
    uint64_t ip = *entry;
    if (in_text(module, ip, 4 + Arch::kSiteBytes))
      ip += Arch::skip_landing_pad(reinterpret_cast<const uint8_t *>(ip));
    if (!in_text(module, ip, Arch::kSiteBytes) || ip - module->bias > UINT32_MAX ||
        (!Arch::is_site_nop(reinterpret_cast<const uint8_t *>(ip)) &&
         !is_kept_call(info, module, ip))) {
      *bad += 1;
      continue;
    }
    if (!offsets->push((uint32_t)(ip - module->bias)))
      return false;
  }
  sort(offsets->data(), offsets->size(), [](uint32_t a, uint32_t b) { return a < b; });
  uint64_t kept = 0;
  for (uint64_t i = 0; i < offsets->size(); i++)
    if (i == 0 || (*offsets)[i] != (*offsets)[kept - 1])
      (*offsets)[kept++] = (*offsets)[i];
  offsets->shrink(kept);
  return true;
}

struct Search {
  Status status;
  Discovery found;
  uint64_t objects;  // visited so far
  bool is_reachable; // by libraries that are loaded later
};

void reject(const Module *module, const char *why) {
  LogText line;
  log_line(line.add(module->path).add(": not traceable: ").add(why));
}

FileIdentity identity_of(const char *path) {
  struct stat st = {};
  long fd = sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (sys_failed(fd))
    return {};
  bool known = fstat((int)fd, &st) == 0;
  sys(SYS_close, fd);
  if (!known)
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

// Takes what a new load has and the former one has lost.
void come_back(Module *former, const Module *module) {
  former->records = module->records;
  former->calls_on = 0;
  former->has_looked_aside = former->has_plans = former->is_adopted = false;
  __atomic_store_n(&former->loaded, true, __ATOMIC_RELEASE);
}

void add_module(const dl_phdr_info *info, const NoteSearch &found, bool can_leave, Search *search) {
  auto *module = static_cast<Module *>(map_pages(sizeof(Module)));
  if (!module) {
    search->status = failure(ENOMEM, "no memory for a module");
    return;
  }
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
  module->kept_calls = find_kept_calls(info, found);
  module->prototypes = find_prototypes(info, found);

  uint64_t start = points_to(found.note->mcount_start), stop = points_to(found.note->mcount_stop);
  Array<uint32_t> offsets;
  uint64_t bad = 0;
  // Bounds of 0, or of the load base, mean a link without the linker script or without sites.
  if (is_table(info, start, stop, 8, 8)) {
    if (!read_sites(info, module, reinterpret_cast<const uint64_t *>(start),
                    reinterpret_cast<const uint64_t *>(stop), &offsets, &bad)) {
      search->status = failure(ENOMEM, "no memory for a module's table");
      return;
    }
  } else if (stop > start && start > module->start && stop <= module->end) {
    reject(module, "the bounds of its table in the note are damaged");
  }
  if (bad) {
    LogText line;
    log_line(line.add(module->path)
                 .add(": ")
                 .number(bad)
                 .add(" entries of its table are no sites and are left alone"));
  }
  Module *former = find_former(module, offsets.size());
  if (!former) {
    if (offsets.size() > (1u << NOPHOOK_ID_BITS) - g_next_id) {
      reject(module, "the process has more functions than there are ids (4194304)");
      offsets.clear();
    }
    module->first_id = g_next_id;
    module->ids = (uint32_t)offsets.size();
    g_next_id += module->ids;
  }
  if (!offsets.empty() &&
      !module->records.build(module->bias, offsets.data(), (uint32_t)offsets.size())) {
    search->status = failure(ENOMEM, "no memory for records");
    return;
  }
  for (uint32_t i = 0; i < module->records.count(); i++) {
    uint64_t insn = Arch::read_insn(reinterpret_cast<const uint8_t *>(module->records.ip(i)));
    if (!Arch::is_nop_insn(insn))
      module->records.state(i) |= kStateCall | kStateNopGas;
    else if (insn == Arch::kNopGas)
      module->records.state(i) |= kStateNopGas;
  }
  if (former) {
    come_back(former, module);
    unmap_pages(module, sizeof(Module));
    search->found.back++;
    return;
  }
  search->found.records += module->records.count();
  search->found.pages += module->records.page_count();
  module->next = g_modules;
  __atomic_store_n(&g_modules, module, __ATOMIC_RELEASE);
  search->found.modules++;
}

int visit_object(dl_phdr_info *info, size_t, void *data) {
  auto *search = static_cast<Search *>(data);
  bool can_leave = search->objects++ >= startup_objects();
  NoteSearch found = {};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    if (p.p_type == PT_NOTE && p.p_align <= 4)
      search_notes(reinterpret_cast<const char *>(info->dlpi_addr + p.p_vaddr), p.p_memsz, &found);
  }
  if (!found.note || find_module(found.note))
    return 0;
  if (can_leave && !search->is_reachable) {
    LogText line;
    log_line(line.add(info->dlpi_name)
                 .add(": not traceable: the program does not export nophook_unregister_module, so "
                      "nobody would tell us that it is unloaded"));
    return 0;
  }
  add_module(info, found, can_leave, search);
  return search->status.ok() ? 0 : 1;
}

} // namespace

Status discover_modules(Discovery *found) {
  Search search = {};
  // Before the loader is asked for its list: it holds a lock then.
  search.is_reachable = !dlsym || dlsym(RTLD_DEFAULT, "nophook_unregister_module");
  dl_iterate_phdr(visit_object, &search);
  *found = search.found;
  return search.status;
}

void clear_call_targets(Module *module) {
  __atomic_store_n(&module->kept_calls->on, uint64_t{0}, __ATOMIC_RELEASE);
  for (uint32_t i = 0; i < module->records.count(); i++) // threads may be on their way
    __atomic_store_n(&module->call_targets[i], uint64_t{0}, __ATOMIC_RELEASE);
  module->calls_on = 0;
}

void forget_module(Module *module) {
  module->loaded = false;
  unmap_pages(module->call_targets, module->records.count() * sizeof(uint64_t));
  module->call_targets = nullptr;
  module->records.release();
  drop_name_cache(&module->names);
  SideTables &side = module->side;
  unmap_pages(const_cast<struct nophook_args *>(side.args.begin),
              (uint64_t)(side.args.end - side.args.begin) * sizeof(struct nophook_args));
  unmap_pages(reinterpret_cast<void *>(side.prototypes.start),
              side.prototypes.stop - side.prototypes.start);
  side = {};
}

static const SideTables &side_tables(Module *module) {
  if (!module->has_looked_aside) {
    module->has_looked_aside = true;
    module->side = read_side_tables(module);
  }
  return module->side;
}

ArgsRange module_args(Module *module) {
  uint64_t start = points_to(module->note->args_start);
  uint64_t stop = points_to(module->note->args_stop);
  if (start < stop && start >= module->start && stop <= module->end && start % 4 == 0 &&
      (stop - start) % sizeof(struct nophook_args) == 0)
    return {reinterpret_cast<const struct nophook_args *>(start),
            reinterpret_cast<const struct nophook_args *>(stop), 0};
  return side_tables(module).args;
}

TableBounds module_prototypes(Module *module) {
  if (module->prototypes.start)
    return module->prototypes;
  return side_tables(module).prototypes;
}

} // namespace nophook
