// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sources as they are behind a diff, without a change to the tree.
//
// To patch the tree itself would disturb its next build, and a second run would find it patched
// already. To compile copies would change __FILE__, and with it every assert(). So the diff is
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
  std::string copy;            // the new version; empty: the diff removes the file
  std::vector<unsigned> lines; // changed ones of the new version
  bool is_new = false;
};

struct PatchedSources {
  std::vector<PatchedSource> files;
  std::string overlay; // for -ivfsoverlay
  std::string remarks; // of patch(1): hunks with an offset; or empty
};

// `strip` as patch -p has it; without one, 1 or 0, by which names exist. The tree begins at
// `directory`; the copies go below `work`. Fails if the diff does not apply, and says so if it has
// been applied already.
Result<PatchedSources> patch_copies(const std::string &diff, const std::string &directory,
                                    std::optional<int32_t> strip, const std::string &work);

} // namespace nophook
