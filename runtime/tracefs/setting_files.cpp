// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings that are one value: their files are rows of the table in tracers/named_settings.cpp. A
// tracer that runs follows at once.

#include "base/lock.h"
#include "tracefs/control_file.h"
#include "tracers/named_settings.h"
#include "tracers/tracer.h"

namespace nophook {
namespace {

// The setting of a file, whose `which` is the row.
const Setting &setting_of(FileTarget at) {
  return settings().begin()[at.which];
}

Status read(FileTarget at, ControlText &text) {
  SettingText shown;
  RuntimeLock lock;
  setting_of(at).show(at.array, shown);
  text.add(shown.c_str(), shown.size()).add("\n");
  return {};
}

Status write(FileTarget at, const char *value, uint64_t bytes) {
  const Setting &setting = setting_of(at);
  {
    RuntimeLock lock;
    NOPHOOK_TRY((setting.add ? setting.add : setting.apply)(at.array, value, bytes));
  }
  return follow_settings(at.array);
}

// Empties a list to which a write adds.
Status clear(FileTarget at) {
  RuntimeLock lock;
  return setting_of(at).apply(at.array, "", 0);
}

} // namespace

void visit_setting_files(VisitFile visit, void *context) {
  uint64_t row = 0;
  for (const Setting &setting : settings()) {
    if (setting.file == SettingFile::kPlain)
      visit(context, {.path = setting.name,
                      .scope = setting.scope,
                      .which = row,
                      .read = read,
                      .write = write,
                      .truncate = setting.add ? clear : nullptr});
    row++;
  }
}

} // namespace nophook
