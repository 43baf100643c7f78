// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/die_type.h"

#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"

namespace nophook::analysis {

using llvm::DWARFDie;
using llvm::StringRef;
namespace dwarf = llvm::dwarf;

static_assert(IsDebugType<DieType>);

DWARFDie type_of(DWARFDie die) {
  return die.getAttributeValueAsReferencedDie(dwarf::DW_AT_type);
}

llvm::SmallVector<DWARFDie, 8> formal_parameters(DWARFDie function) {
  llvm::SmallVector<DWARFDie, 8> result;
  for (DWARFDie child : function.children()) {
    if (child.getTag() == dwarf::DW_TAG_formal_parameter)
      result.push_back(child);
    if (child.getTag() == dwarf::DW_TAG_GNU_formal_parameter_pack)
      for (DWARFDie member : child.children())
        if (member.getTag() == dwarf::DW_TAG_formal_parameter)
          result.push_back(member);
  }
  return result;
}

StringRef name_of(DWARFDie die) {
  const char *name = dwarf::toString(die.find(dwarf::DW_AT_name), nullptr);
  return name ? name : "";
}

uint64_t number_of(DWARFDie die, dwarf::Attribute attribute, uint64_t otherwise) {
  return dwarf::toUnsigned(die.find(attribute), otherwise);
}

namespace {

bool is_class(unsigned tag) {
  return tag == dwarf::DW_TAG_structure_type || tag == dwarf::DW_TAG_class_type ||
         tag == dwarf::DW_TAG_union_type;
}

// The DIE with a type's name and scope: for a nested class that is defined elsewhere, its
// declaration.
DWARFDie declaration_of(DWARFDie die) {
  const DWARFDie other = die.getAttributeValueAsReferencedDie(dwarf::DW_AT_specification);
  return other ? other : die;
}

// The name of a Rust type without its allocator, which is nearly always this one.
std::string without_allocator(StringRef name) {
  static constexpr StringRef kAllocator = ", alloc::alloc::Global";
  std::string text = name.str();
  for (size_t at; (at = text.find(kAllocator.data(), 0, kAllocator.size())) != std::string::npos;)
    text.erase(at, kAllocator.size());
  return text;
}

// The first bit of a field of a field.
std::optional<uint64_t> bit_of_path(DWARFDie type, std::initializer_list<StringRef> path) {
  uint64_t bits = 0;
  for (const StringRef name : path) {
    DWARFDie found;
    for (DWARFDie child : type.children())
      if (child.getTag() == dwarf::DW_TAG_member && name_of(child) == name)
        found = child;
    const std::optional<uint64_t> bit = found ? bit_of(found, 0) : std::nullopt;
    if (!bit)
      return std::nullopt;
    bits += *bit;
    type = type_of(found);
  }
  return bits;
}

// The identifier of a Rust text, if its layout is the expected one: the compiler may choose
// another.
StringRef rust_text(DWARFDie die, StringRef name) {
  if ((name == "&str" || name == "&mut str") && bit_of_path(die, {"data_ptr"}) == 0 &&
      bit_of_path(die, {"length"}) == 64)
    return "rust &str";
  const bool is_string = name == "String" && number_of(die, dwarf::DW_AT_byte_size, 0) == 24 &&
                         bit_of_path(die, {"vec", "buf", "inner", "ptr"}) == 64 &&
                         bit_of_path(die, {"vec", "len"}) == 128;
  return is_string ? "rust String" : "";
}

// The name of an integer as clang has it, for gcc's name, also among the arguments of a template.
std::string as_clang_spells(StringRef name) {
  static constexpr std::pair<StringRef, StringRef> kSpellings[] = {
      {"long long unsigned int", "unsigned long long"},
      {"long unsigned int", "unsigned long"},
      {"short unsigned int", "unsigned short"},
      {"long long int", "long long"},
      {"long int", "long"},
      {"short int", "short"},
      {"__int128 unsigned", "unsigned __int128"}};
  std::string text = name.str();
  if (!name.contains("int"))
    return text;
  for (const auto &[gcc, clang] : kSpellings)
    for (size_t at = 0; (at = text.find(gcc.data(), at, gcc.size())) != std::string::npos;)
      text.replace(at, gcc.size(), clang.data(), clang.size());
  return text;
}

// The byte at which a member begins. DWARF 2 has an expression for it.
std::optional<uint64_t> byte_at(const std::optional<llvm::DWARFFormValue> &location) {
  if (!location)
    return 0;
  const auto block = location->getAsBlock();
  if (!block)
    return location->getAsUnsignedConstant();
  if (block->size() < 2 || block->front() != dwarf::DW_OP_plus_uconst)
    return std::nullopt;
  unsigned bytes = 0;
  const char *problem = nullptr;
  const uint64_t value = llvm::decodeULEB128(block->begin() + 1, &bytes, block->end(), &problem);
  return problem || bytes + 1 != block->size() ? std::nullopt : std::optional(value);
}

} // namespace

std::optional<uint64_t> bit_of(DWARFDie member, uint64_t bits) {
  if (const auto at = member.find(dwarf::DW_AT_data_bit_offset))
    return dwarf::toUnsigned(at);
  const std::optional<uint64_t> byte = byte_at(member.find(dwarf::DW_AT_data_member_location));
  if (!byte || *byte > UINT32_MAX)
    return std::nullopt; // an expression: a virtual base
  const auto from_top = dwarf::toUnsigned(member.find(dwarf::DW_AT_bit_offset));
  if (!bits || !from_top)
    return *byte * 8;
  // DWARF 3 counts from the highest bit of a storage unit.
  const uint64_t unit =
      number_of(member, dwarf::DW_AT_byte_size, without_names(DieType(type_of(member))).bytes());
  return *byte * 8 + unit * 8 - *from_top - bits;
}

unsigned DieType::encoding() const {
  return number_of(die_, dwarf::DW_AT_encoding, 0);
}

std::string DieType::name() const {
  const StringRef own = name_of(declaration_of(die_));
  if (own.contains("alloc::Global"))
    return without_allocator(own);
  if (tag() != dwarf::DW_TAG_base_type)
    return own.contains('<') ? as_clang_spells(own) : own.str();
  return own == "_Float128" ? "__float128" : as_clang_spells(own);
}

std::string DieType::scope() const {
  std::string text;
  DWARFDie scope = declaration_of(die_).getParent();
  for (unsigned depth = 0; scope && depth < kDeepestType; depth++) {
    if (scope.getTag() != dwarf::DW_TAG_namespace && !is_class(scope.getTag()))
      break;
    const StringRef name = name_of(declaration_of(scope));
    // An inline namespace belongs to the ABI: std::__cxx11::string.
    const bool is_inline = scope.getTag() == dwarf::DW_TAG_namespace &&
                           scope.find(dwarf::DW_AT_export_symbols) && !name.empty();
    if (!is_inline)
      text = (name.empty() ? "(anonymous)" : as_clang_spells(name)) + "::" + text;
    scope = declaration_of(scope).getParent();
  }
  return text;
}

DieType DieType::base() const {
  return type_of(die_);
}

DieType DieType::class_type() const {
  return die_.getAttributeValueAsReferencedDie(dwarf::DW_AT_containing_type);
}

bool DieType::is_vector() const {
  return die_.find(dwarf::DW_AT_GNU_vector).has_value();
}

// Whether a type is only declared. A type of -fdebug-types-section is elsewhere, and has no size
// here.
bool DieType::is_declaration() const {
  return die_.find(dwarf::DW_AT_declaration) ||
         (is_class(tag()) && !die_.find(dwarf::DW_AT_byte_size));
}

llvm::SmallVector<int64_t, 2> DieType::bounds() const {
  llvm::SmallVector<int64_t, 2> result;
  for (DWARFDie range : die_.children()) {
    if (range.getTag() != dwarf::DW_TAG_subrange_type)
      continue;
    const auto count = dwarf::toUnsigned(range.find(dwarf::DW_AT_count));
    const auto last = dwarf::toUnsigned(range.find(dwarf::DW_AT_upper_bound));
    const uint64_t items = count ? *count : last ? *last + 1 : UINT64_MAX;
    result.push_back(items <= UINT32_MAX ? int64_t(items) : -1);
  }
  return result;
}

uint64_t DieType::bytes(unsigned depth) const {
  const auto own = dwarf::toUnsigned(die_.find(dwarf::DW_AT_byte_size));
  if (own || depth > kDeepestType)
    return own.value_or(0);
  switch (tag()) {
  case dwarf::DW_TAG_pointer_type:
  case dwarf::DW_TAG_reference_type:
  case dwarf::DW_TAG_rvalue_reference_type:
  case dwarf::DW_TAG_unspecified_type: // decltype(nullptr)
    return 8;
  case dwarf::DW_TAG_ptr_to_member_type: {
    const DieType to = without_names(base());
    return to && to.tag() == dwarf::DW_TAG_subroutine_type ? 16 : 8;
  }
  case dwarf::DW_TAG_array_type: {
    const DieType element = without_names(base());
    uint64_t bytes = element ? element.bytes(depth + 1) : 0;
    for (const int64_t count : bounds())
      bytes = llvm::SaturatingMultiply(bytes, uint64_t(std::max<int64_t>(count, 0)));
    return bytes;
  }
  default:
    return 0;
  }
}

llvm::SmallVector<DieType, 8> DieType::parameters() const {
  llvm::SmallVector<DieType, 8> result;
  for (DWARFDie parameter : formal_parameters(die_))
    result.push_back(type_of(parameter));
  return result;
}

bool DieType::is_variadic() const {
  for (DWARFDie child : die_.children())
    if (child.getTag() == dwarf::DW_TAG_unspecified_parameters)
      return true;
  return false;
}

DebugMembers<DieType> DieType::members(unsigned limit) const {
  DebugMembers<DieType> result;
  for (DWARFDie child : die_.children()) {
    const bool is_base = child.getTag() == dwarf::DW_TAG_inheritance;
    if (!is_base && child.getTag() != dwarf::DW_TAG_member)
      continue;
    if (child.find({dwarf::DW_AT_external, dwarf::DW_AT_declaration}))
      continue; // a static member
    const uint64_t bits = number_of(child, dwarf::DW_AT_bit_size, 0);
    const std::optional<uint64_t> bit = bit_of(child, bits);
    if (!bit || child.find(dwarf::DW_AT_artificial) ||
        number_of(child, dwarf::DW_AT_virtuality, 0)) { // vptr, virtual bases
      result.has_hidden = true;
      continue;
    }
    if (result.fixed.size() == limit) {
      result.has_more = true;
      break;
    }
    result.fixed.push_back(
        {is_base ? std::string() : name_of(child).str(), type_of(child), *bit, bits, is_base});
  }
  return result;
}

std::optional<DebugVariants<DieType>> DieType::variants(unsigned limit) const {
  DWARFDie part;
  for (DWARFDie child : die_.children())
    if (child.getTag() == dwarf::DW_TAG_variant_part)
      part = child;
  if (!part)
    return std::nullopt;
  DebugVariants<DieType> result;
  const DWARFDie number = part.getAttributeValueAsReferencedDie(dwarf::DW_AT_discr);
  result.number_type = number ? type_of(number) : DWARFDie();
  result.number_bit = number ? bit_of(number, 0).value_or(0) : 0;
  std::optional<DebugVariants<DieType>::Case> otherwise;
  for (DWARFDie variant : part.children()) {
    const auto value = variant.find(dwarf::DW_AT_discr_value);
    for (DWARFDie member : variant.children()) {
      const std::optional<uint64_t> bit = bit_of(member, 0);
      if (variant.getTag() != dwarf::DW_TAG_variant || member.getTag() != dwarf::DW_TAG_member ||
          !bit || result.cases.size() >= limit)
        continue;
      std::optional<uint64_t> number_of_case;
      if (value)
        number_of_case = dwarf::toUnsigned(value, uint64_t(dwarf::toSigned(value, 0)));
      DebugVariants<DieType>::Case one = {name_of(member).str(), number_of_case, type_of(member),
                                          *bit};
      if (one.number)
        result.cases.push_back(std::move(one));
      else
        otherwise = std::move(one);
    }
  }
  if (otherwise)
    result.cases.push_back(std::move(*otherwise));
  return result;
}

llvm::SmallVector<DebugEnumerator, 8> DieType::enumerators(unsigned limit) const {
  llvm::SmallVector<DebugEnumerator, 8> result;
  for (DWARFDie child : die_.children()) {
    if (child.getTag() != dwarf::DW_TAG_enumerator || result.size() == limit)
      continue;
    const auto value = child.find(dwarf::DW_AT_const_value);
    const auto number = dwarf::toUnsigned(value); // all forms but the signed one
    result.push_back({name_of(child), number ? *number : uint64_t(dwarf::toSigned(value, 0))});
  }
  return result;
}

// The identifier of a class that readers know. DWARF has plain names, not mangled ones: these
// identify such classes.
StringRef DieType::identifier() const {
  struct Known {
    StringRef name, inner, outer; // names of the class and the namespaces around it
    StringRef identifier;
  };
  static constexpr Known kKnown[] = {
      {"basic_string<char, std::char_traits<char>, std::allocator<char> >", "__cxx11", "std",
       "_ZTSNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"},
      {"basic_string_view<char, std::char_traits<char> >", "std", "",
       "_ZTSSt17basic_string_viewIcSt11char_traitsIcEE"},
      {"basic_string_view<char, std::__1::char_traits<char> >", "__1", "std",
       "_ZTSNSt3__117basic_string_viewIcNS_11char_traitsIcEEEE"}};
  if (!is_class(tag()))
    return "";
  const DWARFDie declared = declaration_of(die_);
  const StringRef own = name_of(declared);
  if (const StringRef text = rust_text(declared, own); !text.empty())
    return text;
  if (!own.starts_with("basic_string"))
    return "";
  auto space = [](DWARFDie die) {
    return die && die.getTag() == dwarf::DW_TAG_namespace ? name_of(die) : StringRef();
  };
  const DWARFDie inner = declared.getParent();
  const DWARFDie outer = inner ? inner.getParent() : DWARFDie();
  for (const Known &known : kKnown)
    if (own == known.name && space(inner) == known.inner && space(outer) == known.outer)
      return known.identifier;
  return "";
}

} // namespace nophook::analysis
