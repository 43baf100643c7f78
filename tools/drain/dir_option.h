// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --dir, of all verbs that look for a process: the folder that it serves in, where the process
// itself does not show it (its environment may not be read, or it has written over it).

#pragma once

#include "drain/buffer_folder.h"

#include <CLI/CLI.hpp>

namespace nophook {

inline void add_dir_option(CLI::App &app) {
  app.add_option_function<std::string>("--dir", add_buffer_folder,
                                       "the folder of its socket and buffers: its buffer_dir, if "
                                       "that is not found")
      ->type_name("DIR");
}

} // namespace nophook
