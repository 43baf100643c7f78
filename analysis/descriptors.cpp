// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/descriptors.h"
#include "analysis/die_prototypes.h"
#include "analysis/import_uses.h"
#include "analysis/rust_assignment.h"
#include "analysis/signatures.h"
#include "analysis/source_language.h"
#include "analysis/stack_use.h"

#include "nophook/args.h"
#include "nophook/site.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <set>

namespace nophook::analysis {
namespace {

using llvm::DWARFDie;
namespace dwarf = llvm::dwarf;
namespace ELF = llvm::ELF;

struct Classification {
  nophook_call how;
  nophook_call_reason reason;
  uint64_t stack_bytes;
};

Classification entry_only(nophook_call_reason reason) {
  return {NOPHOOK_CALL_ENTRY_ONLY, reason, 0};
}

// The convention, if debug info has it: clang's does, gcc's does not.
uint64_t convention_of(const Signature &signature) {
  const auto value = signature.source.findRecursively({dwarf::DW_AT_calling_convention});
  return dwarf::toUnsigned(value, dwarf::DW_CC_normal);
}

bool is_like_c(uint64_t convention) {
  return convention == dwarf::DW_CC_normal || convention == dwarf::DW_CC_program ||
         convention == dwarf::DW_CC_nocall; // C's, without some arguments
}

// Whether it is a function of libc that returns through the frame of a caller that may be gone.
// Debug info does not show that.
bool returns_twice(llvm::StringRef name) {
  static constexpr const char *kNames[] = {"setjmp",      "_setjmp", "sigsetjmp",
                                           "__sigsetjmp", "vfork",   "getcontext"};
  return llvm::is_contained(kNames, name);
}

uint64_t stack_bytes_by(Assignment &assignment, DWARFDie result,
                        llvm::ArrayRef<DWARFDie> parameters) {
  if (result)
    assignment.result(result);
  for (DWARFDie parameter : parameters)
    assignment.argument(parameter);
  return assignment.stack_bytes();
}

class Describer {
public:
  Describer(const Object &object, const Functions &functions, llvm::ArrayRef<CodePlace> sites,
            bool use_debug_info)
      : object_(object), functions_(functions), sites_(sites), machine_(object.machine()),
        signatures_(use_debug_info ? Signatures(object) : Signatures()), prototypes_(object) {
    if (!signatures_.empty())
      stack_uses_.emplace(object);
    for (uint32_t i = 1; i < object.symbols().size(); i++)
      if (llvm::StringRef name = object.symbol_name(object.symbols()[i]); name.ends_with(".cold"))
        cold_parts_[name.drop_back(5)] = i;
    for (uint32_t i = 1; i < object.sections().size(); i++)
      if (object.name(i) == NOPHOOK_ARGS_SECTION && object.sections()[i].sh_size)
        described_.insert(object.sections()[i].sh_link);
  }

  Descriptors run();

private:
  std::optional<Classification> classify(const Function &function, uint64_t site);
  Classification call_through(const Function &function, const Signature &signature);
  std::optional<Classification> by_code(const Function &function);
  bool has_own_signature(const Function &function) const;
  std::optional<uint64_t> stack_bytes(const Signature &signature) const;
  std::optional<uint64_t> used_stack_bytes(const StackUse &use);
  bool is_without_stack(const JumpOut &jump);
  llvm::StringRef name_of(const Function &function) const {
    return object_.symbol_name(object_.symbols()[function.symbol]);
  }
  StackUse stack_use(const Function &function) const;
  const Signature *signature_of(const Function &function) const;
  uint32_t prototype(const Function &function, const Classification &what);
  void add(Attachment &table, const Function &function, const Classification &what);
  Classification classify_import(llvm::StringRef name, const Signature &signature) const;
  void add_imports();

