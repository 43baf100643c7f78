// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers questions about a type from LLVM's metadata.

#include "metadata_type.h"

#include "llvm/IR/Constants.h"

namespace nophook {

using llvm::dyn_cast;
using llvm::dyn_cast_or_null;

static_assert(IsDebugType<MetadataType>);

unsigned MetadataType::encoding() const {
  const auto *basic = dyn_cast<llvm::DIBasicType>(type_);
  return basic ? basic->getEncoding() : 0;
}

std::string MetadataType::scope() const {
  std::string text;
  const llvm::DIScope *scope = type_->getScope();
  for (unsigned depth = 0; scope && depth < kDeepestType; depth++) {
    if (const auto *space = dyn_cast<llvm::DINamespace>(scope)) {
      // An inline namespace is a matter of the ABI: std::__cxx11::string.
      if (!space->getExportSymbols())
        text = (space->getName().empty() ? "(anonymous)" : space->getName().str()) + "::" + text;
      scope = space->getScope();
    } else if (const auto *type = dyn_cast<llvm::DICompositeType>(scope)) {
      text = (type->getName().empty() ? "(anonymous)" : type->getName().str()) + "::" + text;
      scope = type->getScope();
    } else {
      break;
    }
  }
  return text;
}

MetadataType MetadataType::base() const {
  if (const auto *derived = dyn_cast<llvm::DIDerivedType>(type_))
    return derived->getBaseType();
  if (const auto *composite = dyn_cast<llvm::DICompositeType>(type_))
    return composite->getBaseType();
  const auto *callee = dyn_cast<llvm::DISubroutineType>(type_);
  const llvm::DITypeRefArray types = callee ? callee->getTypeArray() : nullptr;
  return types && types.size() ? types[0] : nullptr;
}

MetadataType MetadataType::class_type() const {
  const auto *derived = dyn_cast<llvm::DIDerivedType>(type_);
  return derived ? derived->getClassType() : nullptr;
}

bool MetadataType::is_vector() const {
  const auto *composite = dyn_cast<llvm::DICompositeType>(type_);
  return composite && composite->isVector();
}

llvm::SmallVector<int64_t, 2> MetadataType::bounds() const {
  llvm::SmallVector<int64_t, 2> result;
  if (const auto *array = dyn_cast<llvm::DICompositeType>(type_))
    for (const llvm::DINode *element : array->getElements())
      if (const auto *range = dyn_cast_or_null<llvm::DISubrange>(element)) {
        const auto count = range->getCount();
        const auto *number = llvm::dyn_cast_if_present<llvm::ConstantInt *>(count);
        result.push_back(number ? std::max<int64_t>(-1, number->getSExtValue()) : -1);
      }
  return result;
}

// A null at the end of the types is `...`.
bool MetadataType::is_variadic() const {
  const auto *callee = dyn_cast<llvm::DISubroutineType>(type_);
  const llvm::DITypeRefArray types = callee ? callee->getTypeArray() : nullptr;
  return types && types.size() > 1 && !types[types.size() - 1];
}

llvm::SmallVector<MetadataType, 8> MetadataType::parameters() const {
  llvm::SmallVector<MetadataType, 8> result;
  const auto *callee = dyn_cast<llvm::DISubroutineType>(type_);
  const llvm::DITypeRefArray types = callee ? callee->getTypeArray() : nullptr;
  const unsigned count = types ? types.size() : 0;
  for (unsigned i = 1; i + is_variadic() < count; i++)
    result.push_back(types[i]);
  return result;
}

DebugMembers<MetadataType> MetadataType::members(unsigned limit) const {
  DebugMembers<MetadataType> result;
  const auto *composite = dyn_cast<llvm::DICompositeType>(type_);
  if (!composite)
    return result;
  for (const llvm::DINode *node : composite->getElements()) {
    const auto *item = dyn_cast_or_null<llvm::DIDerivedType>(node);
    if (!item || item->isStaticMember())
      continue;
    const bool is_base = item->getTag() == llvm::dwarf::DW_TAG_inheritance;
    if (!is_base && item->getTag() != llvm::dwarf::DW_TAG_member)
      continue;
    if (item->isArtificial() || item->isVirtual()) { // vptr; virtual bases have no fixed place
      result.has_hidden = true;
      continue;
    }
    if (result.fixed.size() == limit) {
      result.has_more = true;
      break;
    }
    result.fixed.push_back({is_base ? std::string() : item->getName().str(), item->getBaseType(),
                            item->getOffsetInBits(), is_base ? 0 : item->getSizeInBits(), is_base});
  }
  return result;
}

llvm::SmallVector<DebugEnumerator, 8> MetadataType::enumerators(unsigned limit) const {
  llvm::SmallVector<DebugEnumerator, 8> result;
  if (const auto *composite = dyn_cast<llvm::DICompositeType>(type_))
    for (const llvm::DINode *node : composite->getElements())
      if (const auto *item = dyn_cast_or_null<llvm::DIEnumerator>(node);
          item && result.size() < limit)
        result.push_back({item->getName(), item->getValue().sextOrTrunc(64).getZExtValue()});
  return result;
}

llvm::StringRef MetadataType::identifier() const {
  const auto *composite = dyn_cast<llvm::DICompositeType>(type_);
  return composite ? composite->getIdentifier() : "";
}

} // namespace nophook
