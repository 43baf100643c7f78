// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook record: starts a program with the runtime in it and keeps emptying its buffers into
// a file until it ends.
//
// The program keeps its streams and its exit status; our messages go to standard error. Errors in
// the command line, the program or the output are found before the program starts. Later errors end
// the recording, never the program.

#include "foundation/tracer_rows.h"
#include "process/launch/record_program.h"
#include "show/view/viewed.h"
#include "verbs.h"

namespace nophook {

namespace {

// Makes the index of the recording. An error is printed and leaves the exit status the program's:
// the recording is complete, and the first `nophook view` makes the index.
void make_index(const std::string &path) {
  auto viewed = Viewed::open(path);
  auto made = viewed ? (*viewed)->finish_index() : Result<>(viewed.error());
  if (!made)
    fmt::print(stderr, "nophook: {}\n", printable(made.error().text()));
}

} // namespace

Result<int> record_verb(const Arguments &arguments) {
  RecordRequest request;
  bool index = false;
  VerbOptions verb = {"nophook record",
                      "Runs a program and records its calls. Options end at the program's name.",
                      {},
                      "usage: nophook record [OPTIONS] [--] PROGRAM [ARGS...]"};
  add_options(&verb, &request);
  verb.options.push_back({"--index", &index,
                          "when the program has ended, write the index that `nophook view` makes "
                          "otherwise"});
  NOPHOOK_TRY(refuse_number_of_process("record", arguments));
  auto go_on = parse(verb, split_program(verb, arguments, &request.program));
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  NOPHOOK_TRY(complete_request(&request));
  if (index && is_profiler(request.request.tracer))
    return Error{request.verb, "", "--index: a profile has no calls, so it has no index",
                 kExitUsage};
  auto status = record_program(request);
  if (status && index)
    make_index(request.request.output);
  return status;
}

} // namespace nophook
