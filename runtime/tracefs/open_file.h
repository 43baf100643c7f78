// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A control file that somebody has open: the snapshot that he reads, the edit that he makes.

#pragma once

#include "ops/filter.h"
#include "tracefs/control_file.h"

namespace nophook {

// A copy of it, without its path. False: there is none.
bool find_control_file(const char *path, ControlFile *found);

// As st_mode has it. A file's mode is without a type: 0600, 0400 or 0200.
constexpr unsigned kFolderMode = 0040700;

// Calls visit(name, mode, context) for each entry of the folder `path` ("": the root), in order of
// their names. False: there is no such folder.
bool list_control_files(const char *path, void (*visit)(const char *name, unsigned mode, void *),
                        void *context);

// One at a time uses it. Several may be open, of the same file, too: nobody sees another's edit
// before it is closed.
class OpenFile {
public:
  // `flags`: O_RDONLY, O_WRONLY, O_RDWR, O_TRUNC, O_APPEND, O_CREAT. Errors: EACCES (the file is
  // not for that), ENOMEM, and those of the file's text.
  Status open(const ControlFile &file, int flags);

  // Copies what there is from `offset` on. At most `bytes`; 0 at the end.
  uint64_t read(char *to, uint64_t bytes, uint64_t offset);
  uint64_t size() const { return text_.size(); }

  // Errors: EBADF, and those of the file. What came before what was wrong stays.
  Status write(const char *text, uint64_t bytes);

  // Applies an edit. Errors: those of the layers below; then nothing has changed.
  Status close();

private:
  Status give(const char *value, uint64_t bytes);
  Status write_functions(const char *text, uint64_t bytes);
  Status take_token(const char *line, uint64_t bytes, uint64_t where);

  ControlFile file_ = {};
  ControlText text_;
  bool is_written_ = false; // may be
  bool is_edit_ = false;
  Filter filter_;
  uint32_t known_ids_ = 0; // of functions, when it was opened
  ControlText token_;      // that a write has ended in
};

// Finds and opens; the file is discard_file()'s. Errors: ENOENT, EISDIR, EACCES (and for a name
// that is to be made), ENOMEM, and those of OpenFile::open.
Status open_control_file(const char *path, int flags, OpenFile **file);
void discard_file(OpenFile *file);

} // namespace nophook
