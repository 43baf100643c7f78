// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of events in the control tree: trace, trace_pipe, snapshot's text, and per_cpu. Their
// text is made here, from the process's mapped buffer: the process has no part in it.

#pragma once

#include "process/control/tree.h"

namespace nophook {

// The event files in a folder.
std::vector<ControlTree::Entry> event_entries(const std::string &folder);

// Whether a path, opened with these flags, is not for the process: a snapshot is read here, and
// taken there.
bool is_event_file(const std::string &path, int flags);

// The process's own file that a path stands for: per_cpu/cpu0/buffer_size_kb is buffer_size_kb.
std::string process_path(const std::string &path);

// Makes the process's own file accept the text that readers of trace_clock get. The file is open
// for writing.
void watch_clock(ControlTree &tree, const std::string &path, std::unique_ptr<TreeFile> *file);

int64_t open_event_file(ControlTree &tree, const std::string &path, int flags,
                        std::unique_ptr<TreeFile> *file);

} // namespace nophook
