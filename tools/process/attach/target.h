// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts about a process that does not serve, and whether it can be made to serve.

#pragma once

#include "process/attach/process_files.h"
#include "process/attach/remote_call.h"
#include "process/attach/safe_point.h"

#include <memory>

namespace nophook {

// The runtime in a process.
struct FoundRuntime {
  std::string name;   // path of the file that contains it
  uint64_t table = 0; // the address of its struct nophook_runtime_table; 0: it has none
  uint32_t version = 0;
  uint64_t wake = 0; // 0: the dynamic linker has not relocated the file yet
};
std::optional<FoundRuntime> find_runtime_in(int32_t pid, const std::vector<LoadedFile> &files);

// Whether a seccomp filter that cannot be read is taken to let all calls through.
enum class TrustedFilter : bool { kNo, kYes };

struct Target {
  int32_t pid = 0;
  ProcessMap map;
  RemoteEntries entries;
  std::vector<LoadedFile> files; // files that the names of `places` point into
  std::unique_ptr<CodePlaces> places;
  bool judges_filters = true; // whether seccomp filters are judged when a thread stands still: it
                              // may have none before
  // What the process lacks; empty: nothing. If it has just begun, its dynamic linker brings that.
  std::string lacks;

  // Errors: one sentence why the process cannot be made to serve. It has not been touched.
  static Result<Target> of(int32_t pid, TrustedFilter trust);
};

} // namespace nophook
