// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The prototypes of a module's functions, as records in its object.

#ifndef NOPHOOK_LLVM_PASS_PROTOTYPE_WRITER_H
#define NOPHOOK_LLVM_PASS_PROTOTYPE_WRITER_H

#include "metadata_type.h"
#include "parameter_marks.h"
#include "places.h"
#include "prototypes/source_types.h"
#include "records.h"

namespace nophook {

// The kind of a `long double` of 16 bytes on the module's target.
nophook_kind long_double_of(const llvm::Module &module);

// Writes a nophook_prototype for each function that is added.
class Prototypes {
public:
  // `machine` may be null: then all places are unknown.
  Prototypes(llvm::Module &module, const llvm::TargetMachine *machine,
             const DescriptorSections &sections)
      : module_(module), machine_(machine), sections_(sections),
        types_(table_, long_double_of(module)) {}

  // Adds a function, and returns the id's low half for its descriptor. Marks the function's
  // parameters unless that has been done. `flags`: more facts about the function, enum
  // nophook_prototype_flags.
  uint32_t add(llvm::Function &function, uint32_t flags);

  // Adds the record of a function that is only declared. `call` and `flags` are those of struct
  // nophook_import; `is_typed`: the calls pass the declaration's types.
  void add_import(const llvm::Function &function, uint32_t call, uint32_t flags, bool is_typed);

  // Puts all records into the module; call it once, at the end.
  void finish() { write_records(module_, sections_, table_); }

private:
  Lowering begin(const llvm::Function &function);
  PlacedValue from_ir(const llvm::Type *type, llvm::AttributeSet attributes, Pieces pieces);
  void add_ir(const llvm::Function &function, const Lowering &lowering);
  bool add_declared(const llvm::Function &function, const Lowering &lowering);
  void add_source(const llvm::Function &function, const Lowering &lowering);
  PlacedValue source_parameter(const llvm::Function &function, const Lowering &lowering,
                               const llvm::DILocalVariable *variable, const llvm::DIType *type,
                               unsigned number, unsigned expected, bool is_c);
  PlacedValue source_result(const llvm::Function &function, const Lowering &lowering,
                            const llvm::DIType *type, const SourceShape &shape, bool is_c);

  llvm::Module &module_;
  const llvm::TargetMachine *machine_;
  const DescriptorSections &sections_;
  RecordTable table_;
  SourceTypes<MetadataType> types_;
  PlacedValue result_;                           // result of the present function
  llvm::SmallVector<PlacedValue, 8> parameters_; // parameters of the present function
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_PROTOTYPE_WRITER_H
