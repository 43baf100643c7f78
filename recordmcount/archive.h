// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Archives: each member is an object of its own. Reading and writing of the format is LLVM's;
// names, dates, owners and the kind of archive stay as they were.

#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <functional>

namespace nophook::recordmcount {

bool is_thin_archive(llvm::StringRef image);
bool is_archive(llvm::StringRef image); // thin archives, too

struct ArchiveEdits {
  // Returns the new bytes of a member that is an object, or null to leave it.
  std::function<llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>(llvm::MemoryBufferRef)> member;
  // Writes a member of a thin archive, which is a file of its own. Called when all members are
  // edited.
  std::function<llvm::Error(const std::string &path, llvm::StringRef bytes)> replace_file;
  // True: a thin archive becomes an ordinary one, and its members' files stay as they are.
  bool whole = false;
};

// The new archive, or null if no member has changed and a thin archive stays thin.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> edit_archive(llvm::MemoryBufferRef archive,
                                                                 const ArchiveEdits &edits);

} // namespace nophook::recordmcount
