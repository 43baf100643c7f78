// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of the other installed parts.
//
// They are found from the place of this command, never from the configured one: the tree may
// have been installed elsewhere, unpacked, or moved. A build tree has its libraries in lib/. An
// installed tree has them in the folder of CMake's GNUInstallDirs, with nophook/ below it for files
// that are not libraries to link.

#pragma once

#include "foundation/result.h"

#include <string>

namespace nophook {

// Finders of parts; each fails if the part is missing. find_plugin: NophookPass.so for that major
// version of LLVM.
Result<std::string> find_plugin(unsigned llvm);
Result<std::string> find_linker_script();    // ftrace.lds
Result<std::string> find_recordmcount();     // the command
Result<std::string> find_linker_folder();    // links to this command, by names of linkers
Result<std::string> find_python_module();    // nophook.py
Result<std::string> find_ctf_writer();       // nophook_ctf.so
Result<std::string> find_view_page();        // the folder with the page of `nophook view`
Result<std::string> find_livepatch_header(); // livepatch.h

// Files that are linked into programs. `target` names another target than this machine's and the
// folder with its files, like aarch64-linux-gnu; empty: this machine's.
Result<std::string> find_module(const std::string &target = "");          // nophook_module.o
Result<std::string> find_module_by_name(const std::string &target);       // for gold and mold
Result<std::string> find_runtime(const std::string &target = "");         // libnophook.so
Result<std::string> find_runtime_archive(const std::string &target = ""); // libnophook.a

// Whether the dynamic loader searches that folder by default.
bool is_loaders_folder(const std::string &library);

} // namespace nophook
