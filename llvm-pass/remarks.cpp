// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's report on each function, as optimization remarks, so that
// -Rpass=nophook, -Rpass-missed=nophook and -fsave-optimization-record show it like the
// inliner's decisions. Building a remark costs nothing unless remarks are enabled.

#include "remarks.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"

namespace nophook {
namespace {

constexpr char kPass[] = "nophook";

const char *describe(nophook_call_reason reason) {
  switch (reason) {
  case NOPHOOK_REASON_NONE:
    return "no reason";
  case NOPHOOK_REASON_VARIADIC:
    return "it is variadic";
  case NOPHOOK_REASON_CALLEE_POPS:
    return "it pops its own arguments";
  case NOPHOOK_REASON_RETURNS_TWICE:
    return "it returns twice";
  case NOPHOOK_REASON_RETURN_ADDRESS:
    return "it reads its return address or an outer frame";
  case NOPHOOK_REASON_CONVENTION:
    return "its calling convention does not allow for a frame between";
  case NOPHOOK_REASON_STACK_SIZE:
    return "it has too many stack arguments";
  case NOPHOOK_REASON_NO_DESCRIPTOR:
    return "it has no descriptor";
  case NOPHOOK_REASON_AFTER_PROLOGUE:
    return "its site is behind the prologue";
  case NOPHOOK_REASON_UNKNOWN_CODE:
    return "its code is not understood";
  }
  return "its reason is unknown";
}

} // namespace

void remark_site(const llvm::Function &function, const Classification &classification) {
  llvm::OptimizationRemarkEmitter(&function).emit([&] {
    llvm::OptimizationRemark remark(kPass, "Instrumented", &function);
    remark << llvm::ore::NV("Function", &function);
    switch (classification.how) {
    case NOPHOOK_CALL_THROUGH:
      return remark << " is traceable: entry and exit";
    case NOPHOOK_CALL_COPY:
      return remark << " is traceable: entry and exit, with a copy of "
                    << llvm::ore::NV("StackBytes", classification.stack_bytes)
                    << " bytes of stack arguments";
    case NOPHOOK_CALL_ENTRY_ONLY:
      break;
    }
    return remark << " is traceable: entry only, "
                  << llvm::ore::NV("Reason", describe(classification.reason));
  });
}

void remark_site(const llvm::Function &function, llvm::StringRef why) {
  llvm::OptimizationRemarkEmitter(&function).emit([&] {
    return llvm::OptimizationRemark(kPass, "Instrumented", &function)
           << llvm::ore::NV("Function", &function) << " is traceable: " << why;
  });
}

void remark_no_site(const llvm::Function &function, const Selection &selection) {
  llvm::OptimizationRemarkEmitter(&function).emit([&] {
    return llvm::OptimizationRemarkMissed(kPass, selection.name, &function)
           << llvm::ore::NV("Function", &function)
           << " is not traceable: " << llvm::ore::NV("Reason", selection.why);
  });
}

void warn_no_site(const llvm::Function &function, const Selection &selection) {
  const std::string text = "nophook: '" + function.getName().str() +
                           "' is marked always to be traced, but it cannot be: " + selection.why;
  function.getContext().diagnose(llvm::DiagnosticInfoUnsupported(
      function, text, llvm::DiagnosticLocation(function.getSubprogram()), llvm::DS_Warning));
}

} // namespace nophook
