// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads modules at the first question about them, and caches the answers.

#include "read/symbols/functions.h"

#include "read/recording/packed.h"
#include "read/symbols/absent_function.h"
#include "read/symbols/module_names.h"
#include "read/symbols/name_index.h"
#include "read/symbols/name_match.h"

#include <nophook/buffer.h>

#include <algorithm>
#include <fmt/format.h>
#include <fnmatch.h>

namespace nophook {

namespace {

constexpr uint64_t kNoModule = 0xffffffff;

// A key: the module's number and the site's address within it, which is below 4 GiB.
uint64_t make_key(uint64_t module, uint32_t offset) {
  return module << 32 | offset;
}

} // namespace

Functions::Functions(const Recording &recording, NameStyle style)
    : packed_(recording.names()), style_(style) {
  for (const auto &[index, process] : recording.processes()) {
    Process &p = processes_[index];
    for (const MapView &map : process.maps)
      p.maps.push_back(map.names.empty() ? Mapped{&map, load(map), {}} : load_calls(map));
    // A library that was unloaded and loaded again has its old ids again: the later module counts.
    std::sort(p.maps.begin(), p.maps.end(), [](const Mapped &a, const Mapped &b) {
      return a.map->first_id != b.map->first_id ? a.map->first_id < b.map->first_id
                                                : a.map < b.map; // in the order of the file
    });
  }
  for (auto &module : modules_)
    if (module->has_calls)
      module->symbols = SymbolTable::of(module->called);
}

Functions::Mapped Functions::load_calls(const MapView &map) {
  auto [at, is_new] =
      by_identity_.try_emplace(map.path + std::string("\0calls", 6), (uint32_t)modules_.size());
  if (is_new) {
    auto module = std::make_unique<Module>();
    module->path = map.path;
    module->base = printable(map.path.substr(map.path.rfind('/') + 1));
    module->has_calls = true;
    modules_.push_back(std::move(module));
  }
  Module &module = *modules_[at->second];
  Mapped mapped = {&map, at->second, {}};
  for (const std::string_view name : map.names) {
    auto [index, is_first] =
        module.called_indexes.try_emplace(std::string(name), (uint32_t)module.called.size());
    if (is_first)
      module.called.emplace_back(name);
    mapped.calls.push_back(index->second);
  }
  return mapped;
}

// The recording's own names of a module. Most recordings are read where they were made, and need
// none of them.
const RecordedNames *Functions::recorded(const MapView &map) {
  if (!recorded_) {
    recorded_.emplace();
    uint64_t bytes = 0; // a damaged recording may have any number of chunks
    for (const Recording::Bytes &payload : packed_) {
      const std::vector<uint8_t> unpacked = unpack_names(*payload);
      bytes += unpacked.size();
      auto names = bytes <= kNamesMaxBytes ? RecordedNames::decode(unpacked) : nullptr;
      if (names)
        recorded_->push_back(std::move(names));
    }
  }
  for (const auto &names : *recorded_)
    if (names->path == map.path && std::ranges::equal(names->build_id, map.build_id))
      return names.get();
  return nullptr;
}

// Loads a module's file. Returns the reason why its names cannot be used, or nothing.
std::string Functions::load_file(const MapView &map, Module *module) {
  auto image = ElfImage::open(map.path);
  if (!image)
    return image.error().problem;
  if (!std::ranges::equal(image->build_id(), map.build_id) && !map.build_id.empty())
    return "it is not the file that was recorded (build-id)";
  if (const RecordedNames *names = map.build_id.empty() ? recorded(map) : nullptr;
      names && names->content && names->content != content_of_file(map.path))
    return "it is not the file that was recorded (content)";
  module->image = std::move(*image);
  module->symbols = SymbolTable::of(*module->image);
  for (const auto &p : module->image->segments())
    if (p.p_type == llvm::ELF::PT_LOAD)
      module->ranges.push_back({p.p_vaddr, p.p_vaddr + p.p_memsz});
  return module->symbols.empty() ? "it has no symbols and no debug file was found" : "";
}

uint32_t Functions::load(const MapView &map) {
  std::string identity = map.path;
  identity += '\0';
  identity.append(map.build_id.begin(), map.build_id.end());
  auto [at, is_new] = by_identity_.try_emplace(identity, (uint32_t)modules_.size());
  if (!is_new)
    return at->second;
  auto module = std::make_unique<Module>();
  module->path = map.path;
  module->base = printable(map.path.substr(map.path.rfind('/') + 1));
  std::string problem = load_file(map, module.get());
  if (!module->symbols.is_whole())
    module->recorded = recorded(map);
  if (const RecordedNames *names = module->recorded) {
    module->symbols.add(names->symbols());
    if (!module->image)
      module->ranges = names->ranges;
  }
  // A module without functions of its own only helps with the names of callers.
  if (module->symbols.empty() && !map.offsets.empty())
    notes_.push_back(fmt::format("{}: no names: {}", printable(map.path), problem));
  modules_.push_back(std::move(module));
  return at->second;
}

const Functions::Mapped *Functions::find(uint32_t process, uint32_t id) {
  Process &p = processes_[process];
  auto holds = [&](const Mapped &m) {
    return id >= m.map->first_id && id - m.map->first_id < m.map->offsets.size();
  };
  auto after = std::upper_bound(p.maps.begin(), p.maps.end(), id,
                                [](uint32_t i, const Mapped &m) { return i < m.map->first_id; });
  while (after != p.maps.begin()) {
    --after;
    if (holds(*after))
      return &*after;
    if (after->map->offsets.size()) // modules without sites share the next one's first id
      break;
  }
  return nullptr;
}

std::string Functions::name_at(Module &module, uint64_t address, bool site) {
  const Symbol *symbol = site ? module.symbols.at_site(address) : module.symbols.covering(address);
  if (!symbol)
    return fmt::format("{}+{:#x}", module.base, address);
  std::string name = styled_name(symbol->name, style_);
  return module.has_calls ? fmt::format("{} [{}]", name, module.base) : name;
}

uint64_t Functions::key(uint32_t process, uint32_t id) {
  const Mapped *mapped = find(process, id);
  if (!mapped)
    return make_key(kNoModule, id);
  return make_key(mapped->module, mapped->places()[id - mapped->map->first_id]);
}

const std::string &Functions::name_of_key(uint64_t key) {
  uint64_t module = key >> 32;
  uint32_t offset = (uint32_t)key;
  if (module >= modules_.size()) {
    auto [at, is_new] = unknown_.try_emplace(key);
    if (is_new)
      at->second = fmt::format("function#{}", offset);
    return at->second;
  }
  auto [at, is_new] = modules_[module]->names.try_emplace(offset);
  if (is_new)
    at->second = name_at(*modules_[module], offset, true);
  return at->second;
}

const std::string &Functions::name(uint32_t process, uint32_t id) {
  if (id >= 1u << NOPHOOK_ID_BITS) // the id of a damaged mark
    return name_of_key(key(process, id));
  Process &p = process_of(process);
  if (id >= p.names.size())
    p.names.resize(id + 1);
  if (!p.names[id])
    p.names[id] = &name_of_key(key(process, id));
  return *p.names[id];
}

const Prototype *Functions::prototype(uint32_t process, uint32_t id) {
  const Mapped *mapped = find(process, id);
  Module *module = mapped ? modules_[mapped->module].get() : nullptr;
  if (module && module->has_calls)
    return prototype_of_call(process, module->called[mapped->calls[id - mapped->map->first_id]]);
  if (!module)
    return nullptr;
  const uint32_t site = mapped->map->offsets[id - mapped->map->first_id];
  if (module->image && !module->prototypes)
    module->prototypes.emplace(*module->image);
  const Prototype *found = module->prototypes ? module->prototypes->at_site(site) : nullptr;
  return !found && module->recorded ? module->recorded->prototype(site) : found;
}

// The prototype of a library's function, by the first object that calls it and knows its type.
const Prototype *Functions::prototype_of_call(uint32_t process, const std::string &name) {
  for (const Mapped &mapped : processes_[process].maps) {
    Module &module = *modules_[mapped.module];
    if (mapped.map->offsets.empty())
      continue;
    if (module.image && !module.prototypes)
      module.prototypes.emplace(*module.image);
    if (const Prototype *found = module.prototypes ? module.prototypes->of_import(name) : nullptr)
      return found;
    if (const Prototype *found = module.recorded ? module.recorded->of_import(name) : nullptr)
      return found;
  }
  return nullptr;
}

const Functions::Mapped *Functions::find_module(uint32_t process, uint64_t address) const {
  auto at = processes_.find(process);
  if (at == processes_.end())
    return nullptr;
  for (const Mapped &mapped : at->second.maps)
    for (const auto &[first, last] : modules_[mapped.module]->ranges)
      if (address - mapped.map->bias >= first && address - mapped.map->bias < last)
        return &mapped;
  return nullptr;
}

const std::string &Functions::caller(uint32_t process, uint64_t return_address) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15; // multiplicative hashing
  LateCaller &late = late_callers_[return_address * kGolden >> (64 - kLateCallersShift)];
  if (!late.name || late.address != return_address || late.process != process)
    late = {return_address, process, &find_caller(process, return_address)};
  return *late.name;
}

