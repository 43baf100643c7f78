// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control tree, from within the program: what the kernel has in /sys/kernel/tracing, for this
// process. Paths are relative to its root: "current_tracer", "set_ftrace_filter".
//
//      tracefs_write("set_ftrace_filter", "foo*", 4, 0);     // echo 'foo*' > set_ftrace_filter
//      tracefs_write("current_tracer", "function_graph", 14, 0);
//
// A file's text is that of the moment when it was opened. An edit of a set of functions is applied
// when the file is closed, whole; tracefs_write() opens, writes and closes.
//
// All functions here are thread safe, and none is for signal handlers or callbacks: they take the
// runtime's lock, and changing functions waits for callbacks that run. Results below 0 are -errno;
// the sentence that explains the last ones is the text of "error_log".
//
// Source of the semantics: the kernel's Documentation/trace/ftrace.rst.

#ifndef NOPHOOK_TRACEFS_H
#define NOPHOOK_TRACEFS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The text of a file: up to `size` bytes of it are stored in `text` (null if `size` is 0; no 0 is
// added). Returns how many bytes it has in all, or -ENOENT, -EISDIR, -EACCES, -ENOMEM.
long tracefs_read(const char *path, char *text, size_t size);

// Writes `bytes` bytes of `text`, as a shell does by > (append 0: what the file held goes first) or
// by >> (append 1). Returns 0, -ENOENT, -EISDIR, -EACCES, -ENOMEM, or what the file says: -EINVAL
// (not understood; no function matches), -EBUSY, -ENODEV.
int tracefs_write(const char *path, const char *text, size_t bytes, int append);

// The same in steps, for who is a file system. `flags`: those of open(2). A handle is used by one
// thread at a time, and must be closed; closing applies an edit. Handles are the process's memory:
// a fork child has its own copies.
struct tracefs_file;
int tracefs_open(const char *path, int flags, struct tracefs_file **file);
long tracefs_pread(struct tracefs_file *file, char *text, size_t size, size_t offset);
// How many bytes it has taken, or -errno. All, but for a mark that is too long for one event.
long tracefs_append(struct tracefs_file *file, const char *text, size_t bytes);
int tracefs_close(struct tracefs_file *file);

// "instances/NAME": an instance, a tracer beside the main one with files, functions and a buffer of
// its own, and none of the parent's in a fork child. Returns 0, -EEXIST, -EINVAL (no name),
// -ENAMETOOLONG (63 bytes are the most), -ENOSPC (there are 15), -EPERM (another path), -ENODEV
// (there is no folder for buffers); or what making a buffer says. Removing one waits until no
// callback is in it: -ENOENT, -EBUSY (a file of it is open), -EPERM.
int tracefs_mkdir(const char *path);
int tracefs_rmdir(const char *path);

// Calls visit(name, mode, data) for each entry of a folder ("": the root), by rising names, while
// it returns 0; `mode` as st_mode: a folder (S_IFDIR) or 0600, 0400, 0200. Returns what the last
// call did, or -ENOENT. It may not call this API.
int tracefs_list(const char *path, int (*visit)(const char *name, unsigned mode, void *data),
                 void *data);

#ifdef __cplusplus
}
#endif

#endif // NOPHOOK_TRACEFS_H
