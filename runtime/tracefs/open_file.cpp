// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits writes into tokens, edits a copy of a set of functions, and replaces the set when the file
// is closed.

#include "tracefs/open_file.h"

#include "base/lock.h"
#include "ops/adopt.h"
#include "ops/ops.h"
#include "tracefs/error_log.h"
#include "tracers/function_commands.h"
#include "triggers/trigger.h"

#include <fcntl.h>

namespace nophook {

namespace {

constexpr char kSpaces[] = " \t\n\v\f\r"; // and a zero, which ends a text

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0;
}

} // namespace

Status OpenFile::open(const ControlFile &file, int flags) {
  bool reads = (flags & O_ACCMODE) != O_WRONLY, writes = (flags & O_ACCMODE) != O_RDONLY;
  if (reads && !file.can_read())
    return failure(EACCES, "this control file cannot be read (it is write-only)");
  if (writes && !file.can_write())
    return failure(EACCES, "this control file cannot be written (it is read-only)");
  file_ = file;
  is_written_ = writes;
  if (reads) {
    NOPHOOK_TRY(file.functions ? read_function_set(*file.functions, array(), text_)
                               : file.read(target(), text_));
    NOPHOOK_TRY(text_.status());
  }
  bool truncates = writes && flags & O_TRUNC;
  if (truncates && file.truncate)
    NOPHOOK_TRY(file.truncate(target()));
  if (!writes || file.kind != ControlFile::Kind::kFunctions)
    return {};
  RuntimeLock lock;
  NOPHOOK_TRY(adopt_modules());
  known_ids_ = id_limit();
  is_edit_ = true;
  Filter *now;
  NOPHOOK_TRY(file.functions->find(array(), &now));
  return truncates ? Status{} : filter_.copy(*now);
}

uint64_t OpenFile::read(char *to, uint64_t bytes, uint64_t offset) {
  if (offset >= text_.size())
    return 0;
  uint64_t left = text_.size() - offset;
  bytes = bytes < left ? bytes : left;
  copy_bytes(to, text_.data() + offset, bytes);
  return bytes;
}

Status OpenFile::give(const char *value, uint64_t bytes) {
  return file_.write(target(), value, bytes);
}

// Checks that the instance still exists: in a fork child, files that the parent has opened have
// none.
Status OpenFile::check_instance() const {
  bool is_gone = instance_ && instance_is_gone(instance_, generation_);
  return is_gone ? failure(ENODEV, "the instance belongs to the parent process") : Status{};
}

Status OpenFile::write(const char *text, uint64_t bytes, uint64_t *taken) {
  if (file_.most_bytes && bytes > file_.most_bytes)
    bytes = file_.most_bytes;
  *taken = bytes;
  NOPHOOK_TRY(check_instance());
  if (!is_written_)
    return failure(EBADF, "the control file is not open for writing");
  if (file_.kind == ControlFile::Kind::kMessage)
    return give(text, bytes);
  if (file_.kind == ControlFile::Kind::kFunctions)
    return write_functions(text, bytes);
  uint64_t begin = 0, end = bytes;
  while (begin < end && is_space(text[begin]))
    begin++;
  while (end > begin && is_space(text[end - 1]))
    end--;
  Status status = give(text + begin, end - begin);
  if (!status.ok())
    keep_error(status, text + begin, end - begin, 0, "ftrace", number());
  return status;
}

// Takes one token of `line`, the part from `where` on; the line is for the error log.
Status OpenFile::take_token(const char *line, uint64_t bytes, uint64_t where) {
  NOPHOOK_TRY(token_.status());
  Status status;
  bool is_command = false; // a command holds at once, whether the set is replaced or not
  if (token_.size()) {
    RuntimeLock lock;
    if (file_.functions->takes_commands)
      status = change_function_commands(number(), token_.data(), token_.size(),
                                        Filter::Misses::kRefused, &is_command);
    if (!is_command)
      status = filter_.change(token_.data(), token_.size(), false, " ", Filter::Misses::kRefused);
  }
  token_.clear();
  if (status.ok() && is_command && file_.functions->follow)
    status = file_.functions->follow(array()); // a rate is a rule, which no fast path knows
  if (!status.ok())
    keep_error(status, line, bytes, where, "ftrace", number());
  return status;
}

