// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place where the kernel's tools look for tracing, for this process and its children alone.
//
// libtracefs, and so trace-cmd, takes no folder by option: it takes the first mount of type tracefs
// in /proc/mounts, and mounts the kernel's own if there is none. So, in a mount namespace of our
// own, a process's tree is mounted over the kernel's. What else such tools write to or read symbols
// from (/proc/sys/kernel/ftrace_enabled, kptr_restrict, /proc/kallsyms) is covered by files that go
// away with the namespace: the kernel's tracing is not touched, and symbols are the program's.

#pragma once

#include "base/result.h"

#include <cstdint>

namespace nophook {

inline constexpr const char *kTracingFolder = "/sys/kernel/tracing";

// Gives this process, which must have one thread, a mount namespace (and, if it is not root's, a
// user namespace) in which kTracingFolder can be mounted over. Errors: the host does not allow it.
Result<> make_tracing_folder(int32_t pid);

} // namespace nophook
