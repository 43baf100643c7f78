// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/tracefs.h: the control tree's first door.

#include <tracefs.h>

#include "base/memory.h"
#include "tracefs/open_file.h"

#include <fcntl.h>

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

struct tracefs_file {
  OpenFile file; // all zero is its empty state
};

static Status open_path(const char *path, int flags, OpenFile *file) {
  while (*path == '/')
    path++;
  if (const ControlFile *found = find_control_file(path))
    return file->open(found, flags);
  bool is_folder = list_control_files(path, [](const char *, unsigned, void *) {}, nullptr);
  if (is_folder)
    return failure(EISDIR, "it is a folder");
  // A shell that creates is told what it is told in the kernel's folder.
  return failure(flags & O_CREAT ? EACCES : ENOENT, "there is no such control file");
}

NOPHOOK_API long tracefs_read(const char *path, char *text, size_t size) {
  OpenFile file;
  Status status = open_path(path, O_RDONLY, &file);
  if (!status.ok())
    return -status.error;
  file.read(text, size, 0);
  return (long)file.size();
}

NOPHOOK_API int tracefs_write(const char *path, const char *text, size_t bytes, int append) {
  OpenFile file;
  Status status = open_path(path, O_WRONLY | (append ? O_APPEND : O_TRUNC), &file);
  if (!status.ok())
    return -status.error;
  status = file.write(text, bytes);
  Status closed = file.close();
  return status.ok() ? -closed.error : -status.error;
}

NOPHOOK_API int tracefs_open(const char *path, int flags, struct tracefs_file **opened) {
  *opened = nullptr;
  auto *file = static_cast<tracefs_file *>(map_pages(sizeof(tracefs_file)));
  if (!file)
    return -ENOMEM;
  Status status = open_path(path, flags, &file->file);
  if (status.ok()) {
    *opened = file;
    return 0;
  }
  file->file.~OpenFile();
  unmap_pages(file, sizeof(tracefs_file));
  return -status.error;
}

NOPHOOK_API long tracefs_pread(struct tracefs_file *file, char *text, size_t size, size_t offset) {
  return (long)file->file.read(text, size, offset);
}

NOPHOOK_API long tracefs_append(struct tracefs_file *file, const char *text, size_t bytes) {
  Status status = file->file.write(text, bytes);
  return status.ok() ? (long)bytes : -status.error;
}

NOPHOOK_API int tracefs_close(struct tracefs_file *file) {
  Status status = file->file.close();
  file->file.~OpenFile();
  unmap_pages(file, sizeof(tracefs_file));
  return -status.error;
}

NOPHOOK_API int tracefs_list(const char *path, int (*visit)(const char *, unsigned, void *),
                             void *data) {
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
