// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Users of gcc, uftrace and -pg write `__attribute__((no_instrument_function))`, and the kernel
// spells notrace as `patchable_function_entry(0)`. Clang acts upon both in its front end, and
// neither leaves anything in the IR that a pass could see. One attribute does: XRay's "never",
// which becomes "function-instrument"="xray-never" and means nothing without -fxray-instrument. So
// the marker translates. With -fpass-plugin alone there is no front end to do so before LLVM 22:
// there, only xray_never_instrument works. Clang does not announce the call operator of a lambda
// before its code is generated, so it cannot be excluded this way. notrace of <ftrace.h> has both
// attributes and so works everywhere.

#include "untraced.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/DeclTemplate.h"

namespace nophook {
namespace {

bool is_untraced(const clang::FunctionDecl &function) {
  if (function.hasAttr<clang::NoInstrumentFunctionAttr>())
    return true;
  const auto *entry = function.getAttr<clang::PatchableFunctionEntryAttr>();
  return entry && entry->getCount() == 0;
}

void mark(clang::FunctionDecl &function) {
  if (is_untraced(function) && !function.hasAttr<clang::XRayInstrumentAttr>())
    function.addAttr(clang::XRayInstrumentAttr::CreateImplicit(
        function.getASTContext(), clang::SourceRange(),
        clang::XRayInstrumentAttr::GNU_xray_never_instrument));
}

// Visits declarations that contain functions, but no bodies: classes are announced by themselves.
void visit(clang::Decl &decl) {
  if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(&decl))
    mark(*function);
  else if (auto *made_from = llvm::dyn_cast<clang::FunctionTemplateDecl>(&decl))
    mark(*made_from->getTemplatedDecl());
  else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(decl))
    for (clang::Decl *inner : llvm::cast<clang::DeclContext>(decl).decls())
      visit(*inner);
}

class UntracedMarker : public clang::ASTConsumer {
public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *decl : group)
      visit(*decl);
    return true;
  }

  // Called for methods and friends with a body in the class.
  void HandleInlineFunctionDefinition(clang::FunctionDecl *function) override { mark(*function); }
};

} // namespace

std::unique_ptr<clang::ASTConsumer> make_untraced_marker() {
  return std::make_unique<UntracedMarker>();
}

} // namespace nophook
