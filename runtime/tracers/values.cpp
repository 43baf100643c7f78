// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracers/values.h"

#include "base/bytes.h"
#include "base/log.h"
#include "buffer/buffer.h"
#include "ops/recursion.h"
#include "tracers/capture.h"

#include <errno.h>

namespace nophook {

uint32_t g_trace_options = 0;

namespace {

constexpr struct {
  const char *name;
  TraceOption option;
} kOptions[] = {
    {"func-args", kFuncArgs},
    {"funcgraph-args", kFuncgraphArgs},
    {"funcgraph-retval", kFuncgraphRetval},
};

uint64_t signature_of(const ftrace_regs *regs) {
  return (uint64_t)regs->id << NOPHOOK_ID_SHIFT;
}

// Room for values that is not on the program's stack: where other callbacks keep the vector
// registers. There is none if too many handlers have interrupted each other.
class Room {
public:
  explicit Room(const ftrace_regs *regs)
      : is_taken_(
            enter_callback(this, reinterpret_cast<uint64_t>(regs), false, regs->rip, 0, &index_)) {
    if (!is_taken_)
      return;
    values_ = static_cast<CapturedValues *>(vector_area(this_thread(), index_));
    values_->bytes = 0;
  }
  ~Room() {
    if (is_taken_)
      leave_callback(index_);
  }
  Room(const Room &) = delete;
  Room &operator=(const Room &) = delete;

  CapturedValues *values() { return values_; } // or null

  // The event with what has been kept.
  uint64_t write(NewEvent event) const {
    event.values = values_ ? values_->text : nullptr;
    event.value_bytes = values_ ? values_->bytes : 0;
    return write_event(event);
  }

private:
  uint32_t index_ = 0;
  bool is_taken_;
  CapturedValues *values_ = nullptr;
};

void function_entry(unsigned long, unsigned long parent_ip, ftrace_ops *, ftrace_regs *regs) {
  Room room(regs);
  if (room.values())
    capture_entry(capture_plan(regs->id), regs, room.values());
  room.write({NOPHOOK_EVENT_FUNCTION, signature_of(regs), 0, parent_ip, nullptr, 0});
}

// The caller is one whose body we, or function_graph, have called, and this has taken its place.
bool is_tail_call(const ftrace_regs *regs) {
  uint64_t back = *reinterpret_cast<const uint64_t *>(regs->rsp);
  auto is = [&](const char *label) { return back == reinterpret_cast<uint64_t>(label); };
  return is(nophook_exit_return) || is(nophook_graph_return) || is(nophook_exit_graph_return) ||
         is(nophook_profile_return);
}

void graph_entry(unsigned long, unsigned long, ftrace_ops *ops, ftrace_regs *regs) {
  auto *signature = static_cast<uint64_t *>(begin_exit(reinterpret_cast<fprobe *>(ops), regs));
  uint32_t kind = NOPHOOK_EVENT_ENTRY;
  if (!signature)
    kind = is_tail_call(regs) ? NOPHOOK_EVENT_TAIL : NOPHOOK_EVENT_ENTRY_ONLY;
  Room room(regs);
  if (g_trace_options & kFuncgraphArgs && room.values())
    capture_entry(capture_plan(regs->id), regs, room.values());
  uint64_t written = room.write({kind, signature_of(regs), regs->rsp - 8, 0, nullptr, 0});
  if (signature)
    *signature = written;
}

void graph_exit(fprobe *, unsigned long, unsigned long, ftrace_regs *regs, void *data) {
  Room room(regs);
  if (g_trace_options & kFuncgraphRetval && room.values())
    capture_exit(capture_plan(regs->id), regs, room.values());
  room.write({NOPHOOK_EVENT_EXIT, *static_cast<uint64_t *>(data), 0, 0, nullptr, 0});
}

Status prepare() {
  NOPHOOK_TRY(prepare_threads()); // knows how wide vector registers are
  if (!can_read_memory())
    log_line("the kernel refuses process_vm_readv: what pointers lead to is not shown");
  return {};
}

Status set_one(const char *text, uint64_t bytes) {
  auto is = [&](const char *name, uint64_t from) {
    return bytes == text_length(name) + from && equal_bytes(text + from, name, bytes - from);
  };
  for (const auto &option : kOptions) {
    if (is(option.name, 0)) {
      g_trace_options |= option.option;
      return {};
    }
    if (bytes > 2 && equal_bytes(text, "no", 2) && is(option.name, 2)) {
      g_trace_options &= ~(uint32_t)option.option;
      return {};
    }
  }
  return failure(EINVAL, "unknown option (func-args, funcgraph-args, funcgraph-retval)");
}

} // namespace

Status set_trace_options(const char *text, uint64_t bytes) {
  for (uint64_t at = 0, end; at < bytes; at = end + 1) {
    for (end = at; end < bytes && text[end] != ',';)
      end++;
    if (end > at)
      NOPHOOK_TRY(set_one(text + at, end - at));
  }
  return {};
}

Status trace_function_values(fprobe *probe) {
  probe->ops.func = function_entry;
  return prepare();
}

Status trace_graph_values(fprobe *probe) {
  probe->exit_handler = graph_exit;
  probe->entry_data_size = sizeof(uint64_t);
  NOPHOOK_TRY(bind_probe(probe));
  probe->ops.func = graph_entry;
  return prepare();
}

} // namespace nophook
