// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plan.h"
#include "nophook/site.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

#include <map>
#include <tuple>

namespace nophook::recordmcount {
namespace {

using llvm::Error;
using llvm::Expected;
namespace ELF = llvm::ELF;

bool is_code(const Elf::Shdr &section) {
  return section.sh_type == ELF::SHT_PROGBITS && section.sh_flags & ELF::SHF_EXECINSTR;
}

class Planner {
public:
  Planner(const Object &object, const Functions &functions, PlanOptions options)
      : object_(object), functions_(functions), options_(options), machine_(object.machine()) {}

  Expected<Plan> run();

private:
  using Place = std::pair<uint32_t, uint64_t>; // section, offset

  void find_names();
  Error find_calls(uint32_t relocation_section);
  Error read_table(uint32_t table);
  Expected<Place> entry_target(uint32_t table, const Elf::Rela &relocation) const;
  Expected<SiteForm> entry_form(Place target, bool may_be_in_front) const;
  bool is_entry(Place place) const;
  bool links_well(uint32_t table, const std::vector<Place> &targets) const;
  void take(uint32_t section, const SiteForm &form);
  void patch(uint32_t section, const SiteForm &form);
  void keep(uint32_t section, SiteForm form, const Elf::Rela &relocation);
  void neutralise(const Elf::Rela &relocation);
  Error place_error(Place place, Error error) const;
  Error finish();

