// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Archives: each member is an object of its own. Reading and writing of the format is LLVM's;
// names, dates, owners and the kind of archive stay as they were.

#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <functional>

namespace nophook {

bool is_archive(llvm::StringRef image); // thin ones too

// Gives each member to `edit`, which returns its new bytes or null to leave it, and returns the
// new archive, or null if no member changed. Members of a thin archive are files of their own:
// `edit` gets their paths and must replace them itself before it returns true through `changed`.
struct ArchiveEdits {
  std::function<llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>(llvm::MemoryBufferRef)> member;
  // For a thin archive: replaces the file, true if it changed.
  std::function<llvm::Expected<bool>(const std::string &path)> file;
};
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> edit_archive(llvm::MemoryBufferRef archive,
                                                                 const ArchiveEdits &edits);

} // namespace nophook