const std::string &Functions::find_caller(uint32_t process, uint64_t return_address) {
  Process &p = process_of(process);
  auto [cached, is_new] = p.callers.try_emplace(return_address);
  if (!is_new)
    return *cached->second;
  uint64_t call = return_address - 1; // the call may be the last instruction of its function
  if (const Mapped *mapped = find_module(process, call)) {
    Module &module = *modules_[mapped->module];
    uint64_t address = call - mapped->map->bias;
    auto [at, unnamed] = module.callers.try_emplace(address);
    if (unnamed)
      at->second = name_at(module, address, false);
    return *(cached->second = &at->second);
  }
  // A call stub is in no file. An event there covers it from its landing pad, in front of its site,
  // on.
  constexpr uint64_t kLandingPadBytes = 4, kStubBytes = 16;
  for (const Mapped &mapped : p.maps) {
    const auto &sites = mapped.map->offsets;
    const uint64_t at = return_address - mapped.map->bias + kLandingPadBytes;
    if (mapped.calls.empty() || return_address < mapped.map->bias)
      continue;
    auto after = std::ranges::upper_bound(sites, at);
    if (after != sites.begin() && at - after[-1] < kStubBytes)
      return *(cached->second =
                   &name_of_key(make_key(mapped.module, mapped.calls[after - sites.begin() - 1])));
  }
  auto [at, unnamed] = unknown_.try_emplace(return_address);
  if (unnamed)
    at->second = fmt::format("{:#x}", return_address);
  return *(cached->second = &at->second);
}

