// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The option --dir of all verbs that look for a process: the folder in which it serves, if the
// process itself does not show it (its environment cannot be read, or was overwritten).

#pragma once

#include "foundation/options.h"
#include "process/drain/buffer_folder.h"

namespace nophook {

inline VerbOption dir_option() {
  return {"--dir",
          add_buffer_folder,
          "the folder of its socket and buffers (its buffer_dir), if they are not found",
          {.type = "DIR"}};
}

} // namespace nophook
