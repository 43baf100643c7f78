// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One table: a setting, and the function that judges its value.

#include "process/launch/setting_values.h"

#include "foundation/tracer_rows.h"

#include <nophook/option_names.h>
#include <nophook/settings.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <climits>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <vector>

namespace nophook {

namespace {

constexpr std::string_view kClocks[] = {"x86-tsc",  "mono", "global", "local",
                                        "mono_raw", "boot", "counter"};
constexpr std::string_view kOptions[] = {
#define NOT_RECORDED
#define RECORDED(option) option
#define ROW(name, is_on, recorded, shown) ROW_IF(name, recorded)
#define ROW_IF(name, ...) __VA_OPT__(name, )
    NOPHOOK_TRACE_OPTIONS(ROW)
#undef ROW_IF
#undef ROW
#undef RECORDED
#undef NOT_RECORDED
};
constexpr std::string_view kSoftware[] = {"task-clock", "page-faults", "minor-faults",
                                          "major-faults", "context-switches"};
constexpr std::string_view kHardware[] = {"cycles",
                                          "instructions",
                                          "cache-references",
                                          "cache-misses",
                                          "branches",
                                          "branch-misses",
                                          "bus-cycles",
                                          "stalled-cycles-frontend",
                                          "stalled-cycles-backend",
                                          "ref-cycles"};

constexpr const char *kNumber = "a number is expected";
constexpr const char *kZeroOrOne = "the value must be 0 or 1";

bool is_in(std::span<const std::string_view> list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

// The words of a list, without empty ones.
std::vector<std::string_view> words_of(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    size_t end = std::min(list.find(','), list.size());
    if (end)
      words.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

std::optional<uint64_t> number(std::string_view text) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

// The error of a number: empty up to `most`, `sentence` above it.
std::string wrong_number(std::string_view text, uint64_t most, const std::string &sentence) {
  auto value = number(text);
  return !value ? kNumber : *value > most ? sentence : "";
}

std::string wrong_depth(std::string_view text) {
  return wrong_number(
      text, NOPHOOK_MOST_GRAPH_DEPTH,
      fmt::format("a depth is at most {}; 0 is no limit", NOPHOOK_MOST_GRAPH_DEPTH));
}
std::string wrong_threshold(std::string_view text) {
  return wrong_number(text, NOPHOOK_MOST_THRESH_US, "a threshold is at most an hour");
}
std::string wrong_rate(std::string_view text) {
  return wrong_number(text, UINT32_MAX - 1, "calls in a second are a number below 2^32");
}
std::string wrong_any_number(std::string_view text) {
  return wrong_number(text, UINT64_MAX, "");
}
std::string wrong_perf_map(std::string_view text) {
  return wrong_number(text, 1, kZeroOrOne);
}
std::string wrong_switch(std::string_view text) {
  return text == "0" || text == "1" ? "" : kZeroOrOne;
}

std::string wrong_mode(std::string_view text) {
  constexpr std::string_view kWait = "wait:";
  if (text == "drop" || text == "overwrite" ||
      (text.starts_with(kWait) &&
       number(text.substr(kWait.size())).value_or(UINT64_MAX) <= NOPHOOK_MOST_WAIT_MS))
    return "";
  return fmt::format("the modes are drop, overwrite and wait:MS (at most {})",
                     NOPHOOK_MOST_WAIT_MS);
}

std::string wrong_log(std::string_view text) {
  if (text != "stderr" && !text.starts_with('/'))
    return "log is stderr, or an absolute path";
  return text.size() >= 512 ? "the path of the log is too long" : "";
}

std::string wrong_counters(std::string_view text) {
  std::vector<std::string_view> names = words_of(text);
  for (std::string_view name : names)
    if (!is_in(kSoftware, name) && !is_in(kHardware, name))
      return fmt::format("unknown counter ({}; hardware: {})", fmt::join(kSoftware, ", "),
                         fmt::join(kHardware, ", "));
  std::ranges::sort(names);
  auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names.size() > NOPHOOK_MOST_COUNTERS
             ? fmt::format("more than {} counters at once", NOPHOOK_MOST_COUNTERS)
             : "";
}

std::string wrong_pids(std::string_view text) {
  for (std::string_view word : words_of(text))
    if (auto pid = number(word); !pid || !*pid || *pid > INT32_MAX)
      return "numbers of threads or processes are expected";
  return "";
}

std::string wrong_marks(std::string_view text) {
  constexpr size_t kMost = NOPHOOK_MOST_MARK_BYTES;
  size_t comma = std::min(text.find(','), text.size());
  size_t rest = comma < text.size() ? text.size() - comma - 1 : 0;
  if (text.empty() || (comma && rest && comma <= kMost && rest <= kMost))
    return "";
  return fmt::format("two texts are expected, BEGIN,END, of at most {} bytes", kMost);
}

std::string wrong_clock(std::string_view text) {
  return is_in(kClocks, text) ? "" : fmt::format("the clocks are {}", fmt::join(kClocks, ", "));
}

std::string wrong_options(std::string_view text) {
  for (std::string_view word : words_of(text))
    if (!is_in(kOptions, word) && !(word.starts_with("no") && is_in(kOptions, word.substr(2))))
      return fmt::format("unknown option; these are settings: {}", fmt::join(kOptions, " "));
  return "";
}

std::string wrong_cpus(std::string_view text) {
  constexpr ptrdiff_t kMostDigits = 8192 / 4;
  auto is_digit = [](char c) { return std::isxdigit((unsigned char)c) != 0; };
  auto digits = std::ranges::count_if(text, is_digit);
  bool holds = std::ranges::all_of(text, [&](char c) { return is_digit(c) || c == ','; });
  return holds && digits && digits <= kMostDigits ? "" : "a mask of CPUs is a hexadecimal number";
}

std::string wrong_time(std::string_view text) {
  constexpr size_t kMostDecimals = 3;
  size_t point = std::min(text.find('.'), text.size());
  std::string digits(text);
  digits.erase(point, 1);
  bool holds = !digits.empty() && text.size() - point <= kMostDecimals + 1 &&
               std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c) != 0; });
  return holds ? "" : "a time in microseconds is expected";
}

std::string wrong_tracer_of_instance(std::string_view text) {
  if (text == "nop" || find_tracer(text))
    return "";
  std::string list = "nop";
  for (const TracerRow &row : kTracerRows)
    list += fmt::format(", {}", row.name);
  return fmt::format("unknown tracer ({})", list);
}

struct Rule {
  std::string_view name;
  bool is_of_instances; // a control file of an instance takes the same values
  std::string (*wrong)(std::string_view value);
};
constexpr Rule kRules[] = {
    {"auto_notrace", true, wrong_rate},
    {"buffer_mode", false, wrong_mode},
    {"calls", false, wrong_switch},
    {"function_fork", false, wrong_switch},
    {"log", false, wrong_log},
    {"max_graph_depth", true, wrong_depth},
    {"off_cpu", false, wrong_switch},
    {"perf_counters", true, wrong_counters},
    {"perf_map", false, wrong_perf_map},
    {"set_ftrace_notrace_pid", true, wrong_pids},
    {"set_ftrace_pid", true, wrong_pids},
    {"set_latency_marks", true, wrong_marks},
    {"trace_clock", false, wrong_clock},
    {"trace_options", true, wrong_options},
    {"tracing_cpumask", true, wrong_cpus},
    {"tracing_max_latency", true, wrong_time},
    {"tracing_on", true, wrong_any_number},
    {"tracing_thresh", true, wrong_threshold},
};

} // namespace

std::string wrong_value(std::string_view setting, std::string_view value) {
  bool is_of_instance = setting.starts_with("instances/");
  if (is_of_instance)
    setting.remove_prefix(setting.rfind('/') + 1);
  if (is_of_instance && setting == "current_tracer")
    return wrong_tracer_of_instance(value);
  for (const Rule &rule : kRules)
    if (rule.name == setting && (rule.is_of_instances || !is_of_instance))
      return rule.wrong(value);
  return "";
}

} // namespace nophook
