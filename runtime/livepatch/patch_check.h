// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that is cut short kills the program that loads it, by a SIGBUS in the loader. So its
// file is looked at first (include/nophook/patch_checksum.h).
//
// The loader opens the file again. A file that is changed between the two, or at any time after, is
// not seen, as with each library that a program loads: a writer must make a new file and rename it,
// as `nophook patch build` does.

#pragma once

namespace nophook {

// The reason why the library must not be loaded, a clause about it; null: there is none. Reads the
// whole file; any thread.
const char *why_not_loaded(const char *path);

} // namespace nophook
