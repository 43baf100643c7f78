// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_PROTOTYPE_WRITER_H
#define NOPHOOK_LLVM_PASS_PROTOTYPE_WRITER_H

#include "metadata_type.h"
#include "parameter_marks.h"
#include "places.h"
#include "prototypes/source_types.h"
#include "records.h"

namespace nophook {

// What `long double` of 16 bytes is on the module's target.
nophook_kind long_double_of(const llvm::Module &module);

// Writes a nophook_prototype for each function it is asked for.
class Prototypes {
public:
  // `machine` may be null: then no place is known.
  Prototypes(llvm::Module &module, const llvm::TargetMachine *machine,
             const DescriptorSections &sections)
      : module_(module), machine_(machine), sections_(sections),
        types_(table_, long_double_of(module)) {}

  // The id's low half, for the function's descriptor. Marks the function's parameters unless that
  // has been done. `flags`: what else is known of the function, enum nophook_prototype_flags.
  uint32_t add(llvm::Function &function, uint32_t flags);

  // A record of a function that is only declared. `call` and `flags` are those of struct
  // nophook_import; `is_typed`: the declaration is what the calls pass.
  void add_import(const llvm::Function &function, uint32_t call, uint32_t flags, bool is_typed);

  // Puts all of them into the module; call it once, at the end.
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
  PlacedValue result_;                           // of the function in work
  llvm::SmallVector<PlacedValue, 8> parameters_; // likewise
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_PROTOTYPE_WRITER_H
