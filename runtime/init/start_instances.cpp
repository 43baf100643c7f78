// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances that are there when main begins. As on the kernel's command line,
//
//      trace_instance=NAME,EVENT,...      makes an instance, and switches events on in it
//
// and in its folder each control file may be written, in the order of the words:
//
//      instances/NAME/FILE=VALUE          makes it, if it is not there; commas stand for blanks
//
// These are writes to the tree, so they come after everything that the tree needs.

#include "init/start_instances.h"

#include "base/bytes.h"
#include "base/lock.h"
#include "init/setting_words.h"
#include "tracefs/open_file.h"
#include "tracers/named_settings.h"
#include "tracers/tracer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

namespace nophook {
namespace {

constexpr char kTraceInstance[] = "trace_instance";
constexpr char kFolder[] = "instances/";
constexpr uint64_t kFolderBytes = sizeof kFolder - 1;

using Path = Text<256>;

Status make_if_missing(const Path &folder) {
  Status status = make_control_folder(folder.c_str());
  return status.error == EEXIST ? Status{} : status;
}

Status write_file(const char *path, const char *value, uint64_t bytes) {
  OpenFile *file;
  NOPHOOK_TRY(open_control_file(path, O_WRONLY | O_TRUNC, &file));
  Text<4096> text;
  for (uint64_t i = 0; i < bytes; i++)
    text.add(value[i] == ',' ? " " : &value[i], 1);
  uint64_t taken;
  Status status = text.size() == bytes ? file->write(text.c_str(), bytes, &taken)
                                       : failure(ENAMETOOLONG, "the value is too long");
  Status closed = file->close();
  discard_file(file);
  return status.ok() ? closed : status;
}

// Writes a setting, which takes its commas itself.
Status write_setting(const char *name, const char *file, const char *value, uint64_t bytes,
                     bool *is_setting) {
  uint64_t generation;
  trace_array *tr = hold_instance(name, text_length(name), &generation);
  if (!tr)
    return failure(ENOENT, "there is no such instance");
  Status status;
  {
    RuntimeLock lock;
    status = change_setting(*tr, file, text_length(file), value, bytes);
  }
  *is_setting = status.error != ENOENT;
  if (status.ok())
    status = follow_settings(*tr);
  release_instance(tr, generation);
  return *is_setting ? status : Status{};
}

Status begin_instance(const char *value, uint64_t bytes) {
  auto *comma = static_cast<const char *>(memchr(value, ',', bytes));
  uint64_t name_bytes = comma ? (uint64_t)(comma - value) : bytes;
  Path folder;
  NOPHOOK_TRY(make_if_missing(folder.add(kFolder).add(value, name_bytes)));
  if (!comma)
    return {};
  return write_file(folder.add("/set_event").c_str(), comma + 1, bytes - name_bytes - 1);
}

Status write_in_instance(const char *key, uint64_t key_bytes, const char *value, uint64_t bytes) {
  Path path, name;
  path.add(key, key_bytes);
  const char *rest = path.c_str() + kFolderBytes;
  const char *slash = strchr(rest, '/');
  if (!slash || !slash[1] || path.full())
    return failure(EINVAL, "a file of an instance is instances/NAME/FILE");
  name.add(rest, (uint64_t)(slash - rest));
  NOPHOOK_TRY(make_if_missing(Path().add(kFolder).add(name.c_str())));
  bool is_setting = false;
  NOPHOOK_TRY(write_setting(name.c_str(), slash + 1, value, bytes, &is_setting));
  return is_setting ? Status{} : write_file(path.c_str(), value, bytes);
}

Status carry_out(const SettingWord &word) {
  if (!word.value || !is_about_instance(word.text, word.key_bytes))
    return {};
  return is_text(word.text, word.key_bytes, kTraceInstance)
             ? begin_instance(word.value, word.value_bytes)
             : write_in_instance(word.text, word.key_bytes, word.value, word.value_bytes);
}

} // namespace

bool is_about_instance(const char *key, uint64_t bytes) {
  return is_text(key, bytes, kTraceInstance) ||
         (bytes > kFolderBytes && equal_bytes(key, kFolder, kFolderBytes));
}

void start_instances(const char *text) {
  each_setting_word(text, carry_out);
}

} // namespace nophook
