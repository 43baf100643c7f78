// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of debug info in the compiler; recordmcount has the same for DWARF.

#ifndef NOPHOOK_LLVM_PASS_METADATA_TYPE_H
#define NOPHOOK_LLVM_PASS_METADATA_TYPE_H

#include "prototypes/debug_type.h"

#include "llvm/IR/DebugInfoMetadata.h"

namespace nophook {

using namespace prototypes;

// A type of LLVM's metadata, with the members that prototypes/debug_type.h requires.
class MetadataType {
public:
  MetadataType(const llvm::DIType *type = nullptr) : type_(type) {}

  explicit operator bool() const { return type_; }
  const void *key() const { return type_; }
  unsigned tag() const { return type_->getTag(); }
  unsigned encoding() const;
  std::string name() const { return type_->getName().str(); }
  std::string scope() const;
  uint64_t bytes() const { return type_->getSizeInBits() / 8; }
  MetadataType base() const;
  MetadataType class_type() const;
  bool is_vector() const;
  bool is_declaration() const { return type_->isForwardDecl(); }
  llvm::SmallVector<int64_t, 2> bounds() const;
  llvm::SmallVector<MetadataType, 8> parameters() const;
  bool is_variadic() const;
  DebugMembers<MetadataType> members(unsigned limit) const;
  llvm::SmallVector<DebugEnumerator, 8> enumerators(unsigned limit) const;
  llvm::StringRef identifier() const;

private:
  const llvm::DIType *type_;
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_METADATA_TYPE_H
