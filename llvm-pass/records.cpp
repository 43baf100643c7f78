// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How records of include/nophook/prototype.h get into an object.
//
// Each is a constant array of words, and a link is the difference of two addresses, cut to 32
// bits: a PC-relative relocation that the linker resolves, nothing for the loader. Records name
// no function, so they may be ordinary variables, kept by llvm.compiler.used alone.
//
// The linker shall keep one of equal ones. Strings it can merge by itself. Records hold links,
// so their bytes differ wherever they lie; they are told apart by a hash of what they mean,
// which is in their name, and are in a COMDAT group of that name, as an inline function is.

#include "records.h"
#include "nophook/site.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/xxhash.h"

namespace nophook {

const DescriptorSections &descriptor_sections(bool in_file) {
  static constexpr DescriptorSections kLoaded = {NOPHOOK_ARGS_SECTION, NOPHOOK_PROTO_SECTION,
                                                 NOPHOOK_STRING_SECTION, "__nophook_"};
  static constexpr DescriptorSections kSide = {NOPHOOK_SIDE_ARGS_INPUT, NOPHOOK_SIDE_PROTO_INPUT,
                                               NOPHOOK_SIDE_STRING_INPUT, "__nophook_side_"};
  return in_file ? kSide : kLoaded;
}

uint64_t Record::hash() const {
  llvm::SmallVector<uint32_t, 64> content(words.begin(), words.end());
  for (const auto &[index, target] : links) {
    content.push_back(index);
    content.push_back(uint32_t(target.hash));
    content.push_back(uint32_t(target.hash >> 32));
  }
  return llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(content.data()), content.size() * sizeof(uint32_t)));
}

Target RecordWriter::string(llvm::StringRef text) {
  if (text.empty())
    return {};
  Target &target = strings_[text];
  if (target.variable)
    return target;
  llvm::Constant *bytes = llvm::ConstantDataArray::getString(module_.getContext(), text);
  target.variable =
      new llvm::GlobalVariable(module_, bytes->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::PrivateLinkage, bytes, "nophook.str");
  target.variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  target.variable->setAlignment(llvm::Align(1));
  target.variable->setSection(sections_.strings);
  target.hash = llvm::xxh3_64bits(text);
  return target;
}

llvm::Constant *RecordWriter::link(llvm::GlobalVariable *from, unsigned index,
                                   Target target) const {
  llvm::LLVMContext &context = module_.getContext();
  llvm::Type *word = llvm::Type::getInt32Ty(context);
  llvm::Type *address = llvm::Type::getInt64Ty(context);
  llvm::Constant *field = llvm::ConstantExpr::getInBoundsGetElementPtr(
      from->getValueType(), from,
      llvm::ArrayRef<llvm::Constant *>{llvm::ConstantInt::get(address, 0),
                                       llvm::ConstantInt::get(address, index)});
  return llvm::ConstantExpr::getTrunc(
      llvm::ConstantExpr::getSub(llvm::ConstantExpr::getPtrToInt(target.variable, address),
                                 llvm::ConstantExpr::getPtrToInt(field, address)),
      word);
}

Target RecordWriter::record(const Record &record, uint64_t hash, llvm::StringRef kind) {
  Target &target = records_[hash];
  if (target.variable)
    return target;
  llvm::LLVMContext &context = module_.getContext();
  auto *type = llvm::ArrayType::get(llvm::Type::getInt32Ty(context), record.words.size());
  const std::string name =
      (llvm::Twine(sections_.prefix) + kind + "." + llvm::utohexstr(hash, /*LowerCase=*/true))
          .str();
  // Somebody else's, or one of ours that an earlier run of the pass has left.
  if (llvm::GlobalVariable *old = module_.getGlobalVariable(name, /*AllowInternal=*/true)) {
    target = {old, hash};
    return target;
  }
  auto *variable = new llvm::GlobalVariable(module_, type, /*isConstant=*/true,
                                            llvm::GlobalValue::LinkOnceODRLinkage, nullptr, name);
  llvm::SmallVector<llvm::Constant *, 16> words;
  for (const uint32_t word : record.words)
    words.push_back(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), word));
  for (const auto &[index, to] : record.links)
    words[index] = link(variable, index, to);
  variable->setInitializer(llvm::ConstantArray::get(type, words));
  variable->setVisibility(llvm::GlobalValue::HiddenVisibility);
  variable->setDSOLocal(true);
  variable->setAlignment(llvm::Align(4));
  variable->setSection(sections_.records);
  variable->setComdat(module_.getOrInsertComdat(name));
  target = {variable, hash};
  return target;
}

} // namespace nophook
