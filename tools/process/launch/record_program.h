// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts a program with the runtime in it, for `record` and `live`: their options, what must be
// there before the program starts, and where its events go: into a recording, or to standard output
// as they come.

#pragma once

#include "process/launch/session.h"
#include "process/launch/trace_request.h"
#include "read/symbols/name_style.h"

#include <optional>

namespace nophook {

struct RecordRequest {
  std::string verb = "record"; // for errors
  TraceRequest request;
  bool in_memory = false; // `request.output` is a descriptor's name: nothing is kept beside it
  uint64_t buffer_mib = 256;
  bool overwrite = false;
  std::optional<uint32_t> wait_ms;
  AtEnd at_end;
  bool force = false;
  bool is_static = false;
  std::vector<std::string> program;
};

void add_options(VerbOptions *verb, RecordRequest *request);

// Our options end where the program begins: at the first word that is none of them. Returns them.
std::vector<std::string> split_program(const VerbOptions &verb,
                                       const std::vector<std::string> &arguments,
                                       std::vector<std::string> *program);

// What the parser cannot see.
Result<> complete_request(RecordRequest *request);

// The program's exit status, as of run_session().
Result<int> record_program(const RecordRequest &request);

// Prints the events as they come, as trace_pipe does, and keeps none of them. The program's exit
// status.
Result<int> follow_program(const RecordRequest &request, const NamesOption &names);

} // namespace nophook
