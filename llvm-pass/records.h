// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sections of an object that hold records of nophook/prototype.h.

#ifndef NOPHOOK_LLVM_PASS_RECORDS_H
#define NOPHOOK_LLVM_PASS_RECORDS_H

#include "prototypes/record_table.h"

#include "llvm/IR/Module.h"

namespace nophook {

using namespace prototypes;

// The sections in which an object keeps its descriptors. Records of another `prefix` are never
// merged with these.
struct DescriptorSections {
  const char *args, *records, *strings;
  const char *prefix; // prefix of the records' symbols
};
const DescriptorSections &descriptor_sections(bool in_file);

// Puts the table's records and texts into a module, and keeps them there.
void write_records(llvm::Module &module, const DescriptorSections &sections,
                   const RecordTable &table);

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_RECORDS_H
