// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place where the kernel's tools look for tracing, for this process and its children alone.
//
// libtracefs, and so trace-cmd, takes no folder by option: it takes the first mount of type tracefs
// in /proc/mounts, and mounts the kernel's own if there is none. Older tools and tutorials use
// /sys/kernel/debug/tracing, where debugfs mounts the kernel's as soon as a path leads there.
// Mounting over these two paths would do until a client unmounts one.
//
// So the list of mounts keeps the kernel's, but no path leads there, in a mount namespace of our
// own: /sys/kernel is mounted over itself without its tracefs and debugfs. On that copy a process's
// tree is mounted at /sys/kernel/tracing, and /sys/kernel/debug has a link to it. A client that
// unmounts these finds empty folders. The kernel's file systems at other places are unmounted.
//
// The other files that such tools write to or read symbols from (/proc/sys/kernel/ftrace_enabled,
// kptr_restrict, /proc/kallsyms) are covered by files that go away with the namespace.

#pragma once

#include "foundation/result.h"

#include <cstdint>

namespace nophook {

inline constexpr const char *kTracingFolder = "/sys/kernel/tracing";

// Gives this process, which must have one thread, a mount namespace (and, if it is not root's, a
// user namespace) in which kTracingFolder can be mounted over. Errors: the host does not allow it.
Result<> make_tracing_folder(int32_t pid);

} // namespace nophook