  const Object &object_;
  const Functions &functions_;
  const llvm::ArrayRef<CodePlace> sites_;
  const Machine &machine_;
  Signatures signatures_;
  Prototypes prototypes_;
  std::optional<StackUses> stack_uses_;  // if there are signatures
  llvm::StringMap<uint32_t> cold_parts_; // symbols, by name of their function
  std::set<uint32_t> described_;         // sections of code that have descriptors
};

// The stack use of a function and of its part that gcc has put elsewhere, because it rarely runs.
StackUse Describer::stack_use(const Function &function) const {
  llvm::SmallVector<CodeRange, 2> parts = {{function.section, function.start, function.end}};
  if (auto cold = cold_parts_.find(name_of(function)); cold != cold_parts_.end()) {
    const Elf::Sym &symbol = object_.symbols()[cold->second];
    parts.push_back(
        {object_.section_of(cold->second), symbol.st_value, symbol.st_value + symbol.st_size});
  }
  return stack_uses_->of(parts);
}

// The bytes of stack arguments by the source; nothing if the function is variadic.
std::optional<uint64_t> Describer::stack_bytes(const Signature &signature) const {
  for (DWARFDie child : signature.source.children())
    if (child.getTag() == dwarf::DW_TAG_unspecified_parameters)
      return std::nullopt;
  llvm::SmallVector<DWARFDie, 8> parameters;
  for (DWARFDie parameter : formal_parameters(signature.source))
    parameters.push_back(parameter.getAttributeValueAsReferencedDie(dwarf::DW_AT_type));
  DWARFDie result;
  if (const auto type = signature.source.findRecursively({dwarf::DW_AT_type}))
    result = signature.source.getAttributeValueAsReferencedDie(*type);
  const CpuCode &code = cpu_code(machine_);
  if (language_of(signature.source).convention == Convention::kRust) {
    RustAssignment assignment(code.rust);
    return stack_bytes_by(assignment, result, parameters);
  }
  return stack_bytes_by(*code.assignment(), result, parameters);
}

// Whether the function that a jump leads to surely has no arguments on the stack.
bool Describer::is_without_stack(const JumpOut &jump) {
  const Function *function = jump.section ? functions_.at(jump.section, jump.offset) : nullptr;
  const Signature *signature =
      function ? signature_of(*function)
      : jump.symbol && !jump.section
          ? signatures_.named(object_.symbol_name(object_.symbols()[jump.symbol]))
          : nullptr;
  if (!signature || (function && has_own_signature(*function)))
    return false;
  return stack_bytes(*signature) == 0;
}

// Scalar replacement of aggregates gives a clone arguments that its origin did not have: values
// that were behind a pointer. Other clones have some of the arguments of their origin.
bool Describer::has_own_signature(const Function &function) const {
  return name_of(function).contains(".isra.");
}

// The bytes of stack arguments that the code uses, perhaps fewer than it has; nothing: unknown.
std::optional<uint64_t> Describer::used_stack_bytes(const StackUse &use) {
  if (use.takes_argument_address || use.argument_bytes > NOPHOOK_COPY_MAX_BYTES - 8 ||
      !llvm::all_of(use.jumps, [&](const JumpOut &jump) { return is_without_stack(jump); }))
    return std::nullopt;
  return llvm::alignTo(use.argument_bytes, 8);
}

Classification Describer::call_through(const Function &function, const Signature &signature) {
  std::optional<uint64_t> bytes = stack_bytes(signature);
  if (!bytes)
    return entry_only(NOPHOOK_REASON_VARIADIC);
  if (returns_twice(name_of(function)))
    return entry_only(NOPHOOK_REASON_RETURNS_TWICE);
  if (!is_like_c(convention_of(signature)))
    return entry_only(NOPHOOK_REASON_CONVENTION);
  const StackUse use = stack_use(function);
  if (!use.is_known)
    return entry_only(NOPHOOK_REASON_UNKNOWN_CODE);
  if (use.reads_return_address)
    return entry_only(NOPHOOK_REASON_RETURN_ADDRESS);
  if (has_own_signature(function) && !(bytes = used_stack_bytes(use)))
    return entry_only(NOPHOOK_REASON_UNKNOWN_CODE);
  // Debug info has no conventions: ms_abi is recognized by the bytes that it reads above the frame.
  if (use.last_argument >= int64_t(*bytes))
    return entry_only(NOPHOOK_REASON_CONVENTION);
  if (*bytes > NOPHOOK_COPY_MAX_BYTES)
    return entry_only(NOPHOOK_REASON_STACK_SIZE);
  return {*bytes ? NOPHOOK_CALL_COPY : NOPHOOK_CALL_THROUGH, NOPHOOK_REASON_NONE, *bytes};
}

// The classification of a function without debug info. gcc folds functions with the same code.
// Where their addresses must differ, one becomes a jump to the other or a copy of it, and has no
// debug info. Arguments that its code does not use do not exist.
std::optional<Classification> Describer::by_code(const Function &function) {
  const StackUse use = stack_use(function);
  if (!use.is_known)
    return std::nullopt;
  if (use.only_jumps && use.jumps.size() == 1 && use.jumps[0].section) {
    const Function *body = functions_.at(use.jumps[0].section, use.jumps[0].offset);
    const Signature *target = body ? signature_of(*body) : nullptr;
    return target ? std::optional(call_through(*body, *target)) : std::nullopt;
  }
  const std::optional<uint64_t> bytes = used_stack_bytes(use);
  if (use.reads_return_address || !bytes)
    return std::nullopt;
  return Classification{*bytes ? NOPHOOK_CALL_COPY : NOPHOOK_CALL_THROUGH, NOPHOOK_REASON_NONE,
                        *bytes};
}

std::optional<Classification> Describer::classify(const Function &function, uint64_t site) {
  const Bytes code = object_.contents(function.section);
  if (!machine_.is_entry_kept(code, entry_of(machine_, code, function.start), site))
    return entry_only(NOPHOOK_REASON_AFTER_PROLOGUE);
  if (signatures_.empty())
    return std::nullopt;
  const Signature *signature = signature_of(function);
  return signature ? call_through(function, *signature) : by_code(function);
}

// Whether gcc may have given the function another signature than its source has. It then has
// another name, but for a clone that takes vectors of arguments (`omp declare simd`). A name with
// only a number behind it is a nested function's.
bool is_clone(llvm::StringRef symbol) {
  if (const auto [name, number] = symbol.split('.');
      number.find_first_not_of("0123456789") == llvm::StringRef::npos)
    return name.starts_with("_ZGV");
  return (symbol.contains('.') && !symbol.contains(".lto_priv.")) || symbol.starts_with("_ZGV");
}

// The way in which a clone's values are found. Constants that are known in all callers (.constprop)
// change the arguments only. Other changes may have taken the result away, too.
Places places_of_clone(llvm::StringRef symbol) {
  const auto [name, endings] = symbol.split('.');
  if (name.starts_with("_ZGV"))
    return Places::kUnknown;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  endings.split(parts, '.');
  return llvm::all_of(parts,
                      [](llvm::StringRef part) {
                        return part == "constprop" || part == "lto_priv" ||
                               llvm::all_of(part, llvm::isDigit);
                      })
             ? Places::kEntryWithResult
             : Places::kEntry;
}

const Signature *Describer::signature_of(const Function &function) const {
  return find_at_entry(machine_, object_.contents(function.section),
                       {function.section, function.start, function.end},
                       [&](uint64_t offset) { return signatures_.at(function.section, offset); });
}

// The low half of the prototype's id; 0 if there is none.
uint32_t Describer::prototype(const Function &function, const Classification &what) {
  const Signature *signature = signature_of(function);
  if (!signature)
    return 0;
  uint32_t flags = 0;
  if (what.reason == NOPHOOK_REASON_RETURNS_TWICE)
    flags |= NOPHOOK_PROTOTYPE_RETURNS_TWICE;
  if (what.reason == NOPHOOK_REASON_RETURN_ADDRESS)
    flags |= NOPHOOK_PROTOTYPE_READS_CALLER;
  // Behind a prologue, values may have left their places at the entry.
  const uint64_t convention = convention_of(*signature);
  const bool is_known = is_like_c(convention) && what.reason != NOPHOOK_REASON_AFTER_PROLOGUE &&
                        what.reason != NOPHOOK_REASON_CONVENTION;
  const Places places = !is_known                           ? Places::kUnknown
                        : is_clone(name_of(function))       ? places_of_clone(name_of(function))
                        : convention != dwarf::DW_CC_nocall ? Places::kConvention
                                                            : Places::kUnknown;
  const bool is_local = object_.symbols()[function.symbol].getBinding() == llvm::ELF::STB_LOCAL ||
                        name_of(function).contains(".llvm.");
  return prototypes_.add(*signature, flags, places, is_local);
}

void Describer::add(Attachment &table, const Function &function, const Classification &what) {
  const uint64_t at = table.bytes.size();
  table.bytes.resize(at + sizeof(nophook_args));
  auto write = [&](size_t field, uint32_t value) {
    llvm::support::endian::write32le(&table.bytes[at + field], value);
  };
  write(offsetof(nophook_args, size), function.end - function.start);
  write(offsetof(nophook_args, call), NOPHOOK_ARGS_CALL(what.how, what.reason, what.stack_bytes));
  write(offsetof(nophook_args, prototype), prototype(function, what));
  table.relocations.push_back(
      {at + offsetof(nophook_args, pc), machine_.relocations.pc32, function.start});
}

// The classification by the declaration only: the code is elsewhere.
Classification Describer::classify_import(llvm::StringRef name, const Signature &signature) const {
  const std::optional<uint64_t> bytes = stack_bytes(signature);
  if (!bytes)
    return entry_only(NOPHOOK_REASON_VARIADIC);
  if (returns_twice(name))
    return entry_only(NOPHOOK_REASON_RETURNS_TWICE);
  if (!is_like_c(convention_of(signature)))
    return entry_only(NOPHOOK_REASON_CONVENTION);
  if (*bytes > NOPHOOK_COPY_MAX_BYTES)
    return entry_only(NOPHOOK_REASON_STACK_SIZE);
  return {*bytes ? NOPHOOK_CALL_COPY : NOPHOOK_CALL_THROUGH, NOPHOOK_REASON_NONE, *bytes};
}

// Adds the imports. An object with descriptors has a record of each function that it uses and does
// not define.
void Describer::add_imports() {
  for (const ImportUse &import : find_imports(object_)) {
    const Signature *signature = signatures_.named(import.name);
    if (signature && (language_of(signature->source).convention == Convention::kRust ||
                      !has_parameters(*signature)))
      signature = nullptr;
    const Classification what = signature ? classify_import(import.name, *signature)
                                          : entry_only(NOPHOOK_REASON_NO_DESCRIPTOR);
    prototypes_.add_import(import.name, NOPHOOK_ARGS_CALL(what.how, what.reason, what.stack_bytes),
                           import.flags, signature);
  }
}

Descriptors Describer::run() {
  Descriptors descriptors;
  const Function *previous = nullptr;
  for (const CodePlace &site : sites_) {
    const Function *function = functions_.around(site.section, site.offset);
    if (!function || function == previous || described_.contains(site.section))
      continue;
    previous = function;
    const std::optional<Classification> what = classify(*function, site.offset);
    if (!what)
      continue;
    if (descriptors.tables.empty() || descriptors.tables.back().code != site.section)
      descriptors.tables.push_back({NOPHOOK_ARGS_SECTION, site.section, 4, {}, {}});
    add(descriptors.tables.back(), *function, *what);
    descriptors.functions++;
    descriptors.entry_only += what->how == NOPHOOK_CALL_ENTRY_ONLY;
  }
  if (descriptors.functions)
    add_imports();
  descriptors.records = prototypes_.take();
  return descriptors;
}

} // namespace

Descriptors describe_functions(const Object &object, const Functions &functions,
                               llvm::ArrayRef<CodePlace> sites, bool use_debug_info) {
  if (sites.empty())
    return {};
  return Describer(object, functions, sites, use_debug_info).run();
}

} // namespace nophook::analysis
