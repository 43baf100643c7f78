// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verbs of the command, one file each. A verb gets the arguments behind its name and
// returns the command's exit status, or the error that main prints.

#pragma once

#include "foundation/result.h"

#include <string>
#include <vector>

namespace nophook {

using Arguments = std::vector<std::string>;

Result<int> record_verb(const Arguments &arguments);
Result<int> live_verb(const Arguments &arguments);
Result<int> report_verb(const Arguments &arguments);
Result<int> stat_verb(const Arguments &arguments);
Result<int> stack_verb(const Arguments &arguments);
Result<int> recover_verb(const Arguments &arguments);
Result<int> diff_verb(const Arguments &arguments);
Result<int> script_verb(const Arguments &arguments);
Result<int> info_verb(const Arguments &arguments);
Result<int> graph_verb(const Arguments &arguments);
Result<int> view_verb(const Arguments &arguments);
Result<int> latency_verb(const Arguments &arguments);
Result<int> ps_verb(const Arguments &arguments);
Result<int> get_verb(const Arguments &arguments);
Result<int> set_verb(const Arguments &arguments);
Result<int> start_verb(const Arguments &arguments);
Result<int> stop_verb(const Arguments &arguments);
Result<int> show_verb(const Arguments &arguments);
Result<int> reset_verb(const Arguments &arguments);
Result<int> top_verb(const Arguments &arguments);
Result<int> attach_verb(const Arguments &arguments);
Result<int> mount_verb(const Arguments &arguments);
Result<int> tracefs_exec_verb(const Arguments &arguments);
Result<int> trace_cmd_verb(const Arguments &arguments);
Result<int> list_verb(const Arguments &arguments);
Result<int> why_verb(const Arguments &arguments);
Result<int> export_verb(const Arguments &arguments);
Result<int> patch_verb(const Arguments &arguments);
Result<int> cc_verb(const Arguments &arguments);
Result<int> cxx_verb(const Arguments &arguments);
Result<int> ld_verb(const Arguments &arguments);
Result<int> rustc_verb(const Arguments &arguments);
Result<int> cargo_verb(const Arguments &arguments);

// Verbs for programs other than shells, which no manual describes.
Result<int> gcc_launch_verb(const Arguments &arguments); // for CMake: COMPILER ARGUMENTS
Result<int> gcc_step_verb(const Arguments &arguments);   // for gcc: see build/cc/gcc.h

// The verbs that other names of this command choose: a folder has links to it.
Result<int> link_by(const std::string &name, const Arguments &arguments);
Result<int> wrap_rustc(const Arguments &arguments); // RUSTC ARGUMENTS, for cargo

} // namespace nophook
