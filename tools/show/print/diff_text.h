// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The differences between two recordings (read/analyse/diff.h), as a table or one JSON object a
// line.

#pragma once

#include "foundation/output.h"
#include "read/analyse/diff.h"
#include "show/print/duration.h"

namespace nophook {

extern const char *const kDiffFields; // their names: "self total p99 hits"

// The user's choices.
struct DiffTableOptions {
  std::string fields = {}; // names with commas between; empty: all that both recordings have
  std::string sort = {};   // name of a field; empty: self, or hits
  uint64_t rows = 0;       // the most rows; 0: all
  bool json = false;
  TimeUnit unit = TimeUnit::kAuto;
};

class DiffTable {
public:
  // Makes a table. Fails if one of the recordings lacks a requested field.
  static Result<DiffTable> of(const Recording &before, const Recording &after,
                              const DiffTableOptions &options);

  bool needs_durations() const; // whether the costs need durations: CostQuery
  void print(Output &output, const DiffSide &before, const DiffSide &after) const;

private:
  DiffTableOptions options_;
  std::vector<FunctionChange::Field> fields_;
  FunctionChange::Field sorted_by_ = FunctionChange::kSelf;
};

} // namespace nophook
