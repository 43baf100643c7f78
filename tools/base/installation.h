// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the other parts of what this command came with are.
//
// Found from the place of this command, never from the place that was configured: the tree may
// have been installed elsewhere, unpacked, or moved. A build tree has its libraries in lib/, an
// installed one has the folder of CMake's GNUInstallDirs, with nophook/ below it for what is no
// library to link.

#pragma once

#include "base/result.h"

#include <string>

namespace nophook {

// Each fails if the part is missing.
Result<std::string> find_plugin();          // NophookPass.so
Result<std::string> find_module();          // nophook_module.o
Result<std::string> find_linker_script();   // ftrace.lds
Result<std::string> find_runtime();         // libnophook.so
Result<std::string> find_runtime_archive(); // libnophook.a
Result<std::string> find_recordmcount();    // the command

// Does the dynamic loader look there without being told?
bool is_loaders_folder(const std::string &library);

} // namespace nophook
