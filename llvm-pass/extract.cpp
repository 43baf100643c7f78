// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A live patch has the new bodies of the functions that a change of the source affects. Everything
// else must be the running program's: its variables, its other functions, static ones included. The
// patch cannot be cut out of the source. A function there may be inlined into its callers, or lose
// a parameter, and the compiler decides this when it sees the whole file.
//
// So the whole file is compiled, and this runs when all such decisions have been made. Unneeded
// definitions are deleted. A variable or function that lives in the running program becomes an
// undefined weak symbol, to which the runtime gives the address there (docs/design/livepatch.md).
// The name of a function that is taken also means the old one. So its address is the same in old
// and in new code, and a call goes through the function's live patch: a later patch of it takes
// effect here as well.
//
// The result is a part of a shared library, while the file may have been compiled for an
// executable. The reason is that inlining differs between the two. So the assumptions that the code
// generator may make for an executable are taken back here.

#include "extract.h"
#include "marks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

namespace nophook {
namespace {

bool refers_to_label(const llvm::Constant *constant,
                     llvm::SmallPtrSetImpl<const llvm::Constant *> &seen) {
  if (llvm::isa<llvm::BlockAddress>(constant))
    return true;
  if (llvm::isa<llvm::GlobalValue>(constant) || !seen.insert(constant).second)
    return false;
  return llvm::any_of(constant->operands(), [&](const llvm::Use &use) {
    return refers_to_label(llvm::cast<llvm::Constant>(use.get()), seen);
  });
}

// Whether the value is the table of a computed goto. Labels belong to one body, and so does the
// table.
bool has_labels(const llvm::GlobalValue &value) {
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
  llvm::SmallPtrSet<const llvm::Constant *, 16> seen;
  return variable && variable->hasInitializer() &&
         refers_to_label(variable->getInitializer(), seen);
}

// Whether a definition needs no list: each file that uses one has its own.
bool may_be_copied(const llvm::GlobalObject &object) {
  if (has_labels(object))
    return true;
  const bool is_shared = object.hasLinkOnceLinkage() || object.hasWeakODRLinkage();
  if (llvm::isa<llvm::Function>(object))
    return is_shared;
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&object);
  return variable && variable->isConstant() &&
         (is_shared || variable->hasPrivateLinkage() || variable->hasGlobalUnnamedAddr() ||
          (variable->hasLocalLinkage() && variable->hasAtLeastLocalUnnamedAddr()));
}

class Extractor {
public:
  Extractor(llvm::Module &module, const ExtractList &list) : module_(module), list_(list) {}

  bool run() {
    check_module();
    find_roots();
    if (has_failed_)
      return false;
    drop_what_starts();
    redirect_old();
    resolve_aliases();
    redirect_old(); // the values that aliases have led to
    redirect_by_alias();
    for (llvm::GlobalObject *root : roots_)
      need(*root);
    while (!work_.empty())
      visit(*work_.pop_back_val());
    if (has_failed_)
      return false;
    delete_rest();
    for (llvm::GlobalObject *object : needed_)
      set_linkage(*object);
    name_new_functions();
    forget_executable();
    return true;
  }

private:
  void fail(const llvm::Twine &message) {
    has_failed_ = true;
    module_.getContext().emitError("nophook: extract: " + message);
  }

  void check_module() {
    if (module_.getPICLevel() == llvm::PICLevel::NotPIC)
      fail("code for a live patch must be compiled with -fPIC or -fPIE");
  }

  // Finds a definition that is listed as `take` or `new`.
  llvm::GlobalObject *find_defined(llvm::StringRef name) {
    llvm::GlobalValue *value = module_.getNamedValue(name);
    if (!value)
      return fail("the file has no '" + name + "'"), nullptr;
    if (llvm::isa<llvm::GlobalAlias>(value) || llvm::isa<llvm::GlobalIFunc>(value))
      return fail("'" + name + "' is an alias or an ifunc"), nullptr;
    if (value->isDeclarationForLinker())
      return fail("'" + name + "' is not defined in the file"), nullptr;
    return llvm::cast<llvm::GlobalObject>(value);
  }

  void find_roots() {
    for (const ExtractList::Entry &entry : list_.take()) {
      llvm::GlobalObject *object = find_defined(entry.name);
      if (!object)
        continue;
      const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
      if (variable && !variable->isConstant() && !has_labels(*variable)) {
        fail("'" + entry.name + "' is a variable, so its value cannot be taken");
        continue;
      }
      taken_.insert(object);
      roots_.push_back(object);
      if (auto *function = llvm::dyn_cast<llvm::Function>(object))
        new_functions_.push_back({function, entry.symbol});
    }
    for (const ExtractList::Entry &entry : list_.added()) {
      llvm::GlobalValue *value = module_.getNamedValue(entry.name);
      if (value && value->isDeclaration()) { // another file of the patch defines it
        value->setLinkage(llvm::GlobalValue::ExternalLinkage);
        value->setVisibility(llvm::GlobalValue::HiddenVisibility);
        continue;
      }
      if (llvm::GlobalObject *object = find_defined(entry.name)) {
        added_.insert(object);
        roots_.push_back(object);
      }
    }
  }

