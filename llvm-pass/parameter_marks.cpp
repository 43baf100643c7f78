// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Marks each IR argument with its source parameter.
//
// At the end of the optimizer it is hard to find the parameter of an argument: parameters were
// split, removed and passed in other ways, and debug info then shows where a debugger finds them,
// not what a caller passes. At the start it is easy. Clang gives each parameter an alloca with a
// debug record and stores the IR arguments into it, so an argument's parameter and its place
// in the value can be read off the stores:
//
//     define i64 @f(i64 %p.coerce0, double %p.coerce1, i1 zeroext %flag)
//       store i64 %p.coerce0, ptr %p                      -->  "nophook-arg"="1:0"
//       store double %p.coerce1, ptr (%p + 8)             -->  "nophook-arg"="1:8"
//       store i8 (zext %flag), ptr %flag.addr             -->  "nophook-arg"="2:0"
//       #dbg_declare(ptr %p, !"p" arg: 1), …
//
// The result is stored as string attributes of the arguments. They change no code, and each pass
// that removes or replaces an argument drops its attributes with it: an argument that still has one
// at the end is unchanged. "nophook-source" on the function has the shape to compare with.

#include "parameter_marks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace nophook {
namespace {

constexpr llvm::StringLiteral kArgumentKey = "nophook-arg";
constexpr llvm::StringLiteral kFunctionKey = "nophook-source";
constexpr unsigned kMostParameters = 1024; // the most parameters; clang's own limit is higher

// Calls visit(variable, its address, expression) for the function's own parameters, in both
// forms that LLVM has for debug records. Clang writes them into the entry block.
template <class Visit> void visit_parameters(const llvm::Function &function, Visit visit) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  const auto consider = [&](const auto &record) {
    const llvm::DILocalVariable *variable = record.getVariable();
    const llvm::DILocation *place = record.getDebugLoc();
    if (variable && variable->getArg() && variable->getArg() <= kMostParameters && place &&
        !place->getInlinedAt() && variable->getScope() &&
        variable->getScope()->getSubprogram() == subprogram)
      visit(*variable, record);
  };
  for (const llvm::Instruction &instruction : function.getEntryBlock()) {
    for (const llvm::DbgVariableRecord &record :
         llvm::filterDbgVars(const_cast<llvm::Instruction &>(instruction).getDbgRecordRange()))
      consider(record);
    if (const auto *record = llvm::dyn_cast<llvm::DbgVariableIntrinsic>(&instruction))
      consider(*record);
  }
}

// The address of a variable in memory, from a declaration, or from one of the records that clang's
// assignment tracking has made of it.
struct Address {
  const llvm::Value *value = nullptr;
  const llvm::DIExpression *expression = nullptr;
};

Address address_of(const llvm::DbgVariableRecord &record) {
  if (record.isDbgAssign())
    return {record.getAddress(), record.getAddressExpression()};
  return record.isAddressOfVariable()
             ? Address{record.getVariableLocationOp(0), record.getExpression()}
             : Address{};
}

Address address_of(const llvm::DbgVariableIntrinsic &record) {
  if (const auto *assign = llvm::dyn_cast<llvm::DbgAssignIntrinsic>(&record))
    return {assign->getAddress(), assign->getAddressExpression()};
  return record.isAddressOfVariable()
             ? Address{record.getVariableLocationOp(0), record.getExpression()}
             : Address{};
}

// The contents of memory: a parameter, or its address.
struct Home {
  unsigned number;
  bool is_address;
};
using Homes = llvm::SmallDenseMap<const llvm::Value *, Home, 8>;

Homes parameter_homes(const llvm::Function &function) {
  Homes homes;
  visit_parameters(function, [&](const llvm::DILocalVariable &variable, const auto &record) {
    const auto [address, expression] = address_of(record);
    if (!expression || !llvm::isa_and_nonnull<llvm::AllocaInst, llvm::Argument>(address))
      return;
    if (expression->getNumElements() == 0)
      homes.try_emplace(address, Home{variable.getArg(), false});
    else if (expression->getNumElements() == 1 &&
             expression->getElement(0) == llvm::dwarf::DW_OP_deref)
      homes.try_emplace(address, Home{variable.getArg(), true});
  });
  return homes;
}

class ArgumentReader {
public:
  ArgumentReader(const llvm::DataLayout &layout, const Homes &homes)
      : layout_(layout), homes_(homes) {}

