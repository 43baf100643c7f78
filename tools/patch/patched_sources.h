// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sources as the diff changes them, without a change to the tree.
//
// Patching the tree itself would disturb its next build, and a second run would find it patched
// already. Compiling copies would change __FILE__, and with it every assert(). So the diff is
// applied to copies, and the compiler sees them under the old names by an overlay (-ivfsoverlay).

#pragma once

#include "foundation/result.h"

#include <optional>
#include <string>
#include <vector>

namespace nophook {

struct PatchedSource {
  std::string path;            // in the tree: absolute, without "." and ".."
  std::string name;            // as the diff has it, without the prefix
  std::string copy;            // path of the new version; empty: the diff removes the file
  std::vector<unsigned> lines; // numbers of changed lines in the new version
  bool is_new = false;
};

struct PatchedSources {
  std::vector<PatchedSource> files;
  std::string overlay; // file for -ivfsoverlay
  std::string remarks; // patch(1)'s, on hunks with an offset; or empty
};

// Applies the diff to copies. `strip` is the number of patch -p; without it, 1 or 0 is chosen by
// the names that exist. The tree begins at `directory`; the copies go below `work`. Fails if the
// diff does not apply, and says so if it has been applied already.
Result<PatchedSources> patch_copies(const std::string &diff, const std::string &directory,
                                    std::optional<int32_t> strip, const std::string &work);

} // namespace nophook