  // Drops constructors, and all else that is kept although no code refers to it.
  void drop_what_starts() {
    for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module_.globals()))
      if (variable.hasAppendingLinkage())
        variable.eraseFromParent();
    module_.setModuleInlineAsm("");
  }

  // ---- Definitions that live in the running program

  llvm::Constant *declare(llvm::GlobalValue &value, llvm::StringRef symbol) {
    if (llvm::GlobalValue *declared = module_.getNamedValue(symbol))
      return declared;
    const unsigned space = value.getAddressSpace();
    const llvm::GlobalObject *object = value.getAliaseeObject();
    constexpr auto kWeak = llvm::GlobalValue::ExternalWeakLinkage;
    llvm::GlobalValue *declared;
    if (auto *type = llvm::dyn_cast<llvm::FunctionType>(value.getValueType())) {
      auto *function = llvm::Function::Create(type, kWeak, space, symbol, &module_);
      if (const auto *of = llvm::dyn_cast_if_present<llvm::Function>(object)) {
        function->setCallingConv(of->getCallingConv());
        function->setAttributes(of->getAttributes());
      }
      declared = function;
    } else {
      // Other modules may have the variable anywhere, so no shorter way to it will do.
      const auto mode = value.isThreadLocal() ? llvm::GlobalValue::GeneralDynamicTLSModel
                                              : llvm::GlobalValue::NotThreadLocal;
      auto *variable = new llvm::GlobalVariable(module_, value.getValueType(), /*isConstant=*/false,
                                                kWeak, nullptr, symbol, nullptr, mode, space);
      if (const auto *of = llvm::dyn_cast_if_present<llvm::GlobalVariable>(object))
        variable->setAlignment(of->getAlign());
      declared = variable;
    }
    ours_.insert(declared);
    return declared;
  }

  void redirect(llvm::GlobalValue &value, llvm::StringRef symbol) {
    value.replaceUsesWithIf(declare(value, symbol), [](const llvm::Use &use) {
      return !llvm::isa<llvm::BlockAddress>(use.getUser()) &&
             !llvm::isa<llvm::GlobalAlias>(use.getUser());
    });
  }

  void redirect_old() {
    for (const ExtractList::Entry &entry : list_.old()) {
      llvm::GlobalValue *value = module_.getNamedValue(entry.name);
      // The code generator may call what the module does not have: memcpy, for example.
      if (!value || has_labels(*value))
        continue;
      redirect(*value, entry.symbol);
    }
  }

  // ---- Definitions that the code needs

  // An alias that is not listed is another name of its aliasee.
  void resolve_aliases() {
    for (llvm::GlobalAlias &alias : module_.aliases())
      if (!alias.isInterposable())
        alias.replaceAllUsesWith(alias.getAliasee());
  }

  // The list may have another name of an object than the code has.
  void redirect_by_alias() {
    for (const ExtractList::Entry &entry : list_.old()) {
      auto *alias = llvm::dyn_cast_if_present<llvm::GlobalAlias>(module_.getNamedValue(entry.name));
      auto *object = alias ? llvm::dyn_cast<llvm::GlobalObject>(alias->getAliasee()) : nullptr;
      if (object && !alias->isInterposable() && !taken_.contains(object) &&
          !added_.contains(object))
        redirect(*object, entry.symbol);
    }
  }

  void need(llvm::GlobalObject &object) {
    if (needed_.insert(&object))
      work_.push_back(&object);
  }

  void need(llvm::Value &value) {
    if (auto *label = llvm::dyn_cast<llvm::BlockAddress>(&value))
      return need_label_of(*label->getFunction());
    auto *constant = llvm::dyn_cast<llvm::Constant>(&value);
    if (!constant || !seen_.insert(constant).second)
      return;
    if (auto *global = llvm::dyn_cast<llvm::GlobalValue>(constant))
      return need_global(*global);
    for (const llvm::Use &use : constant->operands())
      need(*use.get());
  }

  void need_label_of(llvm::Function &function) {
    if (!taken_.contains(&function) && !added_.contains(&function))
      fail("a label of '" + function.getName() + "' is needed, which is not taken");
  }

  void need_global(llvm::GlobalValue &global) {
    if (global.isDeclarationForLinker())
      return;
    auto *object = llvm::dyn_cast<llvm::GlobalObject>(&global);
    if (object && (taken_.contains(object) || added_.contains(object) || may_be_copied(*object)))
      return need(*object);
    fail("'" + global.getName() + "' is needed, but the list does not say where it lives");
  }

  void visit(llvm::GlobalObject &object) {
    for (const llvm::Use &use : object.operands()) // initializer, personality
      need(*use.get());
    auto *function = llvm::dyn_cast<llvm::Function>(&object);
    if (!function)
      return;
    for (llvm::BasicBlock &block : *function)
      for (llvm::Instruction &instruction : block) {
        for (const llvm::Use &use : instruction.operands())
          need(*use.get());
        check_store(*function, instruction);
      }
  }

  // A label of a new function in an old variable is an error: the old function would jump there.
  void check_store(const llvm::Function &function, const llvm::Instruction &instruction) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store)
      return;
    const auto *value = llvm::dyn_cast<llvm::Constant>(store->getValueOperand());
    llvm::SmallPtrSet<const llvm::Constant *, 16> seen;
    if (!value || !refers_to_label(value, seen))
      return;
    const llvm::Value *place = llvm::getUnderlyingObject(store->getPointerOperand());
    if (ours_.contains(place))
      fail("'" + function.getName() + "' stores the address of a label to '" + place->getName() +
           "', which the running program has");
  }

  // ---- The remaining definitions

  void delete_rest() {
    llvm::SmallVector<llvm::GlobalValue *> rest;
    for (llvm::Function &function : module_)
      if (!needed_.contains(&function))
        rest.push_back(&function);
    for (llvm::GlobalVariable &variable : module_.globals())
      if (!needed_.contains(&variable))
        rest.push_back(&variable);
    for (llvm::GlobalAlias &alias : module_.aliases())
      rest.push_back(&alias);
    for (llvm::GlobalIFunc &ifunc : module_.ifuncs())
      rest.push_back(&ifunc);
    for (llvm::GlobalValue *value : rest)
      empty(*value);
    for (llvm::GlobalValue *value : rest) {
      value->removeDeadConstantUsers();
      if (value->use_empty())
        value->eraseFromParent();
    }
  }

  // Empties a definition. Aliases have no empty form, and are removed as a whole.
  static void empty(llvm::GlobalValue &value) {
    if (auto *function = llvm::dyn_cast<llvm::Function>(&value); function && !value.isDeclaration())
      function->deleteBody();
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
        variable && variable->hasInitializer()) {
      variable->setInitializer(nullptr);
      variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
    if (auto *object = llvm::dyn_cast<llvm::GlobalObject>(&value)) {
      object->setComdat(nullptr);
      object->clearMetadata();
    }
    // Another definition may be linked, or the dynamic linker's.
    if (value.isDeclaration() && value.hasDefaultVisibility())
      value.setDSOLocal(false);
  }

  void set_linkage(llvm::GlobalObject &object) {
    object.setComdat(nullptr);
    if (taken_.contains(&object))
      return object.setLinkage(llvm::GlobalValue::InternalLinkage);
    if (object.hasLocalLinkage())
      return;
    if (object.hasLinkOnceLinkage())
      object.setLinkage(llvm::GlobalValue::getWeakLinkage(object.hasLinkOnceODRLinkage()));
    object.setVisibility(llvm::GlobalValue::HiddenVisibility);
  }

  void name_new_functions() {
    for (const auto &[function, symbol] : new_functions_) {
      auto *alias = llvm::GlobalAlias::create(llvm::GlobalValue::ExternalLinkage, symbol, function);
      alias->setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
  }

  void forget_executable() {
    llvm::NamedMDNode *flags = module_.getModuleFlagsMetadata();
    const llvm::SmallVector<llvm::MDNode *> all(flags->operands());
    flags->clearOperands();
    for (llvm::MDNode *flag : all) {
      const llvm::StringRef key = llvm::cast<llvm::MDString>(flag->getOperand(1))->getString();
      if (key != "PIE Level" && key != "direct-access-external-data")
        flags->addOperand(flag);
    }
    for (llvm::GlobalVariable &variable : module_.globals())
      if (variable.isThreadLocal())
        variable.setThreadLocalMode(llvm::GlobalValue::GeneralDynamicTLSModel);
  }

  llvm::Module &module_;
  const ExtractList &list_;
  bool has_failed_ = false;
  llvm::SmallPtrSet<const llvm::GlobalObject *, 16> taken_;
  llvm::SmallPtrSet<const llvm::GlobalObject *, 16> added_;
  // Declarations of definitions that the program has.
  llvm::SmallPtrSet<const llvm::Value *, 16> ours_;
  llvm::SmallVector<llvm::GlobalObject *> roots_;
  llvm::SmallVector<std::pair<llvm::Function *, std::string>> new_functions_;
  llvm::SetVector<llvm::GlobalObject *> needed_;
  llvm::SmallVector<llvm::GlobalObject *> work_;
  llvm::SmallPtrSet<const llvm::Constant *, 32> seen_;
};

} // namespace

bool extract(llvm::Module &module, const ExtractList &list) {
  if (module.getNamedMetadata(kExtractedMark))
    return true;
  module.getOrInsertNamedMetadata(kExtractedMark);
  return Extractor(module, list).run();
}

} // namespace nophook
