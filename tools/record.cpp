// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook record: starts a program with the runtime in it and keeps emptying its buffers into
// a file until it ends.
//
// The program keeps its streams and its exit status; our messages go to standard error. Errors in
// the command line, the program or the output are found before the program starts. Later errors end
// the recording, never the program.

#include "launch/record_program.h"
#include "verbs.h"

namespace nophook {

Result<int> record_verb(const Arguments &arguments) {
  RecordRequest request;
  VerbOptions verb = {"nophook record",
                      "Runs a program and records its calls. Options end at the program's name.",
                      {},
                      "usage: nophook record [OPTIONS] [--] PROGRAM [ARGS...]"};
  add_options(&verb, &request);
  auto go_on = parse(verb, split_program(verb, arguments, &request.program));
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  NOPHOOK_TRY(complete_request(&request));
  return record_program(request);
}

} // namespace nophook
