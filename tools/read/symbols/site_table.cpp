// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads both tables, and applies the relocations of the one with addresses.

#include "read/symbols/site_table.h"

#include "machine/machine.h"

#include <nophook/site.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace nophook {

using namespace llvm::ELF;

namespace {

struct Range {
  uint64_t start = 0, stop = 0;
  uint64_t bytes() const { return stop - start; }
};

// Whether a table is absent: bounds of 0 are those of a link without the linker script, and no
// damage.
bool is_absent(const Range &range) {
  return range.start == range.stop || (range.start == 0 && range.stop == 0);
}

// The bounds of the two tables of sites.
struct Bounds {
  Range addresses, distances;
};

// The bounds that two fields of the note give, the first one at `offset`.
Range range_at(const ElfImage::Note &note, size_t offset) {
  int64_t field[2];
  if (note.descriptor.size() < offset + sizeof field)
    return {};
  std::memcpy(field, note.descriptor.data() + offset, sizeof field);
  if (field[0] == 0)
    return {};
  const uint64_t address = note.address + offset;
  return {address + (uint64_t)field[0], address + 8 + (uint64_t)field[1]};
}

std::optional<Bounds> read_note(const ElfImage &image) {
  auto note = image.note(NOPHOOK_NOTE_NAME, NOPHOOK_NOTE_TYPE);
  if (!note || note->descriptor.size() < NOPHOOK_NOTE_MIN_BYTES)
    return std::nullopt;
  return Bounds{range_at(*note, offsetof(nophook_note, mcount_start)),
                range_at(*note, offsetof(nophook_note, rel_start))};
}

constexpr uint64_t kEntryBytes = sizeof(nophook_site);
static_assert(kEntryBytes == sizeof(uint64_t)); // the same in both tables

bool is_table(const ElfImage &image, const Range &range) {
  return range.start < range.stop && range.bytes() % kEntryBytes == 0 &&
         image.in_segment(range.start, range.bytes(), PF_R);
}

// The damage of a table; empty: none.
std::string damage_of(const ElfImage &image, const Range &range) {
  if (is_absent(range))
    return "";
  if (!is_table(image, range))
    return "note: the bounds of the table are outside of the file's segments";
  if (range.bytes() > image.elf().getBufSize())
    return "note: the table is larger than the file";
  return "";
}

// The addresses of the dynamic symbols, for relocations that name one.
uint64_t symbol_value(const ElfImage &image, uint32_t index) {
  for (const auto &entry : image.dynamic())
    if (entry.d_tag == DT_SYMTAB) {
      auto bytes = image.at(entry.getPtr() + (uint64_t)index * sizeof(ElfFile::Elf_Sym),
                            sizeof(ElfFile::Elf_Sym));
      if (bytes.empty())
        return 0;
      ElfFile::Elf_Sym symbol;
      std::memcpy(&symbol, bytes.data(), sizeof symbol);
      return symbol.st_value;
    }
  return 0;
}

class Addresses {
public:
  Addresses(const ElfImage &image, const Range &range) : range_(range) {
    auto bytes = image.at(range.start, range.bytes());
    entries_.resize(range.bytes() / 8);
    if (!bytes.empty())
      std::memcpy(entries_.data(), bytes.data(), bytes.size());
    apply_rela(image);
    // RELR adds the load base to the value in place, which on disk is the address already.
  }
  const std::vector<uint64_t> &entries() const { return entries_; }

private:
  void apply_rela(const ElfImage &image) {
    const Machine *machine = find_machine(image.machine());
    if (!machine)
      return;
    auto bytes = image.dynamic_table(DT_RELA, DT_RELASZ);
    for (; bytes.size() >= sizeof(ElfFile::Elf_Rela);
         bytes = bytes.subspan(sizeof(ElfFile::Elf_Rela))) {
      ElfFile::Elf_Rela rela;
      std::memcpy(&rela, bytes.data(), sizeof rela);
      uint64_t offset = rela.r_offset;
      if (offset < range_.start || offset >= range_.stop || (offset - range_.start) % 8)
        continue;
      uint32_t type = rela.getType(false);
      uint64_t value = (uint64_t)rela.r_addend;
      if (type == machine->relocations.absolute)
        value += symbol_value(image, rela.getSymbol(false));
      else if (type != machine->relocations.relative)
        continue;
      entries_[(offset - range_.start) / 8] = value;
    }
  }

