// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file is replaced whole or not at all: the new one is written beside it and renamed over it.
// An interrupted run, a full disk or a refused write leaves the old file as it was.

#pragma once

#include "llvm/Support/Error.h"

namespace nophook::recordmcount {

struct ReplaceOptions {
  bool keep_times = true; // keep the times of the replaced file
  bool fsync = false;     // write the file to the disk before the rename
};

// Writes `bytes` as `path`, with mode, owner and times of `like`, which may be the same file. A
// symbolic link is followed, a hard link is cut. Errors begin with `path`.
llvm::Error replace_file(llvm::StringRef path, llvm::StringRef like, llvm::StringRef bytes,
                         ReplaceOptions options);

} // namespace nophook::recordmcount
