// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook record: starts a program with the runtime in it and keeps emptying its buffers into
// a file until it ends.
//
// The program's streams and its exit status are its own; what we say goes to standard error.
// Whatever is wrong with the command line, the program or the output is found out before the
// program starts. What goes wrong later ends the recording, never the program.

#include "base/file.h"
#include "base/installation.h"
#include "drain/drain.h"
#include "launch/child.h"
#include "launch/program.h"
#include "launch/session.h"
#include "verbs.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace nophook {

namespace {

constexpr const char *kTracers[] = {"function", "function_graph", "nop", "profile"};

const std::map<std::string, double> kTimeUnits = {{"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}};

struct Options {
  std::string tracer = "function_graph";
  std::vector<std::string> filters, notraces, settings;
  std::string output = "nophook.data";
  uint64_t buffer_mib = 256;
  bool overwrite = false;
  std::optional<uint32_t> wait_ms;
  bool force = false;
  bool is_static = false;
  bool arguments = false;
  bool results = false;
  Limits limits;
  bool pack = false;
  Arguments program;
};

// Our options end where the program begins: at the first word that is none of them.
Arguments split_program(const CLI::App &app, const Arguments &arguments, Arguments *program) {
  size_t i = 0;
  for (; i < arguments.size(); i++) {
    const std::string &word = arguments[i];
    if (word == "--") {
      program->assign(arguments.begin() + (ptrdiff_t)i + 1, arguments.end());
      return {arguments.begin(), arguments.begin() + (ptrdiff_t)i};
    }
    if (word.size() < 2 || word[0] != '-')
      break;
    const CLI::Option *option = app.get_option_no_throw(word);
    if (option && option->get_items_expected_max() > 0)
      i++; // its value
  }
  i = std::min(i, arguments.size());
  program->assign(arguments.begin() + (ptrdiff_t)i, arguments.end());
  return {arguments.begin(), arguments.begin() + (ptrdiff_t)i};
}

// What is known here under another name is said once. The program finds out what is wrong with
// others, and tells.
Result<> take_filters(Options *options) {
  std::vector<std::string> rest;
  for (const std::string &setting : options->settings) {
    size_t equals = setting.find('=');
    std::string name = setting.substr(0, equals), value;
    constexpr const char *kOwn[] = {"buffer_dir", "buffer_size_kb", "current_tracer", "static"};
    if (equals == std::string::npos || equals == 0 || setting.find_first_of(" \t\n") < equals ||
        std::ranges::find(kOwn, name) != std::end(kOwn))
      return Error{
          "record", "",
          fmt::format("--set {}: NAME=VALUE is expected, and no name that has an option of "
                      "its own",
                      printable(setting)),
          kExitUsage};
    value = setting.substr(equals + 1);
    std::ranges::replace_if(value, [](char c) { return std::isspace((unsigned char)c); }, ',');
    auto *globs = name == "set_ftrace_filter"    ? &options->filters
                  : name == "set_ftrace_notrace" ? &options->notraces
                                                 : nullptr;
    if (!globs)
      rest.push_back(name + "=" + value);
    for (size_t at = 0, end; globs && at < value.size(); at = end + 1) {
      end = std::min(value.find(',', at), value.size());
      globs->push_back(value.substr(at, end - at));
    }
  }
  options->settings = std::move(rest);
  return {};
}

Result<bool> parse_options(const Arguments &arguments, Options *options) {
  CLI::App app("Runs a program and records its calls. Options end at the program's name.",
               "nophook record");
  app.footer("usage: nophook record [OPTIONS] [--] PROGRAM [ARGS...]");
  app.add_option("-p,--tracer", options->tracer,
                 "function_graph (default), function, profile: counts and times without events, or "
                 "nop: marks only")
      ->type_name("TRACER");
  app.add_option("-l,--filter", options->filters, "trace only functions that match; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  app.add_option("-n,--notrace", options->notraces, "do not trace those that match; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  app.add_option("-S,--set", options->settings,
                 "a file of tracefs and what is in it: max_graph_depth=3; repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("-o,--output", options->output, "the recording (nophook.data)")->type_name("PATH");
  auto *overwrite =
      app.add_flag("--overwrite", options->overwrite,
                   "a flight recorder: keep the last events that fit into the buffer");
  app.add_option("--wait", options->wait_ms,
                 "a thread whose buffer is full waits for the recorder, MS milliseconds at most")
      ->type_name("MS")
      ->check(CLI::Range(1, 10000))
      ->excludes(overwrite);
  app.add_option("-m,--buffer", options->buffer_mib, "memory for events of a process, in MiB (256)")
      ->type_name("MIB")
      ->check(CLI::Range(1, 1 << 20));
  app.add_flag("-z,--compress", options->pack, "compress the recording with zstd");
  app.add_option("--max-size", options->limits.bytes,
                 "stop when the recording has SIZE (64K, 10M, 2G)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(uint64_t{1} << 16, uint64_t{1} << 62));
  app.add_option_function<double>(
         "--duration",
         [options](const double &seconds) {
           options->limits.duration = std::chrono::milliseconds((int64_t)(seconds * 1000));
         },
         "stop after TIME (10, 500ms, 5m)")
      ->type_name("TIME")
      ->transform(CLI::AsNumberWithUnit(kTimeUnits, CLI::AsNumberWithUnit::CASE_SENSITIVE))
      ->check(CLI::Range(0.001, 1e9));
  app.add_flag("-a,--args", options->arguments, "record the arguments of calls");
  app.add_flag("-r,--retval", options->results, "record what they return (function_graph)");
  app.add_flag("--static", options->is_static,
               "leave the calls that recordmcount has kept: write no text for them");
  app.add_flag("--force", options->force,
               "start a program without traceable functions: it may load or run others");
  Arguments own = split_program(app, arguments, &options->program);
  auto go_on = parse(app, own);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return false;
  if (std::ranges::find(kTracers, options->tracer) == std::end(kTracers))
    return Error{"record", "",
                 fmt::format("unknown tracer '{}' (function, function_graph, profile, nop)",
                             options->tracer),
                 kExitUsage};
  NOPHOOK_TRY(take_filters(options));
  if (options->results && options->tracer != "function_graph")
    return Error{"record", "", "--retval needs the tracer function_graph: no other sees returns",
                 kExitUsage};
  if (options->program.empty())
    return Error{"record", "", "no program is given (see nophook record --help)", kExitUsage};
  return true;
}

// Globs separated by commas, as one word of the environment: what would end the word or the
// glob becomes a wildcard.
std::string glob_list(const char *key, const std::vector<std::string> &globs) {
  std::string list;
  for (std::string glob : globs) {
    for (char &c : glob)
      if (std::isspace((unsigned char)c) || c == ',')
        c = '?';
    if (!glob.empty())
      list += (list.empty() ? "" : ",") + glob;
  }
  return list.empty() ? "" : fmt::format(" {}={}", key, list);
}

std::string trace_options(const Options &options) {
  std::string list;
  auto add = [&](bool wanted, const char *name) {
    list += !wanted ? "" : (list.empty() ? " trace_options=" : ",") + std::string(name);
  };
  add(options.arguments, options.tracer == "function" ? "func-args" : "funcgraph-args");
  add(options.results, "funcgraph-retval");
  return list;
}

std::string buffer_mode(const Options &options) {
  return options.overwrite ? " buffer_mode=overwrite"
         : options.wait_ms ? fmt::format(" buffer_mode=wait:{}", *options.wait_ms)
                           : "";
}

std::string settings(const Options &options) {
  std::string text;
  for (const std::string &setting : options.settings)
    text += " " + setting;
  return text;
}

// A third of the memory file system stays free for others.
uint64_t buffer_kib(const Options &options, const BufferFolder &folder) {
  return std::min(options.buffer_mib << 10, folder.free_bytes() / 1024 / 3 * 2);
}

std::vector<std::string> variables_for(const Options &options, const Program &program,
                                       const BufferFolder &folder, const std::string &runtime) {
  std::vector<std::string> variables = {fmt::format(
      "NOPHOOK=buffer_dir={}{} current_tracer={}{}{} buffer_size_kb={}{}{}{}", folder.path(),
      trace_options(options), options.tracer, glob_list("set_ftrace_filter", options.filters),
      glob_list("set_ftrace_notrace", options.notraces), buffer_kib(options, folder),
      buffer_mode(options), options.is_static ? " static=1" : "", settings(options))};
  if (!program.preload)
    return variables;
  const char *others = std::getenv("LD_PRELOAD");
  variables.push_back("LD_PRELOAD=" + runtime + (others && *others ? ":" : "") +
                      (others ? others : ""));
  return variables;
}

// The preload list is separated by spaces and colons.
Result<std::string> preloadable(const std::string &runtime, const BufferFolder &folder) {
  if (runtime.find_first_of(" :") == std::string::npos)
    return runtime;
  std::string link = folder.path() + "/libnophook.so";
  if (::symlink(runtime.c_str(), link.c_str()) != 0)
    return system_error(link, "cannot be made");
  return link;
}

nlohmann::ordered_json describe(const Options &options) {
  auto shown = [](const std::vector<std::string> &texts) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const std::string &text : texts)
      list.push_back(printable(text));
    return list;
  };
  return {{"tracer", options.tracer},
          {"command", shown(options.program)},
          {"filter", shown(options.filters)},
          {"notrace", shown(options.notraces)}};
}

} // namespace

Result<int> record_verb(const Arguments &arguments) {
  Options options;
  auto go_on = parse_options(arguments, &options);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;

  auto program = find_program(options.program, options.force || options.tracer == "nop");
  NOPHOOK_TRY(program);
  auto runtime = find_runtime();
  NOPHOOK_TRY(runtime);
  auto folder = BufferFolder::create();
  NOPHOOK_TRY(folder);
  auto preload = preloadable(*runtime, *folder);
  NOPHOOK_TRY(preload);
  if (buffer_kib(options, *folder) < 1024)
    return error_at(folder->path(), "no room for buffers: 1 MiB at least is needed");
  auto writer = RecordingWriter::create(options.output, options.pack);
  NOPHOOK_TRY(writer);
  return run_session(*program, variables_for(options, *program, *folder, *preload), *folder,
                     *writer, options.limits, describe(options));
}

} // namespace nophook
