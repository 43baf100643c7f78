// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines of the function tracer, and those of nop, which has marks only.
//
//            TASK-TID     CPU#  |||||  TIMESTAMP  FUNCTION
//              | |         |   |||||     |         |
//             lua-1977    [000] ..... 17284.993652: luaV_execute <-luaD_call

#pragma once

#include "show/print/trace_context.h"

#include <map>
#include <optional>
#include <unordered_map>

namespace nophook {

class FunctionText {
public:
  explicit FunctionText(const TraceContext &context) : context_(context) {}

  void header(const EntryCounts &entries);
  void step(const Thread &thread, const Step &step);
  void finish();

private:
  // A call that was shown, and the number of its repetitions since then.
  struct Repeats {
    const Thread *thread;
    Step call;
    uint64_t count = 0;
    uint64_t last_tsc = 0;
  };

  bool is_repeat(const Thread &thread, const Step &step);
  void repeats_text(uint64_t count, uint64_t last_tsc);
  void mark(const Thread &thread, const Step &step);
  void repeats_line(Repeats *repeats, uint64_t tsc);
  void begin_line(const Thread &thread, uint32_t cpu, uint64_t tsc);
  void call_text(const Thread &thread, const Step &step);
  std::string symbol(const Thread &thread, const std::string &name, uint64_t address,
                     bool is_return_address) const;

  // The text "comm-tid ", and the PID if it is shown: the part that does not change from line to
  // line.
  struct Task {
    std::string raw_comm;
    std::string text;
  };
  const std::string &task_text(const Thread &thread);

  const TraceContext &context_;
  std::unordered_map<uint32_t, Task> tasks_; // texts by stream
  std::optional<uint32_t> last_stream_;      // stream of the last text
  Task *last_task_ = nullptr;
  std::map<uint32_t, Repeats> repeats_; // repetitions by stream
};

} // namespace nophook
