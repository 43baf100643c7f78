// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One flag: what makes `-fplugin=` alone enough.
//
// A pass plugin cannot see the source's attributes, and a front-end plugin has no pass;
// asking for both with two flags is what users forget. So the front-end action, which runs
// before clang's own, also adds the pass to clang's back end. It does so through
// CodeGenOptions, which clang hands to plugins as const although the list of callbacks is
// meant to be added to: hence the one const_cast.
//
// In opt and lld there is no clang. Its symbols are weak here (CMakeLists.txt), and the
// action registers itself only where they exist.

#include "plugin.h"
#include "untraced.h"

#include "clang/AST/DeclBase.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace nophook {
namespace {

class Action : public clang::PluginASTAction {
public:
  bool ParseArgs(const clang::CompilerInstance &compiler,
                 const std::vector<std::string> &arguments) override {
    clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    if (!arguments.empty()) {
      diagnostics.Report(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                     "nophook: unknown plugin argument '%0'"))
          << arguments.front();
      return false;
    }
    auto &options = const_cast<clang::CodeGenOptions &>(compiler.getCodeGenOpts());
    // -save-temps optimizes in a second run of the compiler, on IR, which has no front end.
    if (options.DisableLLVMPasses && options.PassPlugins.empty())
      diagnostics.Report(diagnostics.getCustomDiagID(
          clang::DiagnosticsEngine::Warning,
          "nophook: the optimizer does not run here (-save-temps?), so nothing will be traceable: "
          "add -fpass-plugin= with the same file"));
    options.PassBuilderCallbacks.push_back(register_pass);
    return true;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &,
                                                        llvm::StringRef) override {
    return make_untraced_marker();
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

// Any function of clang will do. The compiler believes that its address is not null, so it
// is kept from seeing which one we ask for.
bool is_clang_here() {
  auto *function = &clang::Decl::castToDeclContext;
  __asm__("" : "+r"(function));
  return function != nullptr;
}

// Clang loads any plugin into any version, and a wrong one crashes somewhere inside. The
// version is asked by a function that has not changed for many versions.
void refuse_other_versions() {
  const std::string version = clang::getClangFullVersion();
  const std::string wanted = "clang version " CLANG_VERSION_MAJOR_STRING ".";
  if (version.find(wanted) != std::string::npos)
    return;
  fprintf(stderr, "nophook: this plugin is for %sx, but it is loaded by %s\n", wanted.c_str(),
          version.c_str());
  exit(1);
}

__attribute__((constructor)) void register_action() {
  if (!is_clang_here())
    return;
  refuse_other_versions();
  static const clang::FrontendPluginRegistry::Add<Action> kRegistration("nophook",
                                                                        "user-space ftrace");
}

} // namespace
} // namespace nophook
