// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook start, stop, show and reset: a running process is traced by hand, as by `trace-cmd start`
// and its like. They only write and read files of its control tree; get and set do the same, file
// by file. What is seen stays in the process's buffer: to record it is attach's business.

#include "control/choose.h"
#include "control/print_file.h"
#include "control/reset.h"
#include "drain/dir_option.h"
#include "launch/typed_filters.h"
#include "verbs.h"

#include <fmt/format.h>

namespace nophook {

namespace {

std::string joined(const std::vector<std::string> &words) {
  return fmt::format("{}\n", fmt::join(words, " "));
}

constexpr const char *kPidHelp = "the process; the only one that serves, if it is left out";

// The verbs that know nothing but a process, which they then do something to: act(pid).
template <class Act>
Result<int> act_on_process(CLI::App &app, const Arguments &arguments, Act act) {
  std::optional<int32_t> pid;
  app.add_option("PID", pid, kPidHelp);
  add_dir_option(app);
  auto go_on = parse(app, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  auto chosen = choose_process(pid);
  NOPHOOK_TRY(chosen);
  NOPHOOK_TRY(act(*chosen));
  return kExitOk;
}

} // namespace

Result<int> start_verb(const Arguments &arguments) {
  CLI::App app("Traces a process that runs already, until nophook stop.", "nophook start");
  std::string tracer = "function_graph";
  std::vector<std::string> words, notraces, graphs;
  app.add_option("-p,--tracer", tracer, "function_graph (default), function, profile or nop")
      ->type_name("TRACER");
  auto add_list = [&](const char *name, auto &list, const char *help) {
    app.add_option(name, list, help)->type_name("GLOB")->allow_extra_args(false);
  };
  add_list("-n,--notrace", notraces, "not functions whose name matches; repeatable");
  add_list("-g,--graph", graphs, "only these, and what they call; repeatable");
  app.add_option("PID|FILTER", words,
                 "the process, if several serve; then, only functions whose name matches");
  add_dir_option(app);
  auto go_on = parse(app, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  if (!graphs.empty() && tracer != "function_graph")
    return Error{"start", "", "--graph is for function_graph: " + tracer + " has no callees",
                 kExitUsage};
  auto pid = choose_process(&words);
  NOPHOOK_TRY(pid);
  auto client = ControlClient::connect(*pid);
  NOPHOOK_TRY(client);
  auto tree = ControlTree::connect(*pid);
  NOPHOOK_TRY(tree);
  if (!words.empty() || !notraces.empty() || !graphs.empty()) {
    TracedNames names = names_of_process(*pid);
    for (auto *list : {&words, &notraces, &graphs})
      *list = translated(names, *list);
  }
  // A filter that is wrong leaves the process as it was, but paused.
  NOPHOOK_TRY(client->write("tracing_on", "0\n", false));
  NOPHOOK_TRY(client->write("set_ftrace_filter", joined(words), false));
  NOPHOOK_TRY(client->write("set_ftrace_notrace", joined(notraces), false));
  NOPHOOK_TRY(client->write("set_graph_function", joined(graphs), false));
  NOPHOOK_TRY(client->write("current_tracer", tracer + "\n", false));
  NOPHOOK_TRY(clear_trace(**tree));
  NOPHOOK_TRY(client->write("tracing_on", "1\n", false));
  return kExitOk;
}

Result<int> stop_verb(const Arguments &arguments) {
  CLI::App app("Pauses the tracing of a process; what was traced stays to be shown.",
               "nophook stop");
  return act_on_process(app, arguments, [](int32_t pid) -> Result<> {
    auto client = ControlClient::connect(pid);
    NOPHOOK_TRY(client);
    return client->write("tracing_on", "0\n", false);
  });
}

Result<int> show_verb(const Arguments &arguments) {
  CLI::App app("Shows what a process's buffer holds, and leaves it there.", "nophook show");
  bool pipe = false, snapshot = false;
  auto *waits = app.add_flag("-p,--pipe", pipe, "what comes, as it comes, and take it away");
  app.add_flag("-s,--snapshot", snapshot, "what was set aside")->excludes(waits);
  return act_on_process(app, arguments, [&](int32_t pid) -> Result<> {
    auto tree = ControlTree::connect(pid);
    NOPHOOK_TRY(tree);
    std::string tracer;
    (void)(*tree)->read("current_tracer", &tracer);
    const char *file = pipe ? "trace_pipe" : snapshot ? "snapshot" : "trace";
    if (tracer == "profile\n" && !pipe && !snapshot) // it has no events
      file = "trace_stat/function0";
    return print_file(**tree, file);
  });
}

Result<int> reset_verb(const Arguments &arguments) {
  CLI::App app("Makes a process's control tree what it is in one that nobody has traced.",
               "nophook reset");
  return act_on_process(app, arguments, [](int32_t pid) -> Result<> {
    auto client = ControlClient::connect(pid);
    NOPHOOK_TRY(client);
    auto tree = ControlTree::connect(pid);
    NOPHOOK_TRY(tree);
    return reset_tree(**tree, *client);
  });
}

} // namespace nophook
