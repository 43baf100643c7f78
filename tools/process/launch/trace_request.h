// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The request of a recording, of a program that is started or of a running one: the options that
// `record` and `attach` share.

#pragma once

#include "foundation/options.h"
#include "foundation/result.h"
#include "process/drain/record_names.h"
#include "process/recorder/limits.h"

#include <string>
#include <vector>

namespace nophook {

struct TraceRequest {
  std::string tracer = "function_graph";
  std::vector<std::string> filters, notraces, graphs, settings; // settings: NAME=VALUE
  std::string output = "nophook.data";
  Limits limits;
  bool arguments = false;
  bool results = false;
  bool off_cpu = false;
  bool calls = false; // into libraries
  bool pack = false;
  bool no_symbols = false; // keep no names in the recording
};

KeepNames kept_names(const TraceRequest &request);

std::string tracer_list(const char *between);

void add_options(VerbOptions *verb, TraceRequest *request);

// Refuses `record -p 123`, perf's habit, with an error that names the command for it.
Result<> refuse_number_of_process(const std::string &verb,
                                  const std::vector<std::string> &arguments);

// Checks that the parser cannot make; moves filters that were given as settings to the filters.
// `verb` is named in errors.
Result<> complete_request(const std::string &verb, TraceRequest *request);

// The tracer's options: "funcgraph-args,funcgraph-retval", or an empty text.
std::string trace_option_list(const TraceRequest &request);

// The whole request as words of NOPHOOK, each with a space in front.
std::string settings_of(const TraceRequest &request);

// The description in the recording's INFO chunk.
Json describe(const TraceRequest &request, const std::vector<std::string> &command);

} // namespace nophook
