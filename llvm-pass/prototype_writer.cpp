// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes prototypes: the source's parameters, the places of the IR's arguments, and the marks that
// assign arguments to parameters (parameter_marks.cpp).
//
// Debug info describes the source. The optimizer may since have changed the signature.
// Parameters that it removed are still listed, as PLACE_REMOVED. Functions without debug info are
// described by their IR arguments, which have kinds and sizes but no names.

#include "prototype_writer.h"
#include "ir_cpu.h"

#include "compat.h"
#include "ir_types.h"

#include "llvm/IR/Instructions.h"

namespace nophook {
namespace {

uint32_t place(nophook_where where) {
  return NOPHOOK_PLACE(where, 0, 0, 0);
}

Pieces removed() {
  return {{place(NOPHOOK_PLACE_REMOVED), 0, 0}};
}
Pieces unknown() {
  return {unknown_piece()};
}

uint32_t convention_of(const llvm::Function &function) {
  switch (function.getCallingConv()) {
  case llvm::CallingConv::C:
  case llvm::CallingConv::X86_64_SysV:
  case llvm::CallingConv::CXX_FAST_TLS:
    return NOPHOOK_CONVENTION_C;
  case llvm::CallingConv::Fast:
    return NOPHOOK_CONVENTION_FAST;
  case llvm::CallingConv::Cold:
    return NOPHOOK_CONVENTION_COLD;
  case llvm::CallingConv::PreserveMost:
    return NOPHOOK_CONVENTION_PRESERVE_MOST;
  case llvm::CallingConv::PreserveAll:
    return NOPHOOK_CONVENTION_PRESERVE_ALL;
  case llvm::CallingConv::PreserveNone:
    return NOPHOOK_CONVENTION_PRESERVE_NONE;
  case llvm::CallingConv::X86_RegCall:
    return NOPHOOK_CONVENTION_REGCALL;
  case llvm::CallingConv::X86_VectorCall:
    return NOPHOOK_CONVENTION_VECTORCALL;
  case llvm::CallingConv::Swift:
    return NOPHOOK_CONVENTION_SWIFT;
  case llvm::CallingConv::SwiftTail:
    return NOPHOOK_CONVENTION_SWIFT_TAIL;
  case llvm::CallingConv::Tail:
    return NOPHOOK_CONVENTION_TAIL;
  case llvm::CallingConv::GHC:
    return NOPHOOK_CONVENTION_GHC;
  case llvm::CallingConv::Win64:
    return NOPHOOK_CONVENTION_WIN64;
  default:
    return NOPHOOK_CONVENTION_OTHER;
  }
}

uint32_t flags_of(const llvm::Function &function) {
  uint32_t flags = convention_of(function) << 24;
  if (function.isVarArg())
    flags |= NOPHOOK_PROTOTYPE_VARIADIC;
  if (function.getAttributes().hasAttrSomewhere(llvm::Attribute::Nest))
    flags |= NOPHOOK_PROTOTYPE_HAS_NEST;
  if (function.hasFnAttribute(llvm::Attribute::ReturnsTwice))
    flags |= NOPHOOK_PROTOTYPE_RETURNS_TWICE;
  if (function.doesNotReturn())
    flags |= NOPHOOK_PROTOTYPE_NEVER_RETURNS;
  if (!function.doesNotThrow())
    flags |= NOPHOOK_PROTOTYPE_CAN_UNWIND;
  return flags;
}

// The function's debug info if it has parameters and types, not lines alone.
const llvm::DISubprogram *full_subprogram(const llvm::Function &function) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  return subprogram && subprogram->getUnit() && subprogram->getType() &&
                 subprogram->getUnit()->getEmissionKind() == llvm::DICompileUnit::FullDebug
             ? subprogram
             : nullptr;
}

// The unit for types of declarations, which name no unit of their own. So all units of the module
// must have full debug info and one language.
const llvm::DICompileUnit *unit_of_declarations(const llvm::Module &module) {
  const llvm::DICompileUnit *unit = nullptr;
  for (const llvm::DICompileUnit *each : module.debug_compile_units()) {
    if (each->getEmissionKind() != llvm::DICompileUnit::FullDebug ||
        (unit && is_c_source(*each) != is_c_source(*unit)))
      return nullptr;
    unit = each;
  }
  return unit;
}

// Whether the function returns nothing: a value that no caller of a local function uses is removed.
bool returns_nothing(const llvm::Function &function) {
  if (!function.hasLocalLinkage())
    return false;
  bool has_return = false;
  for (const llvm::BasicBlock &block : function)
    if (const auto *end = llvm::dyn_cast_or_null<llvm::ReturnInst>(block.getTerminator())) {
      if (!end->getReturnValue() || !llvm::isa<llvm::UndefValue>(end->getReturnValue()))
        return false; // poison is an UndefValue as well
      has_return = true;
    }
  return has_return;
}

// The place of a value whose address is in `pieces`.
Pieces behind(const Pieces &pieces, uint64_t bytes) {
  if (pieces.size() != 1)
    return unknown();
  const uint32_t at = pieces[0].place;
  switch (NOPHOOK_PLACE_WHERE(at)) {
  case NOPHOOK_PLACE_GENERAL:
    return {{NOPHOOK_PLACE(NOPHOOK_PLACE_AT_GENERAL, 0, NOPHOOK_PLACE_NUMBER(at), 0), 0, bytes}};
  case NOPHOOK_PLACE_STACK:
    return {{NOPHOOK_PLACE(NOPHOOK_PLACE_AT_STACK, 0, 0, NOPHOOK_PLACE_OFFSET(at)), 0, bytes}};
  default:
    return unknown();
  }
}

// The place of a structure for which the caller made room. Its address comes back in a register, or
// in none.
Pieces in_result_memory(const llvm::Function &function, const Lowering &lowering, uint64_t bytes) {
  const llvm::CallingConv::ID convention = function.getCallingConv();
  if (!function.getReturnType()->isVoidTy() || convention == llvm::CallingConv::Swift ||
      convention == llvm::CallingConv::SwiftTail || is_unknown(lowering.result) ||
      !lowering.result_address)
    return unknown();
  return {{NOPHOOK_PLACE(NOPHOOK_PLACE_AT_GENERAL, 0, *lowering.result_address, 0), 0, bytes}};
}

// Whether the upper part of a value is unknown. An integer in the lower part of its register,
// without extension, may be a _BitInt, whose type has its bits. For any other type the upper part
// would be invented.
bool lacks_upper_part(const Described &type, const Pieces &pieces) {
  return type.is_whole_integer && pieces.size() == 1 && pieces[0].bytes < type.bytes;
}

} // namespace

