// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The selection of functions that get a site.

#ifndef NOPHOOK_LLVM_PASS_SELECT_H
#define NOPHOOK_LLVM_PASS_SELECT_H

#include "options.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"

#include <string>

namespace nophook {

// The result for a function, and the first rule that left it out.
struct Selection {
  enum Kind {
    kIn,         // it gets a site
    kLeftOut,    // the user's choice leaves it out
    kImpossible, // it cannot have a site
  };
  Kind kind = kIn;
  // For kLeftOut and kImpossible: a word for the remark, and a sentence's end for people.
  llvm::StringRef name;
  std::string why;
};

// Whether the source wants the function traced, whatever the options are.
bool is_always_traced(const llvm::Function &function);

// Whether the source wants the function not traced.
bool is_never_traced(const llvm::Function &function);

// Decides about the definitions of one module.
class Selector {
public:
  // `site_units` is the value of our own "patchable-function-entry"; `is_one_file`: the module is
  // not many files merged.
  Selector(const llvm::Module &module, const Options &options, llvm::StringRef site_units,
           bool is_one_file);

  Selection select(const llvm::Function &function) const;

private:
  Selection select_possible(const llvm::Function &function) const;
  Selection select_wanted(const llvm::Function &function) const;

  const Options &options_;
  llvm::StringRef site_units_;
  bool is_file_untraced_;
  llvm::SmallPtrSet<const llvm::Function *, 4> resolvers_;
  llvm::SmallPtrSet<const llvm::Function *, 4> exported_by_alias_;
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_SELECT_H