// Takes the tokens of a line from `begin` to `end` that are no commands: a list is looked up at
// once.
Status OpenFile::take_tokens(const char *line, uint64_t begin, uint64_t end) {
  uint64_t wrong = 0;
  Status status;
  {
    RuntimeLock lock;
    status =
        filter_.change(line + begin, end - begin, false, kSpaces, Filter::Misses::kRefused, &wrong);
  }
  if (!status.ok()) {
    uint64_t last = begin + wrong;
    while (last < end && !is_space(line[last]))
      last++;
    keep_error(status, line, last, begin + wrong, "ftrace", number());
  }
  return status;
}

// Takes a write, which may hold several tokens, or a part of one: the rest comes with the next
// write.
Status OpenFile::write_functions(const char *text, uint64_t bytes) {
  uint64_t taken = 0;
  bool is_continued = token_.size();
  for (uint64_t i = 0, begin = 0; i < bytes; begin = ++i) {
    while (i < bytes && !is_space(text[i]))
      i++;
    const bool is_command =
        file_.functions->takes_commands && is_function_command(text + begin, i - begin);
    if (i < bytes && !is_command && !is_continued)
      continue;
    NOPHOOK_TRY(take_tokens(text, taken, begin));
    token_.add(text + begin, i - begin);
    if (i == bytes)
      return token_.status();
    NOPHOOK_TRY(take_token(text, i, begin));
    is_continued = false;
    taken = i + 1;
  }
  return take_tokens(text, taken, bytes);
}

Status OpenFile::close() {
  NOPHOOK_TRY(check_instance());
  if (is_written_ && file_.closed)
    return file_.closed(target());
  if (!is_edit_)
    return {};
  is_edit_ = false;
  // The last token need not have white space behind it.
  Text<256> last;
  last.add(token_.data(), token_.size());
  Status wrong = take_token(last.c_str(), last.size(), 0);
  Status status;
  {
    RuntimeLock lock;
    status = adopt_modules();
    for (Module *m = module_from(known_ids_); m && status.ok(); m = module_from(m->first_id + 1))
      status = filter_.take_in(m);
    if (status.ok())
      status = file_.functions->replace(array(), &filter_);
  }
  reclaim();
  if (file_.functions->takes_commands)
    free_removed_triggers();
  if (status.ok() && file_.functions->follow)
    status = file_.functions->follow(array());
  return status.ok() ? wrong : status;
}

Status open_control_file(const char *path, int flags, OpenFile **opened) {
  *opened = nullptr;
  while (*path == '/')
    path++;
  FilePlace place(path);
  ControlFile found = {};
  bool is_there = find_control_file(place, &found);
  if (!is_there && list_control_files(path, [](const char *, unsigned, void *) {}, nullptr))
    return failure(EISDIR, "it is a folder");
  // A shell that creates a file gets the same error as in the kernel's folder.
  if (!is_there)
    return failure(flags & O_CREAT ? EACCES : ENOENT, "there is no such control file");
  // Memory of 0s is its empty state.
  auto *file = static_cast<OpenFile *>(map_pages(sizeof(OpenFile)));
  if (!file)
    return failure(ENOMEM, "no memory for an open control file");
  file->instance_ = place.give_instance(&file->generation_);
  Status status = file->open(found, flags);
  if (status.ok())
    *opened = file;
  else
    discard_file(file);
  return status;
}

void discard_file(OpenFile *file) {
  if (file->instance_)
    release_instance(file->instance_, file->generation_);
  file->~OpenFile();
  unmap_pages(file, sizeof(OpenFile));
}

} // namespace nophook
