// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the first texts of files in an order in which no file depends on a later one.

#include "process/control/reset.h"

#include "foundation/setting_rows.h"
#include "process/control/print_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace nophook {

namespace {

// The order: a file that others depend on is reset after them.
constexpr struct {
  const char *path, *text;
} kAtFirst[] = {
    {"current_tracer", "nop"},
    {"sys/kernel/stack_tracer_enabled", "0"},
    {"set_event", ""},
    {"set_event_pid", ""},
    {"set_event_notrace_pid", ""},
    {"stack_trace_filter", ""},
    {"stack_max_size", "0"},
    {"snapshot", "0"},
    {"sys/kernel/ftrace_enabled", "1"},
    {"error_log", ""},
};

constexpr std::string_view kOptionsAtFirst[] = {
    "print-parent",       "irq-info",   "funcgraph-cpu", "funcgraph-overhead",
    "funcgraph-duration", "graph-time", "sleep-time",
};

template <class Use> void for_each_line(std::string_view text, Use use) {
  for (size_t end; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
    end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
  }
}

class Reset {
public:
  explicit Reset(ControlClient &client) : client_(client) {}

  void write(const std::string &path, const std::string &text, bool append = false) {
    note(client_.write(path, text + "\n", append));
  }

  void note(Result<> result) {
    if (!result && first_)
      first_ = result;
  }

  // Removes triggers: `func:traceon:count=3` and `traceon:unlimited if x > 1` are written with ! in
  // front and without the count.
  void take_triggers(const std::string &path) {
    auto text = client_.read(path);
    if (!text)
      return note(text.error());
    for_each_line(*text, [&](std::string_view line) {
      size_t count = line.find(":unlimited");
      if (count == std::string_view::npos)
        count = line.find(":count=");
      if (!line.starts_with('#') && count != std::string_view::npos)
        write(path, fmt::format("!{}", line.substr(0, count)), true);
    });
  }

  void take_events() {
    auto events = client_.read("available_events");
    if (!events)
      return note(events.error());
    for_each_line(*events, [&](std::string_view line) {
      std::string folder = fmt::format("events/{}", line);
      std::ranges::replace(folder, ':', '/');
      take_triggers(folder + "/trigger");
    });
    write("dynamic_events", "");
  }

  void set_options() {
    auto options = client_.read("trace_options");
    if (!options)
      return note(options.error());
    for_each_line(*options, [&](std::string_view line) {
      bool is_on = !line.starts_with("no");
      std::string_view name = is_on ? line : line.substr(2);
      bool was_on = std::ranges::find(kOptionsAtFirst, name) != std::end(kOptionsAtFirst);
      if (is_on != was_on)
        write(fmt::format("options/{}", name), was_on ? "1" : "0");
    });
  }

  void set_cpus() {
    std::string mask; // in the kernel's form: 32 CPUs a group
    for (long cpus = sysconf(_SC_NPROCESSORS_CONF); cpus > 0; cpus -= 32)
      mask += fmt::format("{}{:x}", mask.empty() ? "" : ",",
                          cpus >= 32 ? 0xffffffffu : (1u << cpus) - 1);
    write("tracing_cpumask", mask);
  }

  Result<> first_error() const { return first_; }

private:
  ControlClient &client_;
  Result<> first_;
};

} // namespace

Result<> reset_tree(ControlTree &tree, ControlClient &client) {
  Reset reset(client);
  reset.write("tracing_on", "0");
  reset.take_triggers("set_ftrace_filter");
  for (const auto &[path, text] : kAtFirst) {
    reset.write(path, text);
    if (path == std::string_view("set_event"))
      reset.take_events();
  }
  const std::string_view last = "tracing_on";
  for (const SettingRow &row : kSettingRows)
    if (row.at_first && row.name != last)
      reset.write(row.name, row.at_first);
  reset.write(std::string(last), "1");
  std::vector<ControlTree::Entry> instances;
  // Without the folder there are no instances.
  (void)tree.list("instances", &instances);
  for (const auto &instance : instances)
    if (std::string path = "instances/" + instance.name; int64_t wrong = tree.remove_folder(path))
      reset.note(error_at(path, std::strerror((int)-wrong)));
  reset.set_options();
  reset.set_cpus();
  reset.note(clear_trace(tree));
  return reset.first_error();
}

} // namespace nophook
