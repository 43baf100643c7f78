// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes records of include/nophook/prototype.h into an object.
//
// Each is a constant array of words, and a link to a text is the difference of two addresses, cut
// to 32 bits: a PC-relative relocation that the linker resolves, nothing for the loader. Records
// name no function, so they may be ordinary variables, kept by llvm.compiler.used alone.
//
// The linker must keep one of equal records. It merges strings by itself. Records hold links,
// so their bytes differ with their places. They are identified by a hash of their meaning,
// which is in their name, and are in a COMDAT group of that name, as an inline function is. None
// refers to another: objects whose hidden symbols are local would then not link.

#include "records.h"
#include "nophook/prototype.h"
#include "nophook/site.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace nophook {

const DescriptorSections &descriptor_sections(bool in_file) {
  static constexpr DescriptorSections kLoaded = {NOPHOOK_ARGS_SECTION, NOPHOOK_PROTO_SECTION,
                                                 NOPHOOK_STRING_SECTION, "__nophook_"};
  static constexpr DescriptorSections kSide = {NOPHOOK_SIDE_ARGS_INPUT, NOPHOOK_SIDE_PROTO_INPUT,
                                               NOPHOOK_SIDE_STRING_INPUT, "__nophook_side_"};
  return in_file ? kSide : kLoaded;
}

namespace {

using Variables = std::vector<llvm::GlobalVariable *>;

class RecordWriter {
public:
  RecordWriter(llvm::Module &module, const DescriptorSections &sections, const RecordTable &table)
      : module_(module), sections_(sections), table_(table), texts_(table.texts().size()) {}

  void run();

private:
  llvm::GlobalVariable *text(uint32_t number);
  llvm::GlobalVariable *record(const RecordTable::Named &named);
  llvm::Constant *link(llvm::GlobalVariable *from, unsigned index, llvm::GlobalVariable *to);

  llvm::Module &module_;
  const DescriptorSections &sections_;
  const RecordTable &table_;
  Variables texts_; // variables of the texts, by number
};

llvm::GlobalVariable *RecordWriter::text(uint32_t number) {
  llvm::GlobalVariable *&variable = texts_[number];
  if (variable)
    return variable;
  llvm::Constant *bytes =
      llvm::ConstantDataArray::getString(module_.getContext(), table_.texts()[number]);
  variable = new llvm::GlobalVariable(module_, bytes->getType(), /*isConstant=*/true,
                                      llvm::GlobalValue::PrivateLinkage, bytes, "nophook.str");
  variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  variable->setAlignment(llvm::Align(1));
  variable->setSection(sections_.strings);
  return variable;
}

llvm::Constant *RecordWriter::link(llvm::GlobalVariable *from, unsigned index,
                                   llvm::GlobalVariable *to) {
  llvm::LLVMContext &context = module_.getContext();
  llvm::Type *word = llvm::Type::getInt32Ty(context);
  llvm::Type *address = llvm::Type::getInt64Ty(context);
  llvm::Constant *field = llvm::ConstantExpr::getInBoundsGetElementPtr(
      from->getValueType(), from,
      llvm::ArrayRef<llvm::Constant *>{llvm::ConstantInt::get(address, 0),
                                       llvm::ConstantInt::get(address, index)});
  return llvm::ConstantExpr::getTrunc(
      llvm::ConstantExpr::getSub(llvm::ConstantExpr::getPtrToInt(to, address),
                                 llvm::ConstantExpr::getPtrToInt(field, address)),
      word);
}

llvm::GlobalVariable *RecordWriter::record(const RecordTable::Named &named) {
  const LinkedRecord &record = named.record;
  llvm::Type *word = llvm::Type::getInt32Ty(module_.getContext());
  auto *type = llvm::ArrayType::get(word, record.words.size());
  const std::string name = sections_.prefix + named.name;
  // The variable is not ours, or an earlier run of the pass has left it.
  if (llvm::GlobalVariable *old = module_.getGlobalVariable(name, /*AllowInternal=*/true))
    return old;
  auto *variable = new llvm::GlobalVariable(module_, type, /*isConstant=*/true,
                                            llvm::GlobalValue::LinkOnceODRLinkage, nullptr, name);
  llvm::SmallVector<llvm::Constant *, 16> words;
  for (const uint32_t value : record.words)
    words.push_back(llvm::ConstantInt::get(word, value));
  for (const auto &[index, to] : record.links)
    if (to.kind == Target::kText)
      words[index] = link(variable, index, text(to.number));
  variable->setInitializer(llvm::ConstantArray::get(type, words));
  variable->setVisibility(llvm::GlobalValue::HiddenVisibility);
  variable->setDSOLocal(true);
  variable->setAlignment(llvm::Align(4));
  variable->setSection(sections_.records);
  variable->setComdat(module_.getOrInsertComdat(name));
  return variable;
}

void RecordWriter::run() {
  llvm::SmallVector<llvm::GlobalValue *> kept;
  for (const RecordTable::Named &named : table_.records())
    kept.push_back(record(named));
  if (!kept.empty())
    llvm::appendToCompilerUsed(module_, kept);
}

} // namespace

void write_records(llvm::Module &module, const DescriptorSections &sections,
                   const RecordTable &table) {
  RecordWriter(module, sections, table).run();
}

} // namespace nophook