uint64_t Functions::address(uint32_t process, uint32_t id) {
  const Mapped *mapped = find(process, id);
  return mapped ? mapped->map->bias + mapped->map->offsets[id - mapped->map->first_id] : 0;
}

std::optional<Functions::Location> Functions::locate(uint32_t process, uint64_t address) {
  const Mapped *mapped = find_module(process, address);
  if (!mapped)
    return std::nullopt;
  address -= mapped->map->bias;
  const Symbol *symbol = modules_[mapped->module]->symbols.covering(address);
  return symbol ? std::optional(Location{address - symbol->address, symbol->bytes}) : std::nullopt;
}

Functions::Module *Functions::module_of_key(uint64_t key) {
  return key >> 32 < modules_.size() ? modules_[key >> 32].get() : nullptr;
}

const std::string &Functions::module_path_of_key(uint64_t key) {
  static const std::string kNone;
  Module *module = module_of_key(key);
  return module ? module->path : kNone;
}

std::string Functions::identity_of_key(uint64_t key) {
  Module *module = module_of_key(key);
  const Symbol *symbol = module ? module->symbols.at_site((uint32_t)key) : nullptr;
  return symbol ? module->base + '\0' + std::string(symbol->name) : name_of_key(key);
}

std::unordered_set<uint64_t> Functions::meant_by(const std::string &typed) {
  TypedName wanted(typed);
  std::unordered_set<uint64_t> meant, seen;
  Means best = Means::kNothing;
  for (const auto &[index, process] : processes_)
    for (const Mapped &mapped : process.maps)
      for (uint32_t offset : mapped.places()) {
        uint64_t key = make_key(mapped.module, offset);
        if (!seen.insert(key).second)
          continue;
        const Symbol *symbol = modules_[mapped.module]->symbols.at_site(offset);
        Means how = wanted.means(FunctionNames(symbol ? symbol->name : name_of_key(key)));
        if (modules_[mapped.module]->has_calls && typed == name_of_key(key)) // "malloc [libc.so.6]"
          how = Means::kName;
        if (how > best)
          meant.clear();
        best = std::max(best, how);
        if (how == best && how != Means::kNothing)
          meant.insert(key);
      }
  return meant;
}

