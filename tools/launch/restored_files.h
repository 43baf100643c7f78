// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of a process's control tree that are changed for a while: what they said before is put
// back, the last one first.

#pragma once

#include "control/client.h"

#include <string>
#include <vector>

namespace nophook {

class RestoredFiles {
public:
  explicit RestoredFiles(ControlClient client) : client_(std::move(client)) {}

  // Errors: the file's own, and then it is as it was.
  Result<> write(const std::string &path, const std::string &text);

  // Nothing, if the process is gone. Errors: the first; the others are still put back.
  Result<> restore();
  // The same in another process that was begun with the same settings.
  Result<> restore(ControlClient &client) const;

private:
  struct Before {
    std::string path, text;
  };

  ControlClient client_;
  std::vector<Before> before_;
};

} // namespace nophook
