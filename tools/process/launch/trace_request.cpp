// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the options, and turns a request into words of NOPHOOK.

#include "process/launch/trace_request.h"

#include "foundation/json.h"
#include "foundation/setting_rows.h"
#include "foundation/tracer_rows.h"

#include <algorithm>
#include <fmt/format.h>

namespace nophook {

namespace {

// Settings that have an option of their own, or make no sense with one.
constexpr const char *kOwn[] = {"buffer_dir",     "buffer_size_kb", "calls",
                                "current_tracer", "off_cpu",        "static"};

std::string setting_words() {
  std::string words;
  for (const SettingRow &row : kSettingRows)
    if (std::ranges::find(kOwn, std::string_view(row.name)) == std::end(kOwn))
      words += (words.empty() ? "" : " ") + std::string(row.name) + "=";
  return words;
}

// "malloc [libc.so.6]", as calls into libraries are shown, in the words of a filter.
std::string of_library(const std::string &shown) {
  const size_t bracket = shown.rfind(" [");
  if (bracket == std::string::npos || bracket == 0 || !shown.ends_with("]"))
    return shown;
  return "lib:" + shown.substr(0, bracket) +
         ":mod:" + shown.substr(bracket + 2, shown.size() - bracket - 3);
}

// Globs separated by commas, as one word of the environment: what would end the word or the
// glob becomes a wildcard.
std::string glob_list(const char *key, const std::vector<std::string> &globs) {
  std::string list;
  for (std::string glob : globs) {
    glob = of_library(glob);
    for (char &c : glob)
      if (std::isspace((unsigned char)c) || c == ',')
        c = '?';
    if (!glob.empty())
      list += (list.empty() ? "" : ",") + glob;
  }
  return list.empty() ? "" : fmt::format(" {}={}", key, list);
}

// Settings that have an option here are refused, so that each is given once. The program checks the
// others, and reports errors.
Result<> take_filters(const std::string &verb, TraceRequest *request) {
  std::vector<std::string> rest;
  for (const std::string &setting : request->settings) {
    size_t equals = setting.find('=');
    std::string name = setting.substr(0, equals), value;
    if (equals == std::string::npos || equals == 0 || setting.find_first_of(" \t\n") < equals ||
        std::ranges::find(kOwn, name) != std::end(kOwn))
      return Error{verb, "",
                   fmt::format("--set {}: NAME=VALUE is expected, and a name that has no option of "
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
  if (const std::string list = glob_list("set_graph_function", request->graphs); !list.empty())
    rest.push_back(list.substr(1)); // no space in front
  request->settings = std::move(rest);
  return {};
}

} // namespace

std::string tracer_list(const char *between) {
  std::string list;
  for (const TracerRow &row : kTracerRows)
    list += std::string(row.name) + between;
  return list + "nop";
}

KeepNames kept_names(const TraceRequest &request) {
  return request.no_symbols ? KeepNames::kNo : KeepNames::kYes;
}

void add_options(VerbOptions *verb, TraceRequest *request) {
  const VerbOption options[] = {
      {"-p,--tracer",
       &request->tracer,
       "function_graph (default), function, profile: counts and times without events, hits: counts "
       "only, or nop: marks only",
       {.type = "TRACER", .offered = tracer_list(" ")}},
      {"-l,--filter",
       &request->filters,
       "trace only functions that match; repeatable",
       {.type = "GLOB"}},
      {"-n,--notrace",
       &request->notraces,
       "leave out functions that match; repeatable",
       {.type = "GLOB"}},
      {"-g,--graph,-F,--function",
       &request->graphs,
       "trace only functions that match, and the calls inside them; repeatable",
       {.type = "GLOB"}},
      {"-S,--set",
       &request->settings,
       "a setting, as in tracefs: max_graph_depth=3; repeatable",
       {.type = "NAME=VALUE", .offered = setting_words()}},
      {"-o,--output", &request->output, "the recording (nophook.data)", {.type = "PATH"}},
      {"-z,--compress", &request->pack, "compress the recording with zstd"},
      {"--no-symbols", &request->no_symbols,
       "leave the functions' names out of the recording: they come from the program's files"},
      {"--max-size",
       &request->limits.bytes,
       "stop before the recording exceeds SIZE (64K, 10M, 2G)",
       {.type = "SIZE", .range = {uint64_t{1} << 16, uint64_t{1} << 62}, .is_size = true}},
      {"--duration",
       &request->limits.duration,
       "stop after TIME (10s, 500ms, 5m)",
       {.type = "TIME", .range = {0.001, 1e9}}},
      {"-a,--args", &request->arguments, "record the arguments of calls"},
      {"--calls", &request->calls, "trace calls of functions in libraries, too: malloc, read"},
      {"--off-cpu", &request->off_cpu, "record the time that threads are off the CPU"},
      {"-r,--retval", &request->results, "record the return values of calls (function_graph)"}};
  verb->options.insert(verb->options.end(), std::begin(options), std::end(options));
}

Result<> refuse_number_of_process(const std::string &verb,
                                  const std::vector<std::string> &arguments) {
  const auto is_number = [](std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
  };
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; i++) {
    std::string_view word = arguments[i];
    if (i && !word.starts_with('-') && !arguments[i - 1].starts_with('-'))
      break; // the program's own option
    std::string_view number;
    if ((word == "-p" || word == "--pid") && i + 1 < arguments.size())
      number = arguments[i + 1];
    for (std::string_view begin : {"-p", "--pid="})
      if (word.starts_with(begin) && word.size() > begin.size())
        number = word.substr(begin.size());
    if (is_number(number))
      return Error{verb, "",
                   fmt::format("-p is the option for a tracer; a process that runs is recorded by: "
                               "nophook attach {}",
                               number),
                   kExitUsage};
  }
  return {};
}

Result<> complete_request(const std::string &verb, TraceRequest *request) {
  if (request->tracer != "nop" && !find_tracer(request->tracer))
    return Error{verb, "",
                 fmt::format("unknown tracer '{}' ({})", request->tracer, tracer_list(", ")),
                 kExitUsage};
  NOPHOOK_TRY(take_filters(verb, request));
  if (!request->graphs.empty() && request->tracer != "function_graph")
    return Error{verb, "", "--graph is for function_graph: " + request->tracer + " has no callees",
                 kExitUsage};
  if (request->results && request->tracer != "function_graph")
    return Error{verb, "", "--retval needs the tracer function_graph: no other tracer sees returns",
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
  text += request.calls ? " calls=1" : "";
  text += request.off_cpu ? " off_cpu=1" : "";
  text += " current_tracer=" + request.tracer;
  text += glob_list("set_ftrace_filter", request.filters);
  text += glob_list("set_ftrace_notrace", request.notraces);
  for (const std::string &setting : request.settings)
    text += " " + setting;
  return text;
}

Json describe(const TraceRequest &request, const std::vector<std::string> &command) {
  auto shown = [](const std::vector<std::string> &texts) {
    Json list = Json::list();
    for (const std::string &text : texts)
      list.push(printable(text));
    return list;
  };
  const TracerRow *row = find_tracer(request.tracer);
  return {{"tracer", request.tracer},
          {"tracer_form", row ? row->form : (uint32_t)NOPHOOK_FORM_UNKNOWN},
          {"command", shown(command)},
          {"filter", shown(request.filters)},
          {"notrace", shown(request.notraces)}};
}

} // namespace nophook