nophook_kind long_double_of(const llvm::Module &module) {
  const IrCpu *cpu = ir_cpu(target_triple(module));
  return cpu ? cpu->long_double : NOPHOOK_KIND_FLOAT;
}

PlacedValue Prototypes::from_ir(const llvm::Type *type, llvm::AttributeSet attributes,
                                Pieces pieces) {
  PlacedValue value;
  const uint64_t bytes = type->isSized() ? module_.getDataLayout()
                                               .getTypeAllocSize(const_cast<llvm::Type *>(type))
                                               .getKnownMinValue()
                                         : 0;
  value.type = describe_ir(table_, type, bytes, attributes.hasAttribute(llvm::Attribute::SExt),
                           attributes.hasAttribute(llvm::Attribute::ZExt));
  value.pieces = std::move(pieces);
  return value;
}

void Prototypes::add_ir(const llvm::Function &function, const Lowering &lowering) {
  const llvm::AttributeList attributes = function.getAttributes();
  if (!function.getReturnType()->isVoidTy())
    result_ = from_ir(function.getReturnType(), attributes.getRetAttrs(), lowering.result);
  for (const llvm::Argument &argument : function.args()) {
    const llvm::AttributeSet own = attributes.getParamAttrs(argument.getArgNo());
    const Pieces &pieces = lowering.arguments[argument.getArgNo()];
    if (llvm::Type *type = argument.getParamStructRetType()) {
      result_ =
          from_ir(type, {},
                  in_result_memory(function, lowering,
                                   module_.getDataLayout().getTypeAllocSize(type).getFixedValue()));
      continue;
    }
    llvm::Type *memory = argument.getParamByValType();
    PlacedValue value = from_ir(memory ? memory : argument.getType(), own, pieces);
    value.flags = argument.use_empty() && !function.isDeclaration() ? NOPHOOK_PLACE_UNUSED : 0;
    parameters_.push_back(std::move(value));
  }
}

