// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/trace_request.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace nophook {

namespace {

constexpr const char *kTracers[] = {"function", "function_graph", "nop", "profile"};

const std::map<std::string, double> kTimeUnits = {{"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}};

// What is known here under another name is said once. The program finds out what is wrong with
// others, and tells.
Result<> take_filters(const std::string &verb, TraceRequest *request) {
  std::vector<std::string> rest;
  for (const std::string &setting : request->settings) {
    size_t equals = setting.find('=');
    std::string name = setting.substr(0, equals), value;
    constexpr const char *kOwn[] = {"buffer_dir", "buffer_size_kb", "current_tracer", "static"};
    if (equals == std::string::npos || equals == 0 || setting.find_first_of(" \t\n") < equals ||
        std::ranges::find(kOwn, name) != std::end(kOwn))
      return Error{
          verb, "",
          fmt::format("--set {}: NAME=VALUE is expected, and no name that has an option of "
                      "its own",
                      printable(setting)),
          kExitUsage};
    value = setting.substr(equals + 1);
    std::ranges::replace_if(value, [](char c) { return std::isspace((unsigned char)c); }, ',');
    auto *globs = name == "set_ftrace_filter"    ? &request->filters
                  : name == "set_ftrace_notrace" ? &request->notraces
                                                 : nullptr;
    if (!globs)
      rest.push_back(name + "=" + value);
    for (size_t at = 0, end; globs && at < value.size(); at = end + 1) {
      end = std::min(value.find(',', at), value.size());
      globs->push_back(value.substr(at, end - at));
    }
  }
  request->settings = std::move(rest);
  return {};
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

} // namespace

void add_options(CLI::App &app, TraceRequest *request) {
  app.add_option("-p,--tracer", request->tracer,
                 "function_graph (default), function, profile: counts and times without events, or "
                 "nop: marks only")
      ->type_name("TRACER");
  app.add_option("-l,--filter", request->filters, "trace only functions that match; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  app.add_option("-n,--notrace", request->notraces, "do not trace those that match; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  app.add_option("-S,--set", request->settings,
                 "a file of tracefs and what is in it: max_graph_depth=3; repeatable")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("-o,--output", request->output, "the recording (nophook.data)")->type_name("PATH");
  app.add_flag("-z,--compress", request->pack, "compress the recording with zstd");
  app.add_option("--max-size", request->limits.bytes,
                 "stop when the recording has SIZE (64K, 10M, 2G)")
      ->type_name("SIZE")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(uint64_t{1} << 16, uint64_t{1} << 62));
  app.add_option_function<double>(
         "--duration",
         [request](const double &seconds) {
           request->limits.duration = std::chrono::milliseconds((int64_t)(seconds * 1000));
         },
         "stop after TIME (10, 500ms, 5m)")
      ->type_name("TIME")
      ->transform(CLI::AsNumberWithUnit(kTimeUnits, CLI::AsNumberWithUnit::CASE_SENSITIVE))
      ->check(CLI::Range(0.001, 1e9));
  app.add_flag("-a,--args", request->arguments, "record the arguments of calls");
  app.add_flag("-r,--retval", request->results, "record what they return (function_graph)");
}

Result<> settle(const std::string &verb, TraceRequest *request) {
  if (std::ranges::find(kTracers, request->tracer) == std::end(kTracers))
    return Error{verb, "",
                 fmt::format("unknown tracer '{}' (function, function_graph, profile, nop)",
                             request->tracer),
                 kExitUsage};
  NOPHOOK_TRY(take_filters(verb, request));
  if (request->results && request->tracer != "function_graph")
    return Error{verb, "", "--retval needs the tracer function_graph: no other sees returns",
                 kExitUsage};
  return {};
}

std::string trace_option_list(const TraceRequest &request) {
  std::string list;
  if (request.arguments)
    list = request.tracer == "function" ? "func-args" : "funcgraph-args";
  if (request.results)
    list += list.empty() ? "funcgraph-retval" : ",funcgraph-retval";
  return list;
}

std::string settings_of(const TraceRequest &request) {
  std::string options = trace_option_list(request);
  std::string text = options.empty() ? "" : " trace_options=" + options;
  text += " current_tracer=" + request.tracer;
  text += glob_list("set_ftrace_filter", request.filters);
  text += glob_list("set_ftrace_notrace", request.notraces);
  for (const std::string &setting : request.settings)
    text += " " + setting;
  return text;
}

nlohmann::ordered_json describe(const TraceRequest &request,
                                const std::vector<std::string> &command) {
  auto shown = [](const std::vector<std::string> &texts) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const std::string &text : texts)
      list.push_back(printable(text));
    return list;
  };
  return {{"tracer", request.tracer},
          {"command", shown(command)},
          {"filter", shown(request.filters)},
          {"notrace", shown(request.notraces)}};
}

} // namespace nophook