  std::optional<ParameterMark> read(const llvm::Argument &argument) const {
    if (argument.hasStructRetAttr())
      return std::nullopt;
    const bool is_memory = argument.hasByValAttr();
    if (const auto home = homes_.find(&argument); home != homes_.end())
      return ParameterMark{home->second.number, 0, !is_memory};
    for (const llvm::User *user : argument.users())
      if (std::optional<ParameterMark> mark = by_user(argument, *user, is_memory))
        return mark;
    return std::nullopt;
  }

private:
  struct Target {
    const llvm::Value *base;
    int64_t at;
  };

  Target target_of(const llvm::Value *pointer) const {
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
    const llvm::Value *base =
        pointer->stripAndAccumulateConstantOffsets(layout_, offset, /*AllowNonInbounds=*/true);
    return {base, offset.getSExtValue()};
  }

  // The mark of a value that is written to `pointer`. If that is a temporary, its copy decides.
  std::optional<ParameterMark> written_to(const llvm::Value *pointer, bool follow_copy) const {
    const Target target = target_of(pointer);
    if (target.at < 0)
      return std::nullopt;
    if (const auto home = homes_.find(target.base); home != homes_.end())
      return ParameterMark{home->second.number, uint64_t(target.at), home->second.is_address};
    if (!follow_copy || !llvm::isa<llvm::AllocaInst>(target.base))
      return std::nullopt;
    for (const llvm::User *user : target.base->users())
      if (std::optional<ParameterMark> mark = copied_by(*user, target.base)) {
        mark->at += uint64_t(target.at);
        return mark;
      }
    return std::nullopt;
  }

  // Follows a value through the instructions that widen a bool or a _BitInt to whole bytes.
  std::optional<ParameterMark> stored_by_users(const llvm::User &value, unsigned depth = 0) const {
    for (const llvm::User *user : value.users()) {
      std::optional<ParameterMark> mark;
      if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
        mark = store->getValueOperand() == &value ? written_to(store->getPointerOperand(), false)
                                                  : std::nullopt;
      else if (llvm::isa<llvm::CastInst>(user) && depth < 3)
        mark = stored_by_users(*user, depth + 1);
      if (mark)
        return mark;
    }
    return std::nullopt;
  }

  // The target to which `user` copies the whole of a temporary: by memcpy, or by a load and a
  // store.
  std::optional<ParameterMark> copied_by(const llvm::User &user, const llvm::Value *from) const {
    if (const auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&user))
      return copy->getSource() == from ? written_to(copy->getDest(), false) : std::nullopt;
    if (llvm::isa<llvm::LoadInst>(user))
      return stored_by_users(user);
    return std::nullopt;
  }

  std::optional<ParameterMark> by_user(const llvm::Value &value, const llvm::User &user,
                                       bool is_memory) const {
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&user))
      return !is_memory && store->getValueOperand() == &value
                 ? written_to(store->getPointerOperand(), true)
                 : std::nullopt;
    // The parameter is a copy of the argument's pointee.
    if (llvm::isa<llvm::Argument>(value))
      if (std::optional<ParameterMark> mark = copied_by(user, &value))
        return as_address(mark, is_memory);
    if (llvm::isa<llvm::CastInst>(user) && !is_memory)
      return stored_by_users(user);
    return std::nullopt;
  }

  static std::optional<ParameterMark> as_address(std::optional<ParameterMark> mark,
                                                 bool is_memory) {
    if (!mark || mark->at != 0 || mark->is_address)
      return std::nullopt;
    mark->is_address = !is_memory;
    return mark;
  }

  const llvm::DataLayout &layout_;
  const Homes &homes_;
};

// A structure whose first eight bytes are padding is returned without them: clang loads the
// value from behind them.
uint64_t result_offset(const llvm::Function &function) {
  for (const llvm::BasicBlock &block : function) {
    const auto *end = llvm::dyn_cast_or_null<llvm::ReturnInst>(block.getTerminator());
    if (!end)
      continue;
    const auto *load = llvm::dyn_cast_or_null<llvm::LoadInst>(end->getReturnValue());
    if (!load)
      return 0;
    int64_t offset = 0;
    const llvm::Value *base = llvm::GetPointerBaseWithConstantOffset(
        load->getPointerOperand(), offset, function.getDataLayout());
    for (const llvm::User *user : base->users()) // a temporary of the IR's type
      if (const auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(user);
          copy && copy->getDest() == base) {
        int64_t more = 0;
        llvm::GetPointerBaseWithConstantOffset(copy->getSource(), more, function.getDataLayout());
        offset += more;
        break;
      }
    return offset == 8 ? 8 : 0;
  }
  return 0;
}

} // namespace

