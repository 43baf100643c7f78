// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads both tables of a module's sites into one ascending list, and leaves out entries that are no
// sites.

#include "sites/site_tables.h"

#include "arch/arch.h"
#include "base/log.h"
#include "base/mappings.h"
#include "base/sort.h"

#include <errno.h>
#include <fcntl.h>

namespace nophook {

bool is_static_call(const dl_phdr_info *info, const Module *module, uint64_t ip) {
  const nophook_static_calls *calls = module->static_calls;
  if (!calls)
    return false;
  uint64_t target = Arch::call_target(ip);
  uint64_t slot = in_text(module, ip - Arch::kSitePrefixBytes, Arch::kSitePrefixBytes)
                      ? Arch::call_slot(ip)
                      : 0;
  if (slot && is_table(info, slot, slot + sizeof(target), sizeof(target), alignof(uint64_t)))
    target = *reinterpret_cast<const uint64_t *>(slot);
  return target - points_to(calls->code) < calls->code_bytes;
}

namespace {

// The instruction that the module's file has in the place of `ip`; 0 if that cannot be read.
uint64_t insn_in_file(const dl_phdr_info *info, const Module *module, uint64_t ip) {
  uint64_t insn = 0, at = ip - info->dlpi_addr;
  long fd = sys(SYS_openat, AT_FDCWD, module->path, O_RDONLY | O_CLOEXEC);
  for (int i = 0; i < info->dlpi_phnum && !sys_failed(fd); i++) {
    const ElfW(Phdr) &p = info->dlpi_phdr[i];
    if (p.p_type == PT_LOAD && at - p.p_vaddr < p.p_filesz &&
        sys(SYS_pread64, fd, &insn, Arch::kSiteBytes, p.p_offset + (at - p.p_vaddr)) !=
            (long)Arch::kSiteBytes)
      insn = 0;
  }
  if (!sys_failed(fd))
    sys(SYS_close, fd);
  return insn;
}

// A site that another tool has changed: a breakpoint, a uprobe, or what the kernel makes of a
// uprobe that has been hit (Linux 6.18), a call. It may become a NOP again.
bool is_taken_nop(const dl_phdr_info *info, const Module *module, uint64_t ip) {
  uint64_t insn = Arch::read_insn(reinterpret_cast<const uint8_t *>(ip));
  return Arch::is_trapped_nop(insn) ||
         (Arch::is_call_insn(insn) && Arch::is_nop_insn(insn_in_file(info, module, ip)));
}

// Entries of a table that become no records.
struct LeftOut {
  uint64_t bad = 0;        // entries that are no sites
  uint64_t unreadable = 0; // entries whose text the program has unmapped, or has made unreadable
};

// The sites of a module's tables, as distances from the bias.
class SiteReader {
public:
  SiteReader(const dl_phdr_info *info, const Module *module, Array<uint32_t> *offsets)
      : info_(info), module_(module), offsets_(*offsets) {}

  // An entry that names `ip`, a function's start or its site. False without memory.
  [[nodiscard]] bool add(uint64_t ip);
  // Ends the reading, when all have been added: sites in ascending order, each once.
  void finish();

