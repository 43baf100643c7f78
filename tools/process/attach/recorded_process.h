// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A running process that is to be recorded: it is made to serve, no other command reads its events
// or changes its settings in the meantime, and it gets the settings of the recording.

#pragma once

#include "process/attach/serve_process.h"
#include "process/control/tree.h"
#include "process/launch/restored_files.h"
#include "process/launch/trace_request.h"

#include <functional>
#include <memory>
#include <string>

namespace nophook {

Error is_taken(int32_t pid);

// A process that serves, has no reader, and whose settings no other command can change.
struct FreeProcess {
  std::unique_ptr<ControlTree> tree;
  ControlClient client;
  SettingsLock lock;
};
Result<FreeProcess> free_process(int32_t pid, TrustedFilter trust);

bool sets_tracing_on(const TraceRequest &request);

// Applies all settings of the request, the tracer last. `say` gets lines for the user.
using Say = std::function<void(const std::string &)>;
Result<> set_up(RestoredFiles &files, const TraceRequest &request, const Say &say);

// A child that is recorded with its own settings.
struct Member {
  Member(int32_t number, ControlClient client, SettingsLock lock)
      : pid(number), files(std::move(client), number, std::move(lock)) {}

  int32_t pid;
  std::string buffer; // path of the file that it writes
  RestoredFiles files;
};

// Gives the child the settings; its buffer has no reader yet. Errors: why it is left out; it is as
// it was.
Result<std::unique_ptr<Member>> prepare_member(int32_t pid, TrustedFilter trust,
                                               const TraceRequest &request, const Say &say);

} // namespace nophook
