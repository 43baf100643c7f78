// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The costs of functions, threads, modules or files, as a table or one JSON object a line, with the
// columns that the user chose.
//
// Not every recording has every column: the function tracer records no durations, and a profile has
// sums, of which no percentiles can be made. A requested column that is not there is an error with
// the reason.

#pragma once

#include "foundation/output.h"
#include "read/analyse/costs.h"
#include "show/print/duration.h"
#include "show/print/trace_options.h"

namespace nophook {

enum class CostColumn : uint8_t {
  kSelf,
  kSelfPercent,
  kTotal,
  kHits,
  kAverage,
  kP50,
  kP90,
  kP99,
  kMax,
  kName, // the last column of each table; only to sort by it
};

// The user's choices.
struct CostTableOptions {
  std::string by;     // kind of rows: function, thread, module, file
  std::string fields; // names of columns with commas between them; empty: those of --top
  std::string sort;   // name of a column; empty: self
  uint64_t rows = 0;  // the most rows; 0: all
  uint64_t min_calls = 0;
  bool json = false;
  bool graph_time = true; // the trace option graph-time
  bool srcline = false;
  TimeUnit unit = TimeUnit::kAuto;
};

// Names of columns for completion and help: "self self% total ...".
extern const char *const kCostFields;
extern const char *const kCostGroups;

class CostTable {
public:
  // Makes a table. Fails if the recording lacks a requested column.
  static Result<CostTable> of(const Recording &recording, const CostTableOptions &options);

  const CostQuery &query() const { return query_; } // the facts that read_costs must find

  // Prints the rows in the requested order.
  void print(Output &output, Functions &functions, const TscClock &clock,
             std::vector<FunctionCost> costs) const;

private:
  struct Row;
  void sort(std::vector<FunctionCost> *costs, Functions &functions) const;
  void print_row(Output &output, const FunctionCost &cost, Functions &functions,
                 const TscClock &clock, uint64_t all_ticks) const;
  std::string cell(CostColumn column, const FunctionCost &cost, const TscClock &clock,
                   uint64_t all_ticks) const;
  std::string json_row(const FunctionCost &cost, Functions &functions, const TscClock &clock,
                       uint64_t all_ticks) const;

  CostTableOptions options_;
  CostQuery query_;
  std::vector<CostColumn> columns_; // columns without the name
  CostColumn sorted_by_ = CostColumn::kSelf;
};

} // namespace nophook
