// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook ps, get and set: a running process's control tree by hand. The process serves it
// (NOPHOOK=serve); what the files are: docs/reference/tracefs.md.

#include "base/output.h"
#include "base/process.h"
#include "control/print_file.h"
#include "verbs.h"

#include <nlohmann/json.hpp>

namespace nophook {

namespace {

std::string first_line(std::string text) {
  return printable(text.substr(0, text.find('\n')));
}

void print_folder(Output &output, const std::vector<ControlClient::Entry> &entries) {
  for (const ControlClient::Entry &entry : entries)
    output.line("{}{}", entry.name, entry.is_folder ? "/" : "");
}

} // namespace

Result<int> ps_verb(const Arguments &arguments) {
  CLI::App app("Shows your processes that serve their control tree.", "nophook ps");
  bool json = false;
  app.add_flag("--json", json, "one JSON object a line");
  auto go_on = parse(app, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  Output output;
  bool is_first = true;
  for (int32_t pid : serving_processes()) {
    auto client = ControlClient::connect(pid);
    if (!client)
      continue; // it has gone
    auto tracer = client->read("current_tracer"), on = client->read("tracing_on");
    if (!tracer || !on)
      continue;
    if (json)
      output.line("{}", nlohmann::ordered_json({{"pid", pid},
                                                {"tracer", first_line(*tracer)},
                                                {"tracing_on", first_line(*on) == "1"},
                                                {"command", command_text(pid)}})
                            .dump());
    else {
      if (is_first)
        output.line("{:>8}  {:<14}  {:<3}  {}", "PID", "TRACER", "ON", "COMMAND");
      output.line("{:>8}  {:<14}  {:<3}  {}", pid, first_line(*tracer), first_line(*on),
                  command_text(pid));
    }
    is_first = false;
  }
  NOPHOOK_TRY(output.flush());
  if (is_first)
    fmt::print(stderr, "nophook: no process serves (start one with {})\n", words_to_serve());
  return kExitOk;
}

Result<int> get_verb(const Arguments &arguments) {
  CLI::App app("Shows a file of a process's control tree; of a folder, its entries.",
               "nophook get");
  int32_t pid = 0;
  std::string file;
  app.add_option("PID", pid, "the process; it serves (NOPHOOK=serve)")->required();
  app.add_option("FILE", file, "current_tracer, set_ftrace_filter, ... (the root folder)");
  auto go_on = parse(app, arguments);
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
  CLI::App app("Writes to a file of a process's control tree, as echo does.", "nophook set");
  int32_t pid = 0;
  std::string file;
  std::vector<std::string> words;
  bool append = false, make = false, remove = false;
  app.add_option("PID", pid, "the process; it serves (NOPHOOK=serve)")->required();
  app.add_option("FILE", file, "current_tracer, set_ftrace_filter, ...")->required();
  app.add_option("VALUE", words, "what to write; none empties a list");
  app.add_flag("-a,--append", append, "add to what is there, as >> does");
  auto *mkdir = app.add_flag("--mkdir", make, "make the folder FILE: instances/NAME");
  app.add_flag("--rmdir", remove, "remove it")->excludes(mkdir);
  auto go_on = parse(app, arguments);
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
  if (file == "trace" || file.ends_with("/trace")) { // it is not the process that clears it
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
