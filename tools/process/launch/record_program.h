// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts a program with the runtime in it, for `record` and `live`: their options, the checks
// before the program starts, and the destination of its events: a recording, or standard output as
// they come.

#pragma once

#include "process/launch/session.h"
#include "process/launch/trace_request.h"
#include "read/symbols/name_style.h"

#include <optional>

namespace nophook {

struct RecordRequest {
  std::string verb = "record"; // for errors
  TraceRequest request;
  bool in_memory = false; // `request.output` is a descriptor's name: no file is kept beside it
  uint64_t buffer_mib = 256;
  bool overwrite = false;
  std::optional<uint32_t> wait_ms;
  AtEnd at_end;
  bool force = false;
  bool is_static = false;
  std::vector<std::string> program;
};

void add_options(VerbOptions *verb, RecordRequest *request);

// Splits off our options, which it returns: they end at the first word that is none of them, where
// the program begins.
std::vector<std::string> split_program(const VerbOptions &verb,
                                       const std::vector<std::string> &arguments,
                                       std::vector<std::string> *program);

// Checks that the parser cannot make.
Result<> complete_request(RecordRequest *request);

// Returns the program's exit status, as run_session() does.
Result<int> record_program(const RecordRequest &request);

// Prints the events as they come, as trace_pipe does, and keeps none of them. Returns the program's
// exit status.
Result<int> follow_program(const RecordRequest &request, const NamesOption &names);

} // namespace nophook
