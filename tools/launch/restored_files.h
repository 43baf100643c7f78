// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of a process's control tree that are changed for a while: their old texts are restored, the
// last one first, even if this process is killed.

#pragma once

#include "control/client.h"
#include "launch/guardian.h"

#include <string>
#include <vector>

namespace nophook {

class RestoredFiles {
public:
  RestoredFiles(ControlClient client, int32_t pid) : client_(std::move(client)), guardian_(pid) {}

  Result<std::string> read(const std::string &path) { return client_.read(path); }

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
  Guardian guardian_;
  std::vector<Before> before_;
};

} // namespace nophook
