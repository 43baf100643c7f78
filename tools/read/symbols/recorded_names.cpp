// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes and decodes the names. The bytes, in this order: identity, ranges, symbols, types,
// prototypes, and the prototype or line of each site or name. Types and prototypes are referred to
// by number. A type refers only to types in front of it, so no damage makes a circle.

#include "read/symbols/recorded_names.h"

#include "foundation/byte_stream.h"

namespace nophook {

namespace {

constexpr uint32_t kVersion = 1;
constexpr uint32_t kNone = ~0u;

void put_text(ByteWriter &out, std::string_view text) {
  out.put_text(std::string(text));
}

// The number of each item of a deque, whose items are put in their order.
template <class T> std::map<const T *, uint32_t> numbers_of(const std::deque<T> &items) {
  std::map<const T *, uint32_t> numbers = {{nullptr, kNone}};
  for (uint32_t i = 0; i < items.size(); i++)
    numbers[&items[i]] = i;
  return numbers;
}

// The item with the next number. A number without an item gives null.
template <class T> const T *get_item(ByteReader &in, const std::deque<T> &items) {
  uint32_t number = kNone;
  in.get(&number);
  return number < items.size() ? &items[number] : nullptr;
}

} // namespace

const Prototype *RecordedNames::prototype(uint64_t site) const {
  auto found = by_site_.find(site);
  return found == by_site_.end() ? nullptr : found->second;
}

const SourceLine *RecordedNames::line(uint64_t site) const {
  auto found = lines_.find(site);
  return found == lines_.end() ? nullptr : &found->second;
}

const Prototype *RecordedNames::of_import(const std::string &name) const {
  auto found = imports_.find(name);
  return found == imports_.end() ? nullptr : found->second;
}

void RecordedNames::add_symbol(const Symbol &symbol) {
  symbols_.push_back(symbol);
  symbols_.back().name = keep(symbol.name);
}

void RecordedNames::add_prototype(uint64_t site, const Prototype &prototype) {
  by_site_[site] = copy(prototype);
}

void RecordedNames::add_import(const std::string &name, const Prototype &prototype) {
  imports_[name] = copy(prototype);
}

const Type *RecordedNames::copy(const Type *type) {
  if (!type)
    return nullptr;
  if (auto known = copies_.find(type); known != copies_.end())
    return known->second;
  Type result = *type;
  result.name = keep(type->name);
  result.element = copy(type->element);
  for (TypeMember &member : result.members) {
    member.name = keep(member.name);
    member.type = copy(member.type);
  }
  return copies_[type] = &types_.emplace_back(std::move(result));
}

const Prototype *RecordedNames::copy(const Prototype &prototype) {
  auto [known, is_new] = copied_.try_emplace(&prototype);
  if (!is_new)
    return known->second;
  Prototype result = prototype;
  auto own = [&](PlacedValue &value) {
    value.name = keep(value.name);
    value.type = copy(value.type);
  };
  own(result.result);
  for (PlacedValue &parameter : result.parameters)
    own(parameter);
  return known->second = &prototypes_.emplace_back(std::move(result));
}

std::vector<uint8_t> RecordedNames::encode() const {
  ByteWriter out;
  out.put(kVersion);
  out.put_text(path);
  out.put_all(build_id);
  out.put(content);
  out.put((uint32_t)ranges.size());
  for (const auto &[first, last] : ranges) {
    out.put(first);
    out.put(last);
  }
  out.put((uint32_t)symbols_.size());
  for (const Symbol &symbol : symbols_) {
    out.put(symbol.address);
    out.put(symbol.bytes);
    out.put(symbol.rank);
    out.put((uint8_t)symbol.is_ifunc);
    put_text(out, symbol.name);
  }
  const auto types = numbers_of(types_);
  out.put((uint32_t)types_.size());
  for (const Type &type : types_) {
    out.put(type.kind);
    out.put((uint8_t)(type.has_more | type.has_default << 1));
    out.put(type.bytes);
    put_text(out, type.name);
    out.put(types.at(type.element));
    out.put((uint32_t)type.members.size());
    for (const TypeMember &member : type.members) {
      put_text(out, member.name);
      out.put(types.at(member.type));
      out.put(member.value);
      out.put(member.bit);
      out.put(member.bits);
    }
  }
  auto put_value = [&](const PlacedValue &value) {
    put_text(out, value.name);
    out.put(types.at(value.type));
    out.put(value.place);
    out.put_all(value.pieces);
  };
  const auto prototypes = numbers_of(prototypes_);
  out.put((uint32_t)prototypes_.size());
  for (const Prototype &prototype : prototypes_) {
    out.put(prototype.id);
    out.put(prototype.flags);
    put_value(prototype.result);
    out.put((uint32_t)prototype.parameters.size());
    for (const PlacedValue &parameter : prototype.parameters)
      put_value(parameter);
  }
  out.put((uint32_t)by_site_.size());
  for (const auto &[site, prototype] : by_site_) {
    out.put(site);
    out.put(prototypes.at(prototype));
  }
  out.put((uint32_t)imports_.size());
  for (const auto &[name, prototype] : imports_) {
    out.put_text(name);
    out.put(prototypes.at(prototype));
  }
  out.put((uint32_t)lines_.size());
  for (const auto &[site, line] : lines_) {
    out.put(site);
    out.put(line.line);
    out.put_text(line.file);
  }
  return out.take();
}

std::unique_ptr<RecordedNames> RecordedNames::decode(std::span<const uint8_t> bytes) {
  ByteReader in(bytes);
  auto names = std::make_unique<RecordedNames>();
  RecordedNames &n = *names;
  uint32_t version = 0;
  in.get(&version);
  if (version != kVersion)
    return nullptr;
  auto text = [&] {
    std::string read;
    in.get_text(&read);
    return n.keep(read);
  };
  // Calls `read` as often as the next number demands, while there are bytes.
  auto repeat = [&](auto &&read) {
    uint32_t count = 0;
    in.get(&count);
    for (uint32_t i = 0; i < count && in.ok(); i++)
      read();
  };
  in.get_text(&n.path);
  in.get_all(&n.build_id);
  in.get(&n.content);
  repeat([&] {
    auto &[first, last] = n.ranges.emplace_back();
    in.get(&first);
    in.get(&last);
  });
  repeat([&] {
    Symbol symbol = {};
    uint8_t is_ifunc = 0;
    in.get(&symbol.address);
    in.get(&symbol.bytes);
    in.get(&symbol.rank);
    in.get(&is_ifunc);
    symbol.is_ifunc = is_ifunc;
    symbol.name = text();
    n.symbols_.push_back(symbol);
  });
  repeat([&] {
    Type type;
    uint8_t flags = 0;
    in.get(&type.kind);
    in.get(&flags);
    type.kind = type.kind <= NOPHOOK_KIND_VARIANT ? type.kind : NOPHOOK_KIND_OPAQUE;
    type.has_more = flags & 1;
    type.has_default = flags & 2;
    in.get(&type.bytes);
    type.name = text();
    type.element = get_item(in, n.types_);
    repeat([&] {
      TypeMember member;
      member.name = text();
      member.type = get_item(in, n.types_);
      in.get(&member.value);
      in.get(&member.bit);
      in.get(&member.bits);
      type.members.push_back(member);
    });
    n.types_.push_back(std::move(type));
  });
  auto get_value = [&](PlacedValue *value) {
    value->name = text();
    value->type = get_item(in, n.types_);
    in.get(&value->place);
    in.get_all(&value->pieces);
  };
  repeat([&] {
    Prototype prototype;
    in.get(&prototype.id);
    in.get(&prototype.flags);
    get_value(&prototype.result);
    repeat([&] { get_value(&prototype.parameters.emplace_back()); });
    n.prototypes_.push_back(std::move(prototype));
  });
  repeat([&] {
    uint64_t site = 0;
    in.get(&site);
    if (const Prototype *prototype = get_item(in, n.prototypes_))
      n.by_site_[site] = prototype;
  });
  repeat([&] {
    const std::string name(text());
    if (const Prototype *prototype = get_item(in, n.prototypes_))
      n.imports_[name] = prototype;
  });
  repeat([&] {
    uint64_t site = 0;
    SourceLine line;
    in.get(&site);
    in.get(&line.line);
    in.get_text(&line.file);
    line.file = printable(line.file);
    n.lines_[site] = std::move(line);
  });
  return in.ok() ? std::move(names) : nullptr;
}

} // namespace nophook
