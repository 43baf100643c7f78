// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the one flag `-fplugin=` enough.
//
// A pass plugin cannot see the source's attributes, and a front-end plugin has no pass.
// With two flags for both, users forget one. So the front-end action, which runs
// before clang's own, also adds the pass to clang's back end. It does so through
// CodeGenOptions, which clang hands to plugins as const although the list of callbacks is
// meant to be added to: hence the one const_cast.
//
// Options are read here and not in the pass, so that a wrong option is one error of the command
// line, also for a file without functions.
//
// In opt and lld there is no clang. Its symbols are weak here (CMakeLists.txt), and the
// action registers itself only where they exist.

#include "compat.h"
#include "options.h"
#include "plugin.h"
#include "trace_attribute.h"
#include "untraced.h"

#include "clang/AST/DeclBase.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace nophook {
namespace {

// Reports problems as clang's own diagnostics.
void report(clang::DiagnosticsEngine &diagnostics, clang::DiagnosticsEngine::Level level,
            const std::string &message) {
  diagnostics.Report(diagnostics.getCustomDiagID(level, "nophook: %0")) << message;
}

// Refuses flags that put other code where the site would be. They are of no use beside it.
bool refuse_other_entries(const clang::CodeGenOptions &options,
                          clang::DiagnosticsEngine &diagnostics) {
  const char *flag = nullptr;
  if (options.InstrumentForProfiling)
    flag = "-pg";
  else if (options.PatchableFunctionEntryCount || options.PatchableFunctionEntryOffset)
    flag = "-fpatchable-function-entry";
  if (!flag)
    return false;
  report(diagnostics, clang::DiagnosticsEngine::Error,
         std::string(flag) + " and the plugin both want the entry of each function: leave " + flag +
             " out");
  return true;
}

// A list is an input like a header: with it in the .d file a change of it rebuilds the object. LLVM
// 19 gives no access to the writer of that file; but it listens to the preprocessor, and there a
// `__has_include` of a file makes it an input.
void add_dependencies(clang::CompilerInstance &compiler, const std::vector<std::string> &paths) {
  clang::PPCallbacks *listeners = compiler.getPreprocessor().getPPCallbacks();
  if (!listeners)
    return;
  for (const std::string &path : paths)
    listeners->HasInclude(clang::SourceLocation(), path, /*IsAngled=*/false,
                          compiler.getFileManager().getOptionalFileRef(path),
                          clang::SrcMgr::C_User);
}

class Action : public clang::PluginASTAction {
public:
  bool ParseArgs(const clang::CompilerInstance &const_compiler,
                 const std::vector<std::string> &arguments) override {
    auto &compiler = const_cast<clang::CompilerInstance &>(const_compiler);
    clang::DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
    clang::CodeGenOptions &code = compiler.getCodeGenOpts();
    if (refuse_other_entries(code, diagnostics))
      return false;
    Options options;
    for (const std::string &argument : arguments)
      if (llvm::Error error =
              parse_option(argument, options, compiler.getFileManager().getVirtualFileSystem())) {
        report(diagnostics, clang::DiagnosticsEngine::Error, llvm::toString(std::move(error)));
        return false;
      }
    add_dependencies(compiler, options.include.paths());
    add_dependencies(compiler, options.exclude.paths());
    if (options.extract)
      add_dependencies(compiler, {options.extract->path()});
    // -save-temps optimizes in a second run of the compiler, on IR, which has no front end.
    if (code.DisableLLVMPasses && code.PassPlugins.empty())
      report(diagnostics, clang::DiagnosticsEngine::Warning,
             "the optimizer does not run here (-save-temps?), so nothing will be traceable: "
             "add -fpass-plugin= with the same file");
    else if (code.DisableLLVMPasses && !arguments.empty())
      report(diagnostics, clang::DiagnosticsEngine::Warning,
             "the optimizer does not run here (-save-temps?), and -fpass-plugin= has no options: "
             "'" +
                 arguments.front() + "' has no effect");
    plugin_options() = std::move(options);
    code.PassBuilderCallbacks.push_back(register_pass);
    return true;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &,
                                                        llvm::StringRef) override {
    return make_untraced_marker();
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

// Any function of clang will do. The compiler believes that its address is not null, so the
// function is hidden from it.
bool is_clang_here() {
  auto *function = &clang::Decl::castToDeclContext;
  __asm__("" : "+r"(function));
  return function != nullptr;
}

// Clang loads any plugin into any version, and a wrong one crashes somewhere inside. A
// function that has not changed for many versions gives the version. No diagnostics engine is
// there yet, so the message is printed in the form of clang's own.
void refuse_other_versions() {
  const std::string version = clang::getClangFullVersion();
  const std::string wanted = "clang version " + std::to_string(kLlvmMajor) + ".";
  if (version.find(wanted) != std::string::npos)
    return;
  fprintf(stderr,
          "error: nophook: this plugin is for %sx, but it is loaded by %s: compile with clang-%u, "
          "or build the plugin for this clang (cmake -DNOPHOOK_LLVM=...)\n",
          wanted.c_str(), version.c_str(), kLlvmMajor);
  exit(1);
}

__attribute__((constructor)) void register_action() {
  if (!is_clang_here())
    return;
  refuse_other_versions();
  register_trace_attribute();
  static const clang::FrontendPluginRegistry::Add<Action> kRegistration("nophook",
                                                                        "user-space ftrace");
}

} // namespace
} // namespace nophook
