// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `__attribute__((nophook_always_trace))`, to which alwaystrace of <ftrace.h> expands: this
// function gets a site whatever lists and limits there are.
//
// An attribute of our own, because no attribute of clang's both may stand wherever users write GNU
// attributes and leaves a trace in the IR. It exists only while the plugin is loaded by -fplugin=,
// and __has_attribute shows that; so <ftrace.h> makes it vanish elsewhere. It becomes an attribute
// that clang lowers by itself, see marks.h. Clang treats it as its own from there on, so templates,
// lambdas and redeclarations need nothing from us.

#include "trace_attribute.h"
#include "marks.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

namespace nophook {
namespace {

constexpr clang::ParsedAttrInfo::Spelling kSpellings[] = {
    {clang::AttributeCommonInfo::AS_GNU, "nophook_always_trace"},
    {clang::AttributeCommonInfo::AS_CXX11, "nophook::always_trace"},
    {clang::AttributeCommonInfo::AS_C23, "nophook::always_trace"},
};

struct AlwaysTrace : public clang::ParsedAttrInfo {
  AlwaysTrace() { Spellings = kSpellings; }

  bool diagAppertainsToDecl(clang::Sema &sema, const clang::ParsedAttr &attribute,
                            const clang::Decl *decl) const override {
    if (llvm::isa<clang::FunctionDecl>(decl))
      return true;
    clang::DiagnosticsEngine &diagnostics = sema.getDiagnostics();
    diagnostics.Report(attribute.getLoc(),
                       diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Warning,
                                                   "nophook: only functions can be traced; "
                                                   "'nophook_always_trace' is ignored"));
    return false;
  }

  AttrHandling handleDeclAttribute(clang::Sema &sema, clang::Decl *decl,
                                   const clang::ParsedAttr &attribute) const override {
    decl->addAttr(clang::OMPAssumeAttr::Create(sema.Context, kAlwaysValue, attribute.getRange()));
    return AttributeApplied;
  }
};

} // namespace

void register_trace_attribute() {
  static const clang::ParsedAttrInfoRegistry::Add<AlwaysTrace> kRegistration(
      "nophook_always_trace", "trace this function whatever the options say");
}

} // namespace nophook
