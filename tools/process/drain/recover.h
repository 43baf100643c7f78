// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that no recorder has emptied: of programs that were traced without one, or whose recorder
// was killed. They are read up to the last completed event, and stay unchanged.

#pragma once

#include "foundation/identity.h"
#include "process/drain/core_file.h"
#include "process/drain/record_names.h"
#include "read/recording/writer.h"

#include <optional>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace nophook {

struct FoundBuffer {
  std::string path;           // of the .buf file
  struct stat file = {};      // that was looked at
  int32_t pid = 0;            // of the process that has made it, in its PID namespace
  int32_t pid_here = 0;       // in ours; 0: not known, or it is gone
  Life life = Life::kUnknown; // of that process
  std::string comm, exe, tracer;
  uint32_t tracer_form = 0;  // NOPHOOK_FORM_
  uint64_t start_ns = 0;     // CLOCK_MONOTONIC
  std::string instance;      // that it is of; empty: the process's main tracer
  uint32_t snapshot = 0;     // which of its copies, from 1 on; 0: the buffer itself
  uint64_t bytes = 0;        // of memory or disk that its files take
  std::string lost_children; // lost_children_text()
  std::shared_ptr<const TemporaryFolder> folder; // of a copy, if it was in a core file

  // Whether the process that has this number here has made it.
  bool is_of(int32_t number) const { return (pid_here ? pid_here : pid) == number; }
};

// Whether it is the .buf file of one.
bool is_buffer(const std::string &path);

// All in `folders`, in the order of their start. What is no buffer is passed over.
std::vector<FoundBuffer> find_buffers(const std::vector<std::string> &folders);

// Those that `what` names: a .buf file, a folder, a core file, or a process by its number.
// Snapshots, whose events are those of another buffer, and instances, whose are another trace, are
// named by their own names, or found with `kAll`. Errors: there is none.
enum class BufferKinds { kMain, kAll };
Result<std::vector<FoundBuffer>> choose_buffers(const std::string &what,
                                                BufferKinds kinds = BufferKinds::kMain);

// Writes what is in them as one recording and ends it. Returns how many events there were.
Result<uint64_t> recover(const std::vector<FoundBuffer> &buffers, RecordingWriter &writer,
                         std::optional<KeepNames> names = std::nullopt);

// Whether a recorder that runs reads it, or is about to.
bool has_recorder(const FoundBuffer &buffer);

// Deletes its files. Returns what went wrong.
std::optional<Error> remove_buffer(const FoundBuffer &buffer);

} // namespace nophook
