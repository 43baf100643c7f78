// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_RECORDS_H
#define NOPHOOK_LLVM_PASS_RECORDS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

#include <cstdint>

namespace nophook {

// Where an object keeps its descriptors. Records of another `prefix` are never merged with these.
struct DescriptorSections {
  const char *args, *records, *strings;
  const char *prefix; // of the records' symbols
};
const DescriptorSections &descriptor_sections(bool in_file);

// What a link leads to: a string or a record, and a hash of its content. Null: nothing.
struct Target {
  llvm::GlobalVariable *variable = nullptr;
  uint64_t hash = 0;
};

// A record in the making: words, some of which are links.
struct Record {
  llvm::SmallVector<uint32_t, 16> words;
  llvm::SmallVector<std::pair<unsigned, Target>, 8> links; // (index of the word, target)

  void add(uint32_t word) { words.push_back(word); }
  void add(Target target) {
    if (target.variable)
      links.push_back({unsigned(words.size()), target});
    words.push_back(0);
  }
  uint64_t hash() const;
};

// Puts records and strings into a module, each content once.
class RecordWriter {
public:
  RecordWriter(llvm::Module &module, const DescriptorSections &sections)
      : module_(module), sections_(sections) {}

  Target string(llvm::StringRef text); // empty: nothing
  Target record(const Record &record, uint64_t hash, llvm::StringRef kind);

private:
  llvm::Constant *link(llvm::GlobalVariable *from, unsigned index, Target target) const;

  llvm::Module &module_;
  const DescriptorSections &sections_;
  llvm::StringMap<Target> strings_;
  llvm::DenseMap<uint64_t, Target> records_;
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_RECORDS_H
