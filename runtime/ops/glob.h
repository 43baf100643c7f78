// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Globs as the kernel matches them (lib/glob.c): `*`, `?`, `[a-z]`, `[!a-z]`, and `\` takes the
// next character as it is. Bytes, no locale: libc's fnmatch decodes UTF-8 first and needs ten
// times as long, which counts when a filter meets a million names.

#pragma once

namespace nophook {

// Whether the whole of `text` matches. An unclosed `[` stands for itself. Pure.
bool glob_match(const char *pattern, const char *text);

} // namespace nophook
