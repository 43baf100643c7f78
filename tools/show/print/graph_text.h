// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines of function_graph, with a rule where another thread takes over a CPU.
//
//      CPU  DURATION                  FUNCTION CALLS
//      |     |   |                     |   |   |   |
//      0)               |  luaD_call() {
//      0)   0.680 us    |    luaD_precall();
//      0) + 13.060 us   |  }

#pragma once

#include "show/print/trace_context.h"

#include <optional>
#include <unordered_map>

namespace nophook {

class GraphText {
public:
  explicit GraphText(const TraceContext &context) : context_(context) {}

  void header();
  void step(const Thread &thread, const Step &step);

private:
  void task_switch(const Thread &thread, const Step &step);
  void columns(const Thread &thread, const Step &step);
  void mark_text_of(const Thread &thread, const Step &step);
  void begin_text(const Thread &thread, const Step &step);
  void close_text(const Thread &thread, const Step &step);
  void comment(std::initializer_list<std::string_view> words);

  const TraceContext &context_;
  uint32_t last_cpu_ = 0; // CPU of the last step, which belonged to last_stream_
  std::optional<uint32_t> last_stream_;
  uint32_t column_cpu_ = 0;
  std::string cpu_column_; // text for column_cpu_, unless empty
  struct Last {
    uint32_t stream;
    std::string label;
  };
  std::unordered_map<uint32_t, Last> last_;     // last call by CPU
  std::unordered_map<uint32_t, uint64_t> lost_; // lost events by stream
};

} // namespace nophook
