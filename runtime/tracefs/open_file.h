// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A control file that a client has open: the snapshot that it reads, the edit that it makes.

#pragma once

#include "ops/filter.h"
#include "tracefs/control_file.h"
#include "tracers/trace_array.h"

namespace nophook {

// The target of a path: in the main tree, or in instances/NAME, which is held while this object
// exists.
class FilePlace {
public:
  explicit FilePlace(const char *path);
  ~FilePlace() {
    if (instance_)
      release_instance(instance_, generation_);
  }
  FilePlace(const FilePlace &) = delete;
  FilePlace &operator=(const FilePlace &) = delete;

  bool is_known() const { return is_known_; } // false: there is no such instance
  uint32_t number() const { return instance_ ? instance_->number : 0; } // 0: the main tree
  const char *path() const { return path_; }                            // path within that folder

  // Gives the hold on the instance to the caller, which releases it. Null: the main tree.
  trace_array *give_instance(uint64_t *generation) {
    *generation = generation_;
    trace_array *given = instance_;
    instance_ = nullptr;
    return given;
  }

private:
  bool is_known_ = true;
  const char *path_;
  trace_array *instance_ = nullptr;
  uint64_t generation_ = 0;
};

// Copies the file at a place, without its path. False: there is none.
bool find_control_file(const FilePlace &place, ControlFile *found);

// The modes as in st_mode. A file's mode is without a type: 0600, 0400 or 0200.
constexpr unsigned kFolderMode = 0040700;

// Calls visit(name, mode, context) for each entry of the folder `path` ("": the root), in order of
// their names. False: there is no such folder.
bool list_control_files(const char *path, void (*visit)(const char *name, unsigned mode, void *),
                        void *context);

// An open file. Only one thread at a time uses it. Several may be open, even of the same file: no
// client sees another's edit before that is closed.
class OpenFile {
public:
  // `flags`: O_RDONLY, O_WRONLY, O_RDWR, O_TRUNC, O_APPEND, O_CREAT. Errors: EACCES (the file
  // cannot be read, or cannot be written), ENOMEM, and those of the file's text.
  Status open(const ControlFile &file, int flags);

  // Copies the text from `offset` on, at most `bytes` of it. Returns the number of bytes; 0 at the
  // end.
  uint64_t read(char *to, uint64_t bytes, uint64_t offset);
  uint64_t size() const { return text_.size(); }

  // Writes. Errors: EBADF, and those of the file. The part before an error stays in force.
  // `*taken`: the bytes that were taken of a message that is too long for one; else all.
  Status write(const char *text, uint64_t bytes, uint64_t *taken);

  // Applies an edit. Errors: those of the layers below; then nothing has changed.
  Status close();

private:
  friend Status open_control_file(const char *path, int flags, OpenFile **file);
  friend void discard_file(OpenFile *file);

  Status check_instance() const;
  uint32_t number() const { return instance_ ? instance_->number : 0; }
  trace_array &array() const { return instance_ ? *instance_ : top_array(); }
  FileTarget target() const { return {array(), file_.which}; }
  Status give(const char *value, uint64_t bytes);
  Status write_functions(const char *text, uint64_t bytes);
  Status take_token(const char *line, uint64_t bytes, uint64_t where);
  Status take_tokens(const char *line, uint64_t begin, uint64_t end);

  ControlFile file_ = {};
  trace_array *instance_ = nullptr; // instance that it is a file of, and holds
  uint64_t generation_ = 0;
  ControlText text_;
  bool is_written_ = false; // whether there may be an edit
  bool is_edit_ = false;
  Filter filter_;
  uint32_t known_ids_ = 0; // number of function ids when it was opened
  ControlText token_;      // the token that the last write has ended in
};

// Finds and opens a file, which discard_file() frees. Errors: ENOENT, EISDIR, EACCES (also for a
// name that is to be created), ENOMEM, and those of OpenFile::open.
Status open_control_file(const char *path, int flags, OpenFile **file);
void discard_file(OpenFile *file);

// mkdir and rmdir of instances. Errors: EEXIST, EPERM (elsewhere), ENOENT, EBUSY, and those of
// tracers/trace_array.h.
Status make_control_folder(const char *path);
Status remove_control_folder(const char *path);

} // namespace nophook