std::string text_of(const llvm::Type *type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type->print(stream, /*IsForDebug=*/false, /*NoDetails=*/true);
  return text;
}

std::string members_text_of(const llvm::Type *type) {
  const auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  while (structure && structure->getNumElements() == 1) {
    type = structure->getElementType(0);
    structure = llvm::dyn_cast<llvm::StructType>(type);
  }
  if (structure && !structure->isOpaque())
    type = llvm::StructType::get(type->getContext(), structure->elements(), structure->isPacked());
  return text_of(type);
}

// Parses "NUMBER:OFFSET", with a `*` behind it if the argument is the value's address.
std::optional<ParameterMark> parameter_mark(const llvm::Argument &argument) {
  llvm::StringRef text = argument.getParent()
                             ->getAttributes()
                             .getParamAttr(argument.getArgNo(), kArgumentKey)
                             .getValueAsString();
  ParameterMark mark;
  if (text.empty() || text.consumeInteger(10, mark.number) || !text.consume_front(":") ||
      text.consumeInteger(10, mark.at) || !mark.number || mark.number > kMostParameters)
    return std::nullopt;
  mark.is_address = text == "*";
  return mark;
}

// Parses "1,2,0;OFFSET;TYPE".
std::optional<SourceShape> source_shape(const llvm::Function &function) {
  if (!function.hasFnAttribute(kFunctionKey))
    return std::nullopt;
  const auto [counts, rest] = function.getFnAttribute(kFunctionKey).getValueAsString().split(';');
  const auto [offset, result] = rest.split(';');
  SourceShape shape;
  shape.result = result;
  offset.getAsInteger(10, shape.result_at);
  llvm::SmallVector<llvm::StringRef, 8> parts;
  counts.split(parts, ',', int(kMostParameters), /*KeepEmpty=*/false);
  for (const llvm::StringRef part : parts) {
    unsigned count = 0;
    part.getAsInteger(10, count);
    shape.arguments.push_back(count);
  }
  return shape;
}

void mark_parameters(llvm::Function &function) {
  if (function.isDeclaration() || !function.getSubprogram() ||
      function.hasFnAttribute(kFunctionKey))
    return;
  const Homes homes = parameter_homes(function);
  const ArgumentReader reader(function.getDataLayout(), homes);
  llvm::LLVMContext &context = function.getContext();
  llvm::SmallVector<unsigned, 8> counts;
  for (const auto &[value, home] : homes)
    if (counts.size() < home.number)
      counts.resize(home.number);
  for (llvm::Argument &argument : function.args())
    if (const std::optional<ParameterMark> mark = reader.read(argument)) {
      counts[mark->number - 1]++;
      argument.addAttr(llvm::Attribute::get(context, kArgumentKey,
                                            llvm::utostr(mark->number) + ":" +
                                                llvm::utostr(mark->at) +
                                                (mark->is_address ? "*" : "")));
    }
  std::string text;
  for (const unsigned count : counts)
    text += (text.empty() ? "" : ",") + llvm::utostr(count);
  function.addFnAttr(kFunctionKey, text + ";" + llvm::utostr(result_offset(function)) + ";" +
                                       members_text_of(function.getReturnType()));
}

llvm::SmallVector<const llvm::DILocalVariable *, 8>
source_parameters(const llvm::Function &function) {
  llvm::SmallVector<const llvm::DILocalVariable *, 8> parameters;
  const auto add = [&](const llvm::DILocalVariable &variable) {
    if (parameters.size() < variable.getArg())
      parameters.resize(variable.getArg());
    parameters[variable.getArg() - 1] = &variable;
  };
  for (const llvm::DINode *node : function.getSubprogram()->getRetainedNodes())
    if (const auto *variable = llvm::dyn_cast_or_null<llvm::DILocalVariable>(node);
        variable && variable->getArg() && variable->getArg() <= kMostParameters)
      add(*variable);
  // At -O0 debug info has no list of retained variables, but the code still has them.
  if (parameters.empty())
    visit_parameters(function,
                     [&](const llvm::DILocalVariable &variable, const auto &) { add(variable); });
  return parameters;
}

llvm::PreservedAnalyses MarkParametersPass::run(llvm::Module &module,
                                                llvm::ModuleAnalysisManager &) {
  for (llvm::Function &function : module)
    mark_parameters(function);
  return llvm::PreservedAnalyses::all();
}

} // namespace nophook
