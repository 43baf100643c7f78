// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/tracefs.h: the control tree's first door.

#include <tracefs.h>

#include "base/lock.h"
#include "tracefs/open_file.h"

#include <errno.h>
#include <fcntl.h>

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

static OpenFile *file_of(tracefs_file *file) {
  return reinterpret_cast<OpenFile *>(file);
}

NOPHOOK_API long tracefs_read(const char *path, char *text, size_t size) {
  if (must_not_lock())
    return -EBUSY;
  OpenFile *file;
  Status status = open_control_file(path, O_RDONLY, &file);
  if (!status.ok())
    return -status.error;
  file->read(text, size, 0);
  long bytes = (long)file->size();
  discard_file(file);
  return bytes;
}

NOPHOOK_API int tracefs_write(const char *path, const char *text, size_t bytes, int append) {
  if (must_not_lock())
    return -EBUSY;
  OpenFile *file;
  Status status = open_control_file(path, O_WRONLY | (append ? O_APPEND : O_TRUNC), &file);
  if (!status.ok())
    return -status.error;
  uint64_t done = 0, taken;
  do {
    status = file->write(text + done, bytes - done, &taken);
    done += taken;
  } while (status.ok() && done < bytes);
  Status closed = file->close();
  discard_file(file);
  return status.ok() ? -closed.error : -status.error;
}

NOPHOOK_API int tracefs_open(const char *path, int flags, struct tracefs_file **opened) {
  if (must_not_lock())
    return -EBUSY;
  OpenFile *file;
  Status status = open_control_file(path, flags, &file);
  *opened = reinterpret_cast<tracefs_file *>(file);
  return -status.error;
}

NOPHOOK_API long tracefs_pread(struct tracefs_file *file, char *text, size_t size, size_t offset) {
  if (must_not_lock())
    return -EBUSY;
  return (long)file_of(file)->read(text, size, offset);
}

NOPHOOK_API long tracefs_append(struct tracefs_file *file, const char *text, size_t bytes) {
  if (must_not_lock())
    return -EBUSY;
  uint64_t taken;
  Status status = file_of(file)->write(text, bytes, &taken);
  return status.ok() ? (long)taken : -status.error;
}

NOPHOOK_API int tracefs_close(struct tracefs_file *file) {
  if (must_not_lock())
    return -EBUSY;
  Status status = file_of(file)->close();
  discard_file(file_of(file));
  return -status.error;
}

NOPHOOK_API int tracefs_mkdir(const char *path) {
  if (must_not_lock())
    return -EBUSY;
  return -make_control_folder(path).error;
}

NOPHOOK_API int tracefs_rmdir(const char *path) {
  if (must_not_lock())
    return -EBUSY;
  return -remove_control_folder(path).error;
}

NOPHOOK_API int tracefs_list(const char *path, int (*visit)(const char *, unsigned, void *),
                             void *data) {
  if (must_not_lock())
    return -EBUSY;
  struct Visit {
    int (*visit)(const char *, unsigned, void *);
    void *data;
    int result;
  } visitor = {visit, data, 0};
  bool is_folder = list_control_files(
      path,
      [](const char *name, unsigned mode, void *context) {
        auto *v = static_cast<Visit *>(context);
        if (!v->result)
          v->result = v->visit(name, mode, v->data);
      },
      &visitor);
  return is_folder ? visitor.result : -ENOENT;
}