// Adds a prototype by the types in a declaration's debug info, if each parameter is one IR argument
// of its size. There are no marks: these are found in a function's body.
bool Prototypes::add_declared(const llvm::Function &function, const Lowering &lowering) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  const llvm::DICompileUnit *unit = unit_of_declarations(module_);
  if (!subprogram || !subprogram->getType() || !unit)
    return false;
  const llvm::DITypeRefArray types = subprogram->getType()->getTypeArray();
  unsigned count = types ? types.size() : 0;
  if (function.isVarArg() && count && !types[count - 1]) // `...`
    count--;
  const bool is_c = is_c_source(*unit);
  const auto is_whole = [](const Described &type, const Pieces &pieces) {
    return pieces.size() == 1 && !is_unknown(pieces) && type.target && !type.is_empty &&
           pieces[0].at == 0 && pieces[0].bytes == type.bytes;
  };
  if (count != function.arg_size() + 1 ||
      (types[0] == nullptr) != function.getReturnType()->isVoidTy())
    return false;
  if (types[0]) {
    result_.type = types_.describe(types[0], is_c);
    result_.pieces = lowering.result;
    if (!is_whole(result_.type, result_.pieces))
      return false;
  }
  for (const llvm::Argument &argument : function.args()) {
    PlacedValue value;
    value.type = types_.describe(types[argument.getArgNo() + 1], is_c);
    value.pieces = lowering.arguments[argument.getArgNo()];
    if (!is_whole(value.type, value.pieces) || argument.hasByValAttr() ||
        argument.hasStructRetAttr())
      return false;
    parameters_.push_back(std::move(value));
  }
  return true;
}

PlacedValue Prototypes::source_parameter(const llvm::Function &function, const Lowering &lowering,
                                         const llvm::DILocalVariable *variable,
                                         const llvm::DIType *type, unsigned number,
                                         unsigned expected, bool is_c) {
  PlacedValue value;
  value.type = types_.describe(variable ? variable->getType() : type, is_c);
  if (variable)
    value.name = table_.text(variable->getName());
  if (value.type.is_empty)
    return value;
  unsigned found = 0;
  bool is_used = false;
  for (const llvm::Argument &argument : function.args()) {
    const std::optional<ParameterMark> mark = parameter_mark(argument);
    if (!mark || mark->number != number)
      continue;
    found++;
    is_used |= !argument.use_empty();
    const Pieces &pieces = lowering.arguments[argument.getArgNo()];
    // A caller in the same file may pass anything in an unused argument, also in an unused part of
    // a structure.
    const uint32_t flags = argument.use_empty() ? NOPHOOK_PLACE(0, NOPHOOK_PLACE_UNUSED, 0, 0) : 0;
    for (Piece piece : mark->is_address ? behind(pieces, value.type.bytes) : pieces) {
      piece.at += mark->at;
      piece.place |= flags;
      value.pieces.push_back(piece);
    }
  }
  if (!expected || found > expected || is_unknown(value.pieces) ||
      lacks_upper_part(value.type, value.pieces))
    value.pieces = unknown();
  else if (found < expected)
    value.pieces = removed();
  else if (!is_used)
    value.flags = NOPHOOK_PLACE_UNUSED;
  return value;
}

