// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths: which control file a path is, and what is in a folder. Folders are what the files' paths
// have before their last slash.

#include "tracefs/open_file.h"

#include "base/bytes.h"

namespace nophook {

namespace {

template <class Visit> void each_file(Visit visit) {
  const ControlFiles groups[] = {buffer_files(), error_files(),   event_files(), function_files(),
                                 probe_files(),  profile_files(), readme_file(), set_event_files(),
                                 stack_files(),  thread_files(),  tracer_files()};
  for (const ControlFiles &group : groups)
    for (const ControlFile *file = group.begin; file != group.end; file++)
      visit(*file);
  constexpr void (*kVisited[])(VisitFile, void *) = {visit_event_files, visit_filter_files,
                                                     visit_option_files, visit_setting_files};
  for (auto *visit_group : kVisited)
    visit_group([](void *to, const ControlFile &file) { (*static_cast<Visit *>(to))(file); },
                &visit);
}

bool equal(const char *a, const char *b) {
  uint64_t bytes = text_length(a);
  return bytes == text_length(b) && equal_bytes(a, b, bytes);
}

// -1, 0, 1.
int compare(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return ((unsigned char)*a > (unsigned char)*b) - ((unsigned char)*a < (unsigned char)*b);
}

using EntryName = Text<64>;

// The entry of `folder` that leads to `path`; false: `path` is not in it.
bool entry_of(const char *path, const char *folder, EntryName *name, bool *is_folder) {
  uint64_t bytes = text_length(folder);
  if (bytes) {
    if (text_length(path) <= bytes || !equal_bytes(path, folder, bytes) || path[bytes] != '/')
      return false;
    path += bytes + 1;
  }
  const char *end = path;
  while (*end && *end != '/')
    end++;
  *name = EntryName();
  name->add(path, (uint64_t)(end - path));
  *is_folder = *end;
  return true;
}

} // namespace

bool find_control_file(const char *path, ControlFile *found) {
  bool is_there = false;
  each_file([&](const ControlFile &file) {
    if (!equal(file.path, path))
      return;
    *found = file;
    found->path = nullptr; // it need not outlive the visit
    is_there = true;
  });
  return is_there;
}

// By rising names: each round looks for the lowest that is above the last.
bool list_control_files(const char *path, void (*visit)(const char *name, unsigned mode, void *),
                        void *context) {
  EntryName last;
  for (;;) {
    EntryName lowest;
    unsigned mode = 0;
    each_file([&](const ControlFile &file) {
      EntryName name;
      bool is_folder;
      if (!entry_of(file.path, path, &name, &is_folder) ||
          compare(name.c_str(), last.c_str()) <= 0 ||
          (lowest.size() && compare(name.c_str(), lowest.c_str()) >= 0))
        return;
      lowest = name;
      mode = is_folder ? kFolderMode : file.mode();
    });
    if (!lowest.size())
      return last.size() > 0;
    visit(lowest.c_str(), mode, context);
    last = lowest;
  }
}

} // namespace nophook