  Range range_;
  std::vector<uint64_t> entries_;
};

// Adds addresses from distances, each of which counts from its own place.
void add_distances(const ElfImage &image, const Range &range, std::vector<uint64_t> *addresses) {
  auto bytes = image.at(range.start, range.bytes());
  for (uint64_t at = range.start; bytes.size() >= sizeof(nophook_site);
       bytes = bytes.subspan(sizeof(nophook_site)), at += sizeof(nophook_site)) {
    nophook_site site;
    std::memcpy(&site, bytes.data(), sizeof site);
    addresses->push_back(at + (uint64_t)(int64_t)site.distance);
  }
}

bool is_site(const ElfImage &image, const Machine &machine, uint64_t address) {
  const auto code = image.in_segment(address, machine.site_bytes, PF_X)
                        ? image.at(address, machine.site_bytes)
                        : std::span<const uint8_t>();
  return machine.is_site({code.data(), code.size()}, address);
}

constexpr uint64_t kMostPadBytes = 4; // longest landing pad of any CPU

// Skips a landing pad. Some compilers record the function's start: then the site is behind the pad.
uint64_t skip_landing_pad(const ElfImage &image, const Machine &machine, uint64_t address) {
  const auto code = image.at(address, kMostPadBytes);
  return address + machine.pad_before_site({code.data(), code.size()});
}

void read_descriptors(const TableBytes &source, SiteTable *table) {
  auto bytes = source.bytes;
  for (uint64_t at = source.address; bytes.size() >= sizeof(nophook_args);
       bytes = bytes.subspan(sizeof(nophook_args)), at += sizeof(nophook_args)) {
    nophook_args args;
    std::memcpy(&args, bytes.data(), sizeof args);
    if (NOPHOOK_ARGS_CALL_VERSION(args.call) != NOPHOOK_ARGS_VERSION)
      continue;
    uint64_t start = at + (uint64_t)(int64_t)args.pc;
    auto site =
        std::lower_bound(table->sites.begin(), table->sites.end(), start,
                         [](const Site &s, uint64_t address) { return s.address < address; });
    if (site == table->sites.end() || site->address - start >= args.size)
      continue;
    site->start = start;
    site->how = (uint8_t)NOPHOOK_ARGS_HOW(args.call);
    site->reason = (uint8_t)NOPHOOK_ARGS_REASON(args.call);
    site->prototype = args.prototype;
    site->stack_bytes = NOPHOOK_ARGS_STACK_BYTES(args.call);
    if (site->how > NOPHOOK_CALL_COPY || site->stack_bytes > NOPHOOK_COPY_MAX_BYTES ||
        site->reason > NOPHOOK_REASON_LAST) {
      *site = {site->address, site->address};
      table->damage =
          fmt::format("{}: the descriptor at {:#x} is damaged", NOPHOOK_ARGS_SECTION, at);
    }
  }
}

} // namespace

bool has_sites(const ElfImage &image) {
  auto bounds = read_note(image);
  return bounds && (is_table(image, bounds->addresses) || is_table(image, bounds->distances));
}

SiteTable read_sites(const ElfImage &image, const DescriptorTables &descriptors) {
  SiteTable table;
  auto bounds = read_note(image);
  table.has_note = bounds.has_value();
  if (!bounds)
    return table;
  for (const Range &range : {bounds->addresses, bounds->distances})
    if (table.damage = damage_of(image, range); !table.damage.empty())
      return table;
  std::vector<uint64_t> addresses;
  if (!is_absent(bounds->addresses))
    addresses = Addresses(image, bounds->addresses).entries();
  if (!is_absent(bounds->distances))
    add_distances(image, bounds->distances, &addresses);
  if (addresses.empty())
    return table;
  const Machine *machine = find_machine(image.machine());
  if (!machine)
    return table;
  for (uint64_t &address : addresses)
    address = skip_landing_pad(image, *machine, address);
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  for (uint64_t address : addresses)
    if (is_site(image, *machine, address)) {
      Site site;
      site.address = site.start = address;
      table.sites.push_back(site);
    } else {
      table.bad_entries++;
    }
  table.damage = descriptors.damage;
  if (descriptors.args.bytes.size() % sizeof(nophook_args))
    table.damage = "the table of descriptors ends within a descriptor";
  else
    read_descriptors(descriptors.args, &table);
  return table;
}

const char *reason_text(const Site &site) {
  static constexpr const char *kReasons[] = {
      "no reason given",          "variadic",           "pops its arguments",       "returns twice",
      "reads its return address", "calling convention", "too many stack arguments", "no descriptor",
      "site behind the prologue", "code not understood"};
  static_assert(std::size(kReasons) == NOPHOOK_REASON_LAST + 1);
  return kReasons[site.reason];
}

std::string how_text(const Site &site) {
  switch (site.how) {
  case NOPHOOK_CALL_THROUGH:
    return "call-through";
  case NOPHOOK_CALL_COPY:
    return fmt::format("call-through, copies {} bytes", site.stack_bytes);
  default:
    return fmt::format("entry only: {}", reason_text(site));
  }
}

} // namespace nophook
