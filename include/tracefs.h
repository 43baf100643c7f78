// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The control tree, from within the program: the files that the kernel has in /sys/kernel/tracing,
// for this process. Paths are relative to its root: "current_tracer", "set_ftrace_filter".
//
//      tracefs_write("set_ftrace_filter", "foo*", 4, 0);     // echo 'foo*' > set_ftrace_filter
//      tracefs_write("current_tracer", "function_graph", 14, 0);
//
// A file's text is fixed when the file is opened. An edit of a set of functions is applied in one
// step when the file is closed; tracefs_write() opens, writes and closes.
//
// All functions here are thread safe. Do not call them in signal handlers or callbacks: they take
// the runtime's lock, and a change of functions waits for running callbacks. Results below 0 are
// -errno; "error_log" explains the last errors.
//
// Source of the semantics: the kernel's Documentation/trace/ftrace.rst.

#ifndef NOPHOOK_TRACEFS_H
#define NOPHOOK_TRACEFS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The text of a file: up to `size` bytes of it are stored in `text` (null if `size` is 0; no 0 is
// added). Returns the length of the whole text, or -ENOENT, -EISDIR, -EACCES, -ENOMEM.
long tracefs_read(const char *path, char *text, size_t size);

// Writes `bytes` bytes of `text`, as a shell does by > (append 0: the old contents are removed) or
// by >> (append 1). Returns 0, -ENOENT, -EISDIR, -EACCES, -ENOMEM, or the file's error: -EINVAL
// (wrong text; no function matches), -EBUSY, -ENODEV.
int tracefs_write(const char *path, const char *text, size_t bytes, int append);

// The same in steps, for example for a file system. `flags`: those of open(2). Only one thread at a
// time may use a handle. It must be closed; closing applies an edit. Handles are memory of the
// process: a fork child has its own copies.
struct tracefs_file;
int tracefs_open(const char *path, int flags, struct tracefs_file **file);
long tracefs_pread(struct tracefs_file *file, char *text, size_t size, size_t offset);
// Returns the number of bytes written, or -errno. Only a mark that is too long for one event is
// written in part.
long tracefs_append(struct tracefs_file *file, const char *text, size_t bytes);
int tracefs_close(struct tracefs_file *file);

// "instances/NAME": an instance, which is a second tracer with files, functions and a buffer of its
// own. A fork child has none of its parent's instances. Returns 0, -EEXIST, -EINVAL (no name),
// -ENAMETOOLONG (more than 63 bytes), -ENOSPC (there are 15), -EPERM (another path), -ENODEV
// (there is no folder for buffers), or an error of making a buffer. Removing an instance waits
// until no callback is in it: -ENOENT, -EBUSY (a file of it is open), -EPERM.
int tracefs_mkdir(const char *path);
int tracefs_rmdir(const char *path);

// Calls visit(name, mode, data) for each entry of a folder ("": the root), in the order of names,
// while it returns 0. `mode` is as in st_mode: a folder (S_IFDIR) or 0600, 0400, 0200. Returns the
// result of the last call, or -ENOENT. `visit` must not call this API.
int tracefs_list(const char *path, int (*visit)(const char *name, unsigned mode, void *data),
                 void *data);

#ifdef __cplusplus
}
#endif

#endif // NOPHOOK_TRACEFS_H