bool Functions::matches(uint64_t key, const std::string &typed) {
  if (key >> 32 >= modules_.size())
    return TypedName(typed).means(FunctionNames(name_of_key(key))) != Means::kNothing;
  return meant(typed).contains(key);
}

bool Functions::is_in(uint64_t key, const std::string &place) {
  auto is_at = [&](const std::string &path) {
    return !path.empty() && (::fnmatch(place.c_str(), path.c_str(), 0) == 0 ||
                             ::fnmatch(("*/" + place).c_str(), path.c_str(), 0) == 0);
  };
  return is_at(module_path_of_key(key)) || is_at(source_of_key(key).file);
}

const std::unordered_set<uint64_t> &Functions::meant(const std::string &typed) {
  auto known = meant_.find(typed);
  if (known == meant_.end())
    known = meant_.emplace(typed, meant_by(typed)).first;
  return known->second;
}

std::string Functions::absence(const std::string &typed) {
  if (!meant(typed).empty())
    return "";
  for (const auto &module : modules_)
    if (std::string note = module->image ? inlined_note(*module->image, typed) : ""; !note.empty())
      return note;
  std::vector<std::string> names;
  for (const auto &[index, process] : processes_)
    for (const Mapped &mapped : process.maps)
      for (uint32_t offset : mapped.places())
        names.push_back(name_of_key(make_key(mapped.module, offset)));
  return nearest_note(nearest_names(names, typed));
}

bool Functions::caller_matches(uint32_t process, uint64_t return_address,
                               const std::string &typed) {
  const Mapped *mapped = find_module(process, return_address - 1);
  if (!mapped)
    return false;
  const Symbol *symbol =
      modules_[mapped->module]->symbols.covering(return_address - 1 - mapped->map->bias);
  return symbol && TypedName(typed).means(FunctionNames(symbol->name)) != Means::kNothing;
}

const SourceLine &Functions::source_of_key(uint64_t key) {
  static const SourceLine kNone;
  Module *module = module_of_key(key);
  if (!module)
    return kNone;
  if (module->image && !module->lines)
    module->lines.emplace(*module->image);
  const SourceLine &line = module->lines ? module->lines->at((uint32_t)key) : kNone;
  const SourceLine *kept =
      line.file.empty() && module->recorded ? module->recorded->line((uint32_t)key) : nullptr;
  return kept ? *kept : line;
}

} // namespace nophook
