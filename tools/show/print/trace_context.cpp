// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the texts that all tracers share.

#include "show/print/trace_context.h"

#include "read/steps/call_values.h"

namespace nophook {

std::string located_event_text(Functions &functions, uint32_t process, const ProbeEvent &event) {
  auto function = [&](uint64_t address, bool is_behind_call) {
    return functions.caller(process, address + !is_behind_call);
  };
  auto symbol = [&](uint64_t address, bool is_behind_call) {
    std::string text = function(address, is_behind_call);
    if (auto at = functions.locate(process, address - is_behind_call))
      text += fmt::format("+{:#x}/{:#x}", at->offset + is_behind_call, at->bytes);
    return text;
  };
  return probe_event_text(event, symbol, function);
}

std::string stack_text(Functions &functions, uint32_t process, const std::vector<uint64_t> &stack) {
  std::string text;
  for (uint64_t address : stack)
    text += (text.empty() ? "" : " <- ") + functions.caller(process, address);
  return text;
}

TraceContext::TraceContext(Output &out, Functions &names, const Recording &source,
                           const TraceOptions &how_to_show)
    : output(out), functions(names), recording(source), options(how_to_show) {
  cpus = (uint32_t)std::clamp<int64_t>(recording.info().number("cpus"), 1, 1 << 20);
  cpu_digits = fmt::formatted_size("{}", cpus - 1);
}

std::string TraceContext::cpu_text(uint32_t cpu) const {
  return cpu == NOPHOOK_CPU_UNKNOWN ? "-" : fmt::format("{}", cpu);
}

void TraceContext::add_time(uint64_t tsc) const {
  uint64_t at = recording.clock().at(tsc);
  if (options.wall)
    return output.add(wall_.text(recording.wall_time().at(at)));
  if (recording.clock().counts_events)
    return output.number(at, 12);
  output.number(at / 1'000'000'000, 5);
  output.add('.');
  output.number(at / 1000 % 1'000'000, 6, '0');
}

std::string TraceContext::time_text(uint64_t tsc) const {
  if (options.wall)
    return wall_.text(recording.wall_time().at(recording.clock().at(tsc)));
  if (recording.clock().counts_events)
    return fmt::format("{:>12}", recording.clock().at(tsc));
  uint64_t us = recording.clock().at(tsc) / 1000;
  return fmt::format("{:>5}.{:06}", us / 1000000, us % 1000000);
}

std::string TraceContext::arguments(const Thread &thread, const Step &step) const {
  if (step.arguments.empty())
    return "";
  return argument_list(
      argument_values(functions.prototype(thread.process(), step.id), step.arguments));
}

std::string TraceContext::result(const Thread &thread, const Step &step) const {
  if (step.result.empty() || !options.retval)
    return "";
  auto value =
      result_value(functions.prototype(thread.process(), step.id), step.result, options.retval_hex);
  return value ? "ret=" + value->text : "";
}

std::string TraceContext::source_line(const Thread &thread, const Step &step) const {
  if (!options.srcline)
    return "";
  const SourceLine &line = functions.source_of_key(functions.key(thread.process(), step.id));
  return line.file.empty() ? "" : fmt::format("{}:{}", line.base(), line.line);
}

std::string TraceContext::event_text(const Thread &thread, const ProbeEvent &event) const {
  return located_event_text(functions, thread.process(), event);
}

void TraceContext::stack_lines(const Thread &thread, const std::vector<uint64_t> &stack) const {
  for (uint64_t address : stack)
    output.line(" => {}", functions.caller(thread.process(), address));
}

void TraceContext::lost_line(const Step &step) const {
  output.line("CPU:{} [LOST {} EVENTS]", cpu_text(step.cpu), step.lost);
}

} // namespace nophook
