// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of a process's control tree that are changed for a while: their old texts are restored, the
// last one first, even if this process is killed.

#pragma once

#include "process/control/client.h"
#include "process/launch/guardian.h"
#include "process/launch/settings_lock.h"

#include <string>
#include <vector>

namespace nophook {

class RestoredFiles {
public:
  // `lock`: the lock of the process, held until the files are restored.
  RestoredFiles(ControlClient client, int32_t pid, SettingsLock lock)
      : pid_(pid), client_(std::move(client)), lock_(std::move(lock)),
        guardian_(pid, lock_.descriptor()) {}

  Result<std::string> read(const std::string &path) { return client_.read(path); }

  // Errors: the file's own, in which case it is unchanged.
  Result<> write(const std::string &path, const std::string &text);

  // Limits requests once this descriptor is readable; -1: none.
  void hurry_at(int descriptor) { client_.hurry_at(descriptor); }
  // The last request was not answered in time.
  bool is_silent() const { return client_.is_silent(); }

  // Leaves the files as they are now.
  void keep();

  // The process has executed another program, which has none of the changes. Other commands may
  // change its settings. Its fork children still have the old texts to get back.
  void are_gone();

  // Does nothing if the process is gone. Errors: the first; the others are still put back. If the
  // process does not answer for some seconds, the guardian puts them back once it does.
  Result<> restore();
  // The same in another process that was begun with the same settings.
  Result<> restore(ControlClient &client) const;

private:
  struct Before {
    std::string path, text;
  };

  const int32_t pid_;
  ControlClient client_;
  SettingsLock lock_;
  Guardian guardian_;
  std::vector<Before> before_;
  bool are_gone_ = false;
};

} // namespace nophook