PlacedValue Prototypes::source_result(const llvm::Function &function, const Lowering &lowering,
                                      const llvm::DIType *type, const SourceShape &shape,
                                      bool is_c) {
  PlacedValue value;
  value.type = types_.describe(type, is_c);
  const llvm::Type *now = function.getReturnType();
  const bool in_memory =
      function.arg_size() && llvm::any_of(function.args(), [](const llvm::Argument &argument) {
        return argument.hasStructRetAttr();
      });
  if (!value.type.target || value.type.is_empty)
    value.pieces = {};
  else if (in_memory)
    value.pieces = in_result_memory(function, lowering, value.type.bytes);
  else if (shape.result != members_text_of(now) || returns_nothing(function))
    value.pieces = removed();
  else if (now->isVoidTy())
    value.pieces = unknown();
  else
    value.pieces = lacks_upper_part(value.type, lowering.result) ? unknown() : lowering.result;
  // A scalar, or a structure without that padding, is at the address that it was loaded from.
  const bool is_behind_padding = llvm::all_of(value.pieces, [&](const Piece &piece) {
    return shape.result_at + piece.at + piece.bytes <= value.type.bytes;
  });
  if (is_behind_padding)
    for (Piece &piece : value.pieces)
      piece.at += shape.result_at;
  return value;
}

void Prototypes::add_source(const llvm::Function &function, const Lowering &lowering) {
  const llvm::DISubprogram *subprogram = full_subprogram(function);
  const bool is_c = is_c_source(*subprogram->getUnit());
  const std::optional<SourceShape> shape = source_shape(function);
  const llvm::DITypeRefArray types = subprogram->getType()->getTypeArray();
  const unsigned type_count = types ? types.size() : 0;
  const llvm::SmallVector<const llvm::DILocalVariable *, 8> variables = source_parameters(function);

  result_ = source_result(function, lowering, type_count ? types[0] : nullptr, *shape, is_c);
  // A constructor of virtual bases has a parameter that is missing in its type. A null at the end
  // of the types is `...`.
  unsigned count = type_count ? type_count - 1 : 0;
  if (count && !types[count])
    count--;
  count = std::max(count, unsigned(variables.size()));
  for (unsigned i = 0; i < count; i++) {
    const llvm::DILocalVariable *variable = i < variables.size() ? variables[i] : nullptr;
    const bool is_typed = variables.empty() && i + 1 < type_count;
    parameters_.push_back(
        source_parameter(function, lowering, variable, is_typed ? types[i + 1] : nullptr, i + 1,
                         i < shape->arguments.size() ? shape->arguments[i] : 0, is_c));
  }
}

Lowering Prototypes::begin(const llvm::Function &function) {
  result_ = {};
  parameters_.clear();
  if (machine_)
    return ir_cpu(machine_->getTargetTriple())->lowering(function, *machine_);
  Lowering lowering;
  lowering.arguments.assign(function.arg_size(), unknown());
  lowering.result = unknown();
  return lowering;
}

uint32_t Prototypes::add(llvm::Function &function, uint32_t flags) {
  const Lowering lowering = begin(function);
  flags |= flags_of(function);
  if (full_subprogram(function)) {
    mark_parameters(function);
    add_source(function, lowering);
  } else {
    flags |= NOPHOOK_PROTOTYPE_NO_SOURCE;
    add_ir(function, lowering);
  }
  return uint32_t(write_prototype(table_, flags, result_, parameters_));
}

void Prototypes::add_import(const llvm::Function &function, uint32_t call, uint32_t flags,
                            bool is_typed) {
  uint32_t prototype = 0;
  if (is_typed) {
    const Lowering lowering = begin(function);
    uint32_t known = flags_of(function);
    if (!add_declared(function, lowering)) {
      result_ = {};
      parameters_.clear();
      known |= NOPHOOK_PROTOTYPE_NO_SOURCE;
      add_ir(function, lowering);
    }
    prototype = uint32_t(write_prototype(table_, known, result_, parameters_));
  }
  LinkedRecord record;
  record.add(NOPHOOK_HEAD(NOPHOOK_RECORD_IMPORT, sizeof(nophook_import)));
  record.add(table_.text(llvm::GlobalValue::dropLLVMManglingEscape(function.getName())));
  record.add(call);
  record.add(prototype);
  record.add(flags);
  const uint64_t hash = record.hash();
  table_.record(std::move(record), hash, "import");
}

} // namespace nophook