  const Object &object_;
  const Functions &functions_;
  const PlanOptions options_;
  const Machine &machine_;
  Plan plan_;
  std::map<uint32_t, llvm::StringRef> mcount_symbols_;
  std::vector<uint32_t> tables_;
  std::map<Place, uint64_t> calls_; // offset of the instruction, and of the site -> site
  std::map<Place, uint64_t> taken_; // begin -> end of the bytes of a site
  std::map<uint32_t, uint32_t> table_relocations_;
};

void Planner::find_names() {
  for (uint32_t i = 1; i < object_.symbols().size(); i++)
    if (llvm::StringRef name = object_.symbol_name(object_.symbols()[i]); is_mcount(name))
      mcount_symbols_.emplace(i, name);
  for (uint32_t i = 1; i < object_.sections().size(); i++) {
    const Elf::Shdr &section = object_.sections()[i];
    const llvm::StringRef name = object_.name(i);
    if (section.sh_type == ELF::SHT_PROGBITS && section.sh_size &&
        (name == NOPHOOK_MCOUNT_SECTION || name == NOPHOOK_PFE_SECTION ||
         name == NOPHOOK_ADDRESSES_SECTION))
      tables_.push_back(i);
    if (section.sh_type == ELF::SHT_RELA)
      table_relocations_.emplace(section.sh_info, i);
  }
}

Error Planner::place_error(Place place, Error error) const {
  return error_in(llvm::Twine(object_.name(place.first)) + "+0x" +
                      llvm::Twine::utohexstr(place.second),
                  llvm::toString(std::move(error)));
}

void Planner::take(uint32_t section, const SiteForm &form) {
  const uint64_t begin = form.bytes.empty() ? form.site : form.start;
  uint64_t &end = taken_[{section, begin}];
  end = std::max({end, begin + form.bytes.size(), form.site + machine_.site_bytes});
}

void Planner::patch(uint32_t section, const SiteForm &form) {
  if (!form.bytes.empty())
    plan_.patches.push_back({object_.sections()[section].sh_offset + form.start, form.bytes});
}

// Keeps a call. It stays unchanged, unless it moves to its function's entry, with its relocation.
void Planner::keep(uint32_t section, SiteForm form, const Elf::Rela &relocation) {
  if (!form.moved)
    return;
  form.bytes = form.kept;
  patch(section, form);
  Patch place;
  place.file_offset = reinterpret_cast<const char *>(&relocation.r_offset) - object_.image().data();
  place.bytes.resize(sizeof(uint64_t));
  llvm::support::endian::write64le(place.bytes.data(), relocation.r_offset - form.moved);
  plan_.patches.push_back(place);
}

// Makes a relocation empty. It stays where it is.
void Planner::neutralise(const Elf::Rela &relocation) {
  Patch none;
  none.file_offset = reinterpret_cast<const char *>(&relocation.r_info) - object_.image().data();
  none.bytes.resize(sizeof relocation.r_info + sizeof relocation.r_addend, 0);
  plan_.patches.push_back(none);
}

Error Planner::find_calls(uint32_t relocation_section) {
  const uint32_t section = object_.sections()[relocation_section].sh_info;
  if (mcount_symbols_.empty() || !is_code(object_.sections()[section]))
    return Error::success();
  for (const Elf::Rela &relocation : object_.relocations(relocation_section)) {
    auto symbol = mcount_symbols_.find(relocation.getSymbol(false));
    if (symbol == mcount_symbols_.end())
      continue;
    Expected<SiteForm> form = machine_.call_as_nop(object_.contents(section), relocation);
    if (!form)
      return place_error({section, relocation.r_offset},
                         error_in(symbol->second, llvm::toString(form.takeError())));
    if (!machine_.may_call_at_entry && is_entry({section, form->site}))
      return place_error(
          {section, form->site},
          error_in(symbol->second, "is called at the entry, where the return address is lost"));
    calls_.emplace(Place(section, form->start), form->site);
    calls_.emplace(Place(section, form->site), form->site);
    if (form->moved) // a compiler's own table has its former place
      calls_.emplace(Place(section, form->from), form->site);
    plan_.sites.push_back({section, form->site, symbol->second, true});
    take(section, *form);
    if (options_.keep_calls) {
      keep(section, *form, relocation);
      continue;
    }
    patch(section, *form);
    neutralise(relocation);
  }
  return Error::success();
}

Expected<Planner::Place> Planner::entry_target(uint32_t table, const Elf::Rela &relocation) const {
  const uint32_t symbol = relocation.getSymbol(false);
  const uint32_t section = object_.section_of(symbol);
  if (relocation.getType(false) != machine_.relocations.absolute || !section ||
      !is_code(object_.sections()[section]))
    return place_error({table, relocation.r_offset},
                       llvm::createStringError("the entry points at no code of this object"));
  const uint64_t offset = object_.symbols()[symbol].st_value + relocation.r_addend;
  if (offset >= object_.sections()[section].sh_size)
    return place_error({table, relocation.r_offset},
                       llvm::createStringError("the entry points behind its section"));
  return Place(section, offset);
}

bool Planner::is_entry(Place place) const {
  const Function *function = functions_.around(place.first, place.second);
  return function &&
         place.second <= entry_of(machine_, object_.contents(place.first), function->start);
}

// The site that an entry of a table stands for. With -fpatchable-function-entry=N,M, the entry
// points at the first of the M NOPs in front of the function, which a caller never runs. The site
// is the first NOP behind the function's label.
Expected<SiteForm> Planner::entry_form(Place target, bool may_be_in_front) const {
  const Bytes code = object_.contents(target.first);
  uint64_t offset = target.second;
  const Function *next = functions_.after(target.first, offset);
  if (may_be_in_front && next && !functions_.at(target.first, offset)) {
    uint64_t at = offset;
    while (uint64_t bytes = at < next->start ? machine_.nop_bytes(code, at) : 0)
      at += bytes;
    if (at == next->start)
      offset = entry_of(machine_, code, at);
  }
  Expected<SiteForm> form = machine_.nops_as_site(code, offset);
  if (!form)
    return place_error({target.first, offset}, form.takeError());
  return form;
}

// Whether a linker keeps exactly the entries whose functions it keeps, and can relocate them.
bool Planner::links_well(uint32_t table, const std::vector<Place> &targets) const {
  const Elf::Shdr &header = object_.sections()[table];
  constexpr uint64_t kFlags = ELF::SHF_ALLOC | ELF::SHF_WRITE | ELF::SHF_LINK_ORDER;
  return (header.sh_flags & kFlags) == kFlags && llvm::all_of(targets, [&](Place target) {
           return target.first == header.sh_link &&
                  object_.group_of(table) == object_.group_of(target.first);
         });
}

Error Planner::read_table(uint32_t table) {
  auto relocation_section = table_relocations_.find(table);
  const uint64_t entries = object_.sections()[table].sh_size / sizeof(uint64_t);
  if (relocation_section == table_relocations_.end() ||
      object_.relocations(relocation_section->second).size() != entries ||
      object_.sections()[table].sh_size % sizeof(uint64_t))
    return error_in(object_.place(table), "has entries without a relocation");
  std::vector<Place> targets;
  std::vector<Site> sites;
  bool stays = true;
  for (const Elf::Rela &relocation : object_.relocations(relocation_section->second)) {
    Expected<Place> target = entry_target(table, relocation);
    if (!target)
      return target.takeError();
    targets.push_back(*target);
    if (auto call = calls_.find(*target); call != calls_.end()) {
      sites.push_back({target->first, call->second, object_.name(table), false});
      stays &= call->second == target->second;
      continue;
    }
    Expected<SiteForm> form = entry_form(*target, object_.name(table) == NOPHOOK_PFE_SECTION);
    if (!form)
      return form.takeError();
    take(target->first, *form);
    patch(target->first, *form);
    sites.push_back({target->first, form->site, object_.name(table), false});
    stays &= form->site == target->second;
  }
  if (!stays || !links_well(table, targets)) {
    plan_.emptied.push_back(table);
    plan_.emptied.push_back(relocation_section->second);
    plan_.repaired_tables++;
    for (Site &site : sites)
      site.is_new = true;
  }
  llvm::append_range(plan_.sites, sites);
  return Error::success();
}

Error Planner::finish() {
  for (auto next = taken_.begin(), one = next; next != taken_.end(); one = next)
    if (++next != taken_.end() && next->first.first == one->first.first &&
        next->first.second < one->second)
      return place_error(next->first,
                         llvm::createStringError("overlaps with the site in front of it"));
  // If two entries are for one place, the recorded one comes first, and the other one is removed.
  auto order = [](const Site &a, const Site &b) {
    return std::tuple(a.section, a.offset, a.is_new) < std::tuple(b.section, b.offset, b.is_new);
  };
  llvm::sort(plan_.sites, order);
  plan_.sites.erase(llvm::unique(plan_.sites,
                                 [](const Site &a, const Site &b) {
                                   return a.section == b.section && a.offset == b.offset;
                                 }),
                    plan_.sites.end());
  for (const Site &site : plan_.sites) {
    if (!site.is_new)
      continue;
    if (plan_.tables.empty() || plan_.tables.back().section != site.section)
      plan_.tables.push_back({site.section, {}});
    plan_.tables.back().sites.push_back(site.offset);
  }
  return Error::success();
}

Expected<Plan> Planner::run() {
  find_names();
  if (mcount_symbols_.empty() && tables_.empty())
    return std::move(plan_);
  for (uint32_t i = 1; i < object_.sections().size(); i++)
    if (object_.sections()[i].sh_type == ELF::SHT_RELA)
      if (Error error = find_calls(i))
        return error;
  for (uint32_t table : tables_)
    if (Error error = read_table(table))
      return error;
  if (Error error = finish())
    return error;
  return std::move(plan_);
}

} // namespace

Expected<Plan> make_plan(const Object &object, const Functions &functions, PlanOptions options) {
  return Planner(object, functions, options).run();
}

} // namespace nophook::recordmcount
