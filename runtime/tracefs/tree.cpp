// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths: the control file that a path names, and the entries of a folder. Folders are the parts of
// files' paths before their last slash.

#include "tracefs/open_file.h"

#include "base/bytes.h"
#include "triggers/trigger.h"

#include <errno.h>

namespace nophook {

namespace {

constexpr char kInstances[] = "instances";

// Visits the files that the array `number` has.
template <class Visit> void each_file(uint32_t number, Visit visit) {
  auto take = [&](const ControlFile &file) {
    if (!number || file.scope == SettingScope::kEvery)
      visit(file);
  };
  const ControlFiles groups[] = {livepatch_look_files(), buffer_files(),   error_files(),
                                 filter_files(),         function_files(), probe_files(),
                                 profile_files(),        readme_file(),    stack_files(),
                                 set_event_files(),      thread_files(),   tracer_files()};
  for (const ControlFiles &group : groups)
    for (const ControlFile *file = group.begin; file != group.end; file++)
      take(*file);
  using Take = decltype(take);
  VisitFile each = [](void *to, const ControlFile &file) { (*static_cast<Take *>(to))(file); };
  visit_event_files(each, &take);
  visit_livepatch_files(each, &take);
  visit_option_files(each, &take);
  visit_setting_files(each, &take);
}

// The order of two names: -1, 0, 1.
int compare(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return ((unsigned char)*a > (unsigned char)*b) - ((unsigned char)*a < (unsigned char)*b);
}

using EntryName = Text<256>;

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

// The part of `path` behind `folder/`, or null.
static const char *below(const char *path, const char *folder) {
  uint64_t bytes = text_length(folder);
  bool is_below =
      text_length(path) > bytes && equal_bytes(path, folder, bytes) && path[bytes] == '/';
  return is_below ? path + bytes + 1 : nullptr;
}

FilePlace::FilePlace(const char *path) : path_(path) {
  const char *name = below(path, kInstances);
  if (!name)
    return;
  const char *end = name;
  while (*end && *end != '/')
    end++;
  instance_ = hold_instance(name, (uint64_t)(end - name), &generation_);
  is_known_ = instance_ != nullptr;
  path_ = *end ? end + 1 : end;
}

bool find_control_file(const FilePlace &place, ControlFile *found) {
  bool is_there = false;
  if (!place.is_known())
    return false;
  each_file(place.number(), [&](const ControlFile &file) {
    if (file.kind == ControlFile::Kind::kFolder || !is_text(file.path, place.path()))
      return;
    *found = file;
    found->path = nullptr; // the path need not outlive the visit
    is_there = true;
  });
  return is_there;
}

namespace {

struct Listing {
  void (*visit)(const char *name, unsigned mode, void *context);
  void *context;
};

// Lists a folder in the order of names: each round looks for the lowest name above the last one.
bool list_folder(const FilePlace &place, const Listing &listing) {
  EntryName last;
  const bool is_root = !place.number() && !*place.path();
  bool is_folder = is_root;
  for (;;) {
    EntryName lowest;
    unsigned mode = 0;
    auto look = [&](const EntryName &name, unsigned its_mode) {
      if (compare(name.c_str(), last.c_str()) <= 0 ||
          (lowest.size() && compare(name.c_str(), lowest.c_str()) >= 0))
        return;
      lowest = name;
      mode = its_mode;
    };
    each_file(place.number(), [&](const ControlFile &file) {
      EntryName name;
      bool leads_on;
      if (!entry_of(file.path, place.path(), &name, &leads_on))
        return;
      is_folder = true;
      if (name.size()) // an empty name stands for an empty folder
        look(name, leads_on ? kFolderMode : file.mode());
    });
    if (is_root)
      look(EntryName().add(kInstances), kFolderMode);
    if (!lowest.size())
      return is_folder;
    listing.visit(lowest.c_str(), mode, listing.context);
    last = lowest;
  }
}

} // namespace

bool list_control_files(const char *path, void (*visit)(const char *name, unsigned mode, void *),
                        void *context) {
  Listing listing = {visit, context};
  if (is_text(path, kInstances)) {
    visit_instances(
        [](const char *name, void *to) {
          const auto &list = *static_cast<Listing *>(to);
          list.visit(name, kFolderMode, list.context);
        },
        &listing);
    return true;
  }
  FilePlace place(path);
  return place.is_known() && list_folder(place, listing);
}

static bool is_there(const char *path) {
  ControlFile found;
  return find_control_file(FilePlace(path), &found) ||
         list_control_files(path, [](const char *, unsigned, void *) {}, nullptr);
}

// The name of the instance that is the whole of `path`, or null.
static const char *instance_name(const char *path) {
  const char *name = below(path, kInstances);
  for (const char *c = name; c && *c; c++)
    if (*c == '/')
      return nullptr;
  return name;
}

Status make_control_folder(const char *path) {
  while (*path == '/')
    path++;
  if (is_there(path))
    return failure(EEXIST, "it exists already");
  const char *name = instance_name(path);
  return name ? make_instance(name, triggers_leave_array)
              : failure(EPERM, "only instances/ can have new folders");
}

Status remove_control_folder(const char *path) {
  while (*path == '/')
    path++;
  if (const char *name = instance_name(path)) {
    free_removed_triggers();
    Status status = remove_instance(name);
    free_removed_triggers(); // and events that were on for it alone
    return status;
  }
  return is_there(path) ? failure(EPERM, "only instances can be removed")
                        : failure(ENOENT, "there is no such folder");
}

} // namespace nophook
