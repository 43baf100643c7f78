// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook ps, get and set: a running process's control tree by hand. The process serves it
// (NOPHOOK=serve). docs/reference/tracefs.md describes the files.

#include "foundation/identity.h"
#include "foundation/json.h"
#include "foundation/output.h"
#include "foundation/process.h"
#include "foundation/process_user.h"
#include "process/attach/instrumented.h"
#include "process/control/print_file.h"
#include "process/control/served.h"
#include "process/drain/dir_option.h"
#include "verbs.h"

#include <algorithm>
#include <unistd.h>

namespace nophook {

namespace {

constexpr std::chrono::milliseconds kGlance = std::chrono::seconds(1); // for each process

std::string first_line(const std::string &text) {
  constexpr size_t kMost = 64; // a tracer's name is short
  return printable(text.substr(0, std::min(text.find('\n'), kMost)));
}

// A process that is stopped, or that another user owns, is shown without the values that it does
// not return.
void print_process(Output &output, int32_t pid, const Result<std::string> &tracer,
                   const Result<std::string> &on, bool json) {
  bool answers = tracer && on;
  if (json) {
    Json line = {{"pid", pid},
                 {"tracer", answers ? Json(first_line(*tracer)) : Json()},
                 {"tracing_on", answers ? Json(first_line(*on) == "1") : Json()},
                 {"command", command_text(pid)}};
    output.line("{}", line.text());
  } else {
    output.line("{:>8}  {:<14}  {:<3}  {}{}", pid, answers ? first_line(*tracer) : "-",
                answers ? first_line(*on) : "-", command_text(pid),
                answers ? "" : "  (does not answer)");
  }
}

// The processes of other users: root may name them in a command, other users cannot.
void tell_others() {
  std::vector<std::string> others;
  for (int32_t pid : listening_processes())
    if (auto user = process_user(pid); user && *user != geteuid())
      others.push_back(fmt::format("{} ({})", pid, user_name(*user)));
  if (!others.empty())
    fmt::print(stderr, "nophook: processes of other users serve, too: {}\n",
               fmt::join(others, ", "));
}

// The number of ancestors of a process that are in `all`, too: its indentation.
size_t depth_of(const InstrumentedProcess &process, const std::vector<InstrumentedProcess> &all) {
  size_t depth = 0;
  for (int32_t at = process.parent; at > 1; at = parent_of(at))
    depth += (size_t)std::ranges::count(all, at, &InstrumentedProcess::pid);
  return depth;
}

// The processes as a tree: each child follows its parent, and precedes the parent's next sibling.
std::vector<InstrumentedProcess> as_tree(const std::vector<InstrumentedProcess> &all) {
  std::vector<InstrumentedProcess> ordered;
  const auto add = [&](const auto &self, const InstrumentedProcess &process) -> void {
    if (std::ranges::count(ordered, process.pid, &InstrumentedProcess::pid))
      return;
    ordered.push_back(process);
    for (const InstrumentedProcess &child : with_children(all, process.pid))
      self(self, child);
  };
  for (const InstrumentedProcess &process : all)
    if (depth_of(process, all) == 0)
      add(add, process);
  for (const InstrumentedProcess &process : all) // parents may have ended in the meantime
    add(add, process);
  return ordered;
}

Result<> print_all(bool as_a_tree, bool json) {
  const std::vector<InstrumentedProcess> all = instrumented_processes();
  Output output;
  if (!all.empty() && !json)
    output.line("{:>8}  {:<10}  {:<10}  {}", "PID", "USER", "STATE", "COMMAND");
  for (const InstrumentedProcess &process : as_a_tree ? as_tree(all) : all) {
    const auto user = process_user(process.pid);
    const std::string owner = user ? user_name(*user) : "-";
    if (json)
      output.line("{}", Json{{"pid", process.pid},
                             {"parent", process.parent},
                             {"user", owner},
                             {"state", name_of(process.state)},
                             {"folder", printable(process.folder)},
                             {"command", command_text(process.pid)}}
                            .text());
    else
      output.line("{:>8}  {:<10}  {:<10}  {}{}{}", process.pid, owner, name_of(process.state),
                  std::string(as_a_tree ? 2 * depth_of(process, all) : 0, ' '),
                  command_text(process.pid),
                  process.folder.empty() ? "" : fmt::format("  ({})", printable(process.folder)));
  }
  NOPHOOK_TRY(output.flush());
  if (all.empty())
    fmt::print(stderr, "nophook: no process that you may look at has traceable functions\n");
  return {};
}

void print_folder(Output &output, const std::vector<ControlClient::Entry> &entries) {
  for (const ControlClient::Entry &entry : entries)
    output.line("{}{}", entry.name, entry.is_folder ? "/" : "");
}

} // namespace

Result<int> ps_verb(const Arguments &arguments) {
  bool json = false, all = false, tree = false;
  const VerbOptions verb = {
      "nophook ps",
      "Shows your processes that serve their control tree.",
      {{"--all", &all, "and those that can be made to: dormant, or without the runtime"},
       {"--tree", &tree, "the same, each with its children below it", {.excludes = "--json"}},
       {"--json", &json, "one JSON object a line"},
       dir_option()}};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  if (all || tree) {
    NOPHOOK_TRY(print_all(tree, json));
    return kExitOk;
  }
  Output output;
  bool is_first = true;
  for (int32_t pid : serving_processes(true)) {
    auto client = ControlClient::connect(pid, kGlance);
    auto read = [&](const char *file) {
      return client ? client->read(file) : Result<std::string>(client.error());
    };
    auto tracer = read("current_tracer"), on = read("tracing_on");
    if (process_is_gone(pid))
      continue;
    if (is_first && !json)
      output.line("{:>8}  {:<14}  {:<3}  {}", "PID", "TRACER", "ON", "COMMAND");
    print_process(output, pid, tracer, on, json);
    is_first = false;
  }
  NOPHOOK_TRY(output.flush());
  if (is_first)
    fmt::print(stderr, "nophook: no process serves (start one with {})\n", words_to_serve());
  tell_others();
  return kExitOk;
}

Result<int> get_verb(const Arguments &arguments) {
  int32_t pid = 0;
  std::string file;
  const VerbOptions verb = {
      "nophook get",
      "Shows a file of a process's control tree, or the entries of a folder.",
      {{"PID", &pid, "the process; it must serve (NOPHOOK=serve)", {.required = true}},
       {"FILE", &file, "current_tracer, set_ftrace_filter, ... (the root folder)"},
       dir_option()}};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  auto tree = ControlTree::connect(pid);
  NOPHOOK_TRY(tree);
  std::vector<ControlTree::Entry> entries;
  if ((*tree)->list(file, &entries) >= 0) {
    Output output;
    print_folder(output, entries);
    NOPHOOK_TRY(output.flush());
    return kExitOk;
  }
  NOPHOOK_TRY(print_file(**tree, file));
  return kExitOk;
}

Result<int> set_verb(const Arguments &arguments) {
  int32_t pid = 0;
  std::string file;
  std::vector<std::string> words;
  bool append = false, make = false, remove = false;
  const VerbOptions verb = {
      "nophook set",
      "Writes to a file of a process's control tree, as echo does.",
      {{"PID", &pid, "the process; it must serve (NOPHOOK=serve)", {.required = true}},
       {"FILE", &file, "current_tracer, set_ftrace_filter, ...", {.required = true}},
       {"VALUE", &words, "the text to write; without it, a list becomes empty"},
       {"-a,--append", &append, "add to the contents, as >> does"},
       {"--mkdir",
        &make,
        "make the folder FILE: instances/NAME",
        {.excludes = "VALUE --append --rmdir"}},
       {"--rmdir", &remove, "remove the folder FILE", {.excludes = "VALUE --append"}},
       dir_option()}};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  if (make || remove) {
    auto tree = ControlTree::connect(pid);
    NOPHOOK_TRY(tree);
    int64_t result = make ? (*tree)->make_folder(file) : (*tree)->remove_folder(file);
    if (result < 0)
      return error_at(file, std::strerror((int)-result));
    return kExitOk;
  }
  auto client = ControlClient::connect(pid);
  NOPHOOK_TRY(client);
  if (file == "trace" || file.ends_with("/trace")) { // the command clears it, not the process
    auto tree = ControlTree::connect(pid);
    NOPHOOK_TRY(tree);
    if (!append)
      NOPHOOK_TRY(clear_trace(**tree, file));
    return kExitOk;
  }
  NOPHOOK_TRY(client->write(file, fmt::format("{}\n", fmt::join(words, " ")), append));
  return kExitOk;
}

} // namespace nophook
