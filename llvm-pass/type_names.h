// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_TYPE_NAMES_H
#define NOPHOOK_LLVM_PASS_TYPE_NAMES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"

#include <string>

namespace nophook {

// Names of debug info's types as the source would spell them: `const std::string &`,
// `struct point *`, `int (*)(long)`.
class TypeNames {
public:
  std::string name(const llvm::DIType *type, bool is_c, unsigned depth = 0);

private:
  std::string spell(const llvm::DIType &type, bool is_c, unsigned depth);
  std::string pointer_to(const llvm::DIType *base, const char *sign, bool is_c, unsigned depth);
  std::string function(const llvm::DISubroutineType &type, const std::string &inside, bool is_c,
                       unsigned depth);

  llvm::DenseMap<const llvm::DIType *, std::string> names_; // empty while in work
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_TYPE_NAMES_H