  const LeftOut &left() const { return left_; }

private:
  const dl_phdr_info *info_;
  const Module *module_;
  Array<uint32_t> &offsets_;
  Mappings mappings_;
  LeftOut left_;
};

bool SiteReader::add(uint64_t ip) {
  if (in_text(module_, ip, Arch::kSiteBytes) && !mappings_.can_read(ip, Arch::kSiteBytes)) {
    left_.unreadable++;
    return true;
  }
  if (in_text(module_, ip, Arch::kLandingPadBytes + Arch::kSiteBytes))
    ip += Arch::skip_landing_pad(reinterpret_cast<const uint8_t *>(ip));
  if (!in_text(module_, ip, Arch::kSiteBytes) || ip - module_->bias > UINT32_MAX ||
      (!Arch::is_site_nop(reinterpret_cast<const uint8_t *>(ip)) &&
       !is_static_call(info_, module_, ip) && !is_taken_nop(info_, module_, ip))) {
    left_.bad++;
    return true;
  }
  return offsets_.push((uint32_t)(ip - module_->bias));
}

void SiteReader::finish() {
  sort(offsets_.data(), offsets_.size(), [](uint32_t a, uint32_t b) { return a < b; });
  uint64_t kept = 0;
  for (uint64_t i = 0; i < offsets_.size(); i++)
    if (i == 0 || offsets_[i] != offsets_[kept - 1])
      offsets_[kept++] = offsets_[i];
  offsets_.shrink(kept);
}

// Size of an entry, the same in both tables.
constexpr uint64_t kEntryBytes = sizeof(nophook_site);
static_assert(kEntryBytes == sizeof(uint64_t));

TableBounds addresses_of(const NoteSearch &found) {
  return {points_to(found.note->mcount_start), points_to(found.note->mcount_stop)};
}

TableBounds distances_of(const NoteSearch &found) {
  if (found.note_bytes < sizeof(nophook_note))
    return {};
  return {points_to(found.note->rel_start), points_to(found.note->rel_stop)};
}

bool is_site_table(const dl_phdr_info *info, const TableBounds &bounds) {
  return is_table(info, bounds.start, bounds.stop, kEntryBytes, alignof(uint64_t));
}

// Empties bounds that are no table: those of a link without the linker script, or without sites,
// are 0 or the load base. False: they are damaged.
[[nodiscard]] bool keep_table(const dl_phdr_info *info, const Module *module, TableBounds *bounds) {
  if (is_site_table(info, *bounds))
    return true;
  const bool is_damaged =
      bounds->stop > bounds->start && bounds->start > module->start && bounds->stop <= module->end;
  *bounds = {};
  return !is_damaged;
}

[[nodiscard]] bool add_addresses(const TableBounds &bounds, SiteReader *reader) {
  auto *stop = reinterpret_cast<const uint64_t *>(bounds.stop);
  for (auto *entry = reinterpret_cast<const uint64_t *>(bounds.start); entry < stop; entry++)
    if (!reader->add(*entry))
      return false;
  return true;
}

[[nodiscard]] bool add_distances(const TableBounds &bounds, SiteReader *reader) {
  auto *stop = reinterpret_cast<const nophook_site *>(bounds.stop);
  for (auto *entry = reinterpret_cast<const nophook_site *>(bounds.start); entry < stop; entry++)
    if (!reader->add(reinterpret_cast<uint64_t>(entry) + (uint64_t)(int64_t)entry->distance))
      return false;
  return true;
}

} // namespace

bool has_site_tables(const dl_phdr_info *info, const NoteSearch &found) {
  return is_site_table(info, addresses_of(found)) || is_site_table(info, distances_of(found));
}

Status read_site_tables(const dl_phdr_info *info, const NoteSearch &found, const Module *module,
                        Array<uint32_t> *offsets) {
  TableBounds addresses = addresses_of(found), distances = distances_of(found);
  if (!keep_table(info, module, &addresses) || !keep_table(info, module, &distances)) {
    LogText line;
    log_refusal(line.add(module->path)
                    .add(": not traceable: the bounds of its table in the note are damaged"));
    return {};
  }
  SiteReader reader(info, module, offsets);
  const uint64_t bytes = addresses.stop - addresses.start + distances.stop - distances.start;
  if (!offsets->reserve(bytes / kEntryBytes) || !add_addresses(addresses, &reader) ||
      !add_distances(distances, &reader))
    return failure(ENOMEM, "no memory for a module's table");
  reader.finish();
  auto report = [module](uint64_t count, const char *what) {
    LogText line;
    if (count)
      log_line(line.add(module->path).add(": ").number(count).add(what));
  };
  report(reader.left().bad, " entries of its table are no sites and are left alone");
  report(reader.left().unreadable,
         " functions lie in text that cannot be read, and are left alone");
  return {};
}

} // namespace nophook
