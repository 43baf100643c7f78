// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPHOOK_LLVM_PASS_PROTOTYPE_H
#define NOPHOOK_LLVM_PASS_PROTOTYPE_H

#include "parameter_marks.h"
#include "places.h"
#include "records.h"
#include "source_types.h"

namespace nophook {

// Writes a nophook_prototype for each function it is asked for.
class Prototypes {
public:
  // `machine` may be null: then no place is known.
  Prototypes(llvm::Module &module, const llvm::TargetMachine *machine,
             const DescriptorSections &sections)
      : module_(module), machine_(machine), writer_(module, sections), types_(writer_) {}

  // The id's low half, for the function's descriptor. Marks the function's parameters if nobody
  // has before. `flags`: what else is known of it, enum nophook_prototype_flags.
  uint32_t add(llvm::Function &function, uint32_t flags);

  // Keeps what was written; call it once, at the end.
  void finish();

private:
  struct Value {
    Target name;
    Described type;
    Pieces pieces;
    uint32_t flags = 0; // of its place
  };

  Value from_ir(const llvm::Type *type, llvm::AttributeSet attributes, Pieces pieces);
  void add_ir(const llvm::Function &function, const Lowering &lowering);
  void add_source(const llvm::Function &function, const Lowering &lowering);
  Value source_parameter(const llvm::Function &function, const Lowering &lowering,
                         const llvm::DILocalVariable *variable, const llvm::DIType *type,
                         unsigned number, unsigned expected, bool is_c);
  Value source_result(const llvm::Function &function, const Lowering &lowering,
                      const llvm::DIType *type, const SourceShape &shape, bool is_c);
  uint32_t place_of(const Value &value, llvm::SmallVectorImpl<Piece> &more) const;

  llvm::Module &module_;
  const llvm::TargetMachine *machine_;
  RecordWriter writer_;
  SourceTypes types_;
  Value result_;                           // of the function in work
  llvm::SmallVector<Value, 8> parameters_; // likewise
  llvm::SmallVector<llvm::GlobalValue *> written_;
  llvm::DenseSet<uint64_t> known_;
};

} // namespace nophook

#endif // NOPHOOK_LLVM_PASS_PROTOTYPE_H
