// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// livepatch/: a folder for each patch that is enabled or in a transition, as the kernel has it in
// /sys/kernel/livepatch. The threads that have not changed over are in `pending_threads`, since
// there is no /proc/TID/patch_state; behind them are registered fibers. The files beside the
// folders load libraries of patches, and unload them, which insmod and rmmod do there.
//
// Source: Documentation/ABI/testing/sysfs-kernel-livepatch.

#include "base/lock.h"
#include "livepatch/driver.h"
#include "livepatch/patch.h"
#include "livepatch/patch_libraries.h"
#include "livepatch/patch_load.h"
#include "livepatch/transition.h"
#include "ops/ops.h"
#include "sites/symbols.h"
#include "tracefs/control_file.h"

#include <errno.h>
#include <string.h>

namespace nophook {
namespace {

// The bits of an object's index in a file's `which`; the patch's number is above them.
constexpr unsigned kObjectBits = 32;

// The patch may be removed between the opening of a file and its use.
constexpr Status kGone = {ENODEV, "the patch is not enabled any more"};

uint32_t number_of(FileTarget at) {
  return (uint32_t)(at.which >> kObjectBits);
}

const nophook_klp *patch_of(FileTarget at) {
  const nophook_klp *core = newest_patch();
  while (core && core->number != number_of(at))
    core = core->older;
  return core;
}

// Shows a number of the patch, which `value` reads under the lock.
template <class Value> Status read_number(FileTarget at, ControlText &text, Value value) {
  RuntimeLock lock;
  const nophook_klp *core = patch_of(at);
  if (!core)
    return kGone;
  text.number(value(core)).add("\n");
  return {};
}

Status read_enabled(FileTarget at, ControlText &text) {
  return read_number(at, text, [](const nophook_klp *core) { return core->is_enabled; });
}

Status read_switch(const char *value, uint64_t bytes, bool *on) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  *on = number;
  return number < 2 ? Status{} : failure(EINVAL, "a patch is switched by 0 and 1");
}

Status write_enabled(FileTarget at, const char *value, uint64_t bytes) {
  bool on;
  NOPHOOK_TRY(read_switch(value, bytes, &on));
  Status status = switch_patch(number_of(at), on);
  reclaim();
  return status;
}

// Shows whether it is in a transition. A child of fork may have no driver yet, so it gets one here.
Status read_transition(FileTarget at, ControlText &text) {
  ensure_driver();
  return read_number(at, text, is_in_transition);
}

Status write_force(FileTarget at, const char *value, uint64_t bytes) {
  bool on;
  NOPHOOK_TRY(read_switch(value, bytes, &on));
  Status status = on ? force_patch(number_of(at)) : Status{};
  reclaim();
  return status;
}

Status read_replace(FileTarget at, ControlText &text) {
  return read_number(at, text, [](const nophook_klp *core) { return core->patch->replace; });
}

// Shows its position in the order of patches; 1: the oldest.
Status read_stack_order(FileTarget at, ControlText &text) {
  return read_number(at, text, [](const nophook_klp *core) {
    uint64_t order = 0;
    for (; core; core = core->older)
      order++;
    return order;
  });
}

void add_thread(int32_t tid, void *to) {
  static_cast<ControlText *>(to)->number((uint64_t)tid).add("\n");
}

// Adds a line: fiber LOW-HIGH runs in thread TID | waits | waits in FUNCTION
void add_fiber(const FiberFacts &fiber, void *to) {
  auto &text = *static_cast<ControlText *>(to);
  text.add("fiber ").hex(fiber.stack_low).add("-").hex(fiber.stack_high);
  if (fiber.tid > 0)
    text.add(" runs in thread ").number((uint64_t)fiber.tid);
  else
    text.add(" waits");
  if (fiber.function != FiberFacts::kNoFunction)
    text.add(" in ").add(name_of_function(fiber.function).c_str());
  text.add("\n");
}

Status read_pending(FileTarget at, ControlText &text) {
  ensure_driver();
  RuntimeLock lock;
  const nophook_klp *core = patch_of(at);
  if (!core)
    return kGone;
  if (is_in_transition(core)) {
    each_undecided_thread(add_thread, &text);
    each_undecided_fiber(add_fiber, &text);
  }
  return {};
}

Status read_patched(FileTarget at, ControlText &text) {
  return read_number(at, text, [=](const nophook_klp *core) {
    const PatchedObject &object = core->objects[(uint32_t)at.which];
    return object.is_loaded && object.is_prepared;
  });
}

constexpr ControlFile kFiles[] = {
    {.path = "enabled", .read = read_enabled, .write = write_enabled},
    {.path = "force", .write = write_force},
    {.path = "pending_threads", .read = read_pending},
    {.path = "replace", .read = read_replace},
    {.path = "stack_order", .read = read_stack_order},
    {.path = "transition", .read = read_transition},
};

Status write_load(FileTarget, const char *value, uint64_t bytes) {
  Status status = load_patch_library(value, bytes);
  reclaim();
  return status;
}

Status write_unload(FileTarget, const char *value, uint64_t bytes) {
  Status status = unload_patch_library(value, bytes);
  reclaim();
  return status;
}

Status read_unload(FileTarget, ControlText &text) {
  RuntimeLock lock;
  each_unseen_thread(add_thread, &text);
  each_unseen_fiber(add_fiber, &text);
  return {};
}

const char *state_of(const PatchLibrary *library, const nophook_klp *core) {
  if (is_in_transition(core))
    return core->is_enabled ? "enabling" : "disabling";
  return core ? "enabled" : library->is_forced ? "forced" : "disabled";
}

Status read_libraries(FileTarget, ControlText &text) {
  ensure_driver();
  RuntimeLock lock;
  for (const PatchLibrary *library = first_library(); library; library = library->next)
    for (const LibraryPatch &entry : library->patches)
      text.add(entry.name.c_str())
          .add("\t")
          .add(state_of(library, entry.patch->core))
          .add("\t")
          .add(library->path.c_str())
          .add("\n");
  return {};
}

constexpr ControlFile kTopFiles[] = {
    {.path = "livepatch/libraries", .scope = SettingScope::kTop, .read = read_libraries},
    {.path = "livepatch/load", .scope = SettingScope::kTop, .write = write_load},
    {.path = "livepatch/unload",
     .scope = SettingScope::kTop,
     .read = read_unload,
     .write = write_unload},
};

using Folder = Text<640>;

// Adds the name of a library as other lists have it: its file's, without ".so" and the rest.
void add_object_name(Folder &folder, const char *name) {
  const char *file = name ? name : "program";
  if (const char *slash = strrchr(file, '/'))
    file = slash + 1;
  const char *so = strstr(file, ".so");
  folder.add(file, so ? (size_t)(so - file) : text_length(file));
}

void visit_object(const nophook_klp *core, uint32_t index, const Folder &of_patch, VisitFile visit,
                  void *context) {
  const klp_object *object = core->objects[index].object;
  Folder folder = of_patch;
  add_object_name(folder, object->name);
  folder.add("/");
  Folder patched = folder;
  patched.add("patched");
  visit(context, {.path = patched.c_str(),
                  .scope = SettingScope::kTop,
                  .which = (uint64_t)core->number << kObjectBits | index,
                  .read = read_patched});
  for (const klp_func *func = object->funcs; func->old_name; func++) {
    constexpr uint64_t kMostBytes = 230; // the most bytes of a name: a file name has at most 255
    const uint64_t bytes = text_length(func->old_name);
    Folder empty = folder;
    empty.add(func->old_name, bytes < kMostBytes ? bytes : kMostBytes).add(",");
    empty.number(func->old_sympos ? func->old_sympos : 1).add("/");
    visit(context,
          {.path = empty.c_str(), .scope = SettingScope::kTop, .kind = ControlFile::Kind::kFolder});
  }
}

void visit_patch(const nophook_klp *core, VisitFile visit, void *context) {
  Folder folder;
  folder.add("livepatch/").add(core->name.c_str()).add("/");
  for (ControlFile file : kFiles) {
    Folder path = folder;
    path.add(file.path);
    file.path = path.c_str();
    file.scope = SettingScope::kTop;
    file.which = (uint64_t)core->number << kObjectBits;
    visit(context, file);
  }
  for (uint32_t i = 0; i < core->objects.size(); i++)
    visit_object(core, i, folder, visit, context);
}

} // namespace

void visit_livepatch_files(VisitFile visit, void *context) {
  visit(context,
        {.path = "livepatch/", .scope = SettingScope::kTop, .kind = ControlFile::Kind::kFolder});
  for (const ControlFile &file : kTopFiles)
    visit(context, file);
  RuntimeLock lock;
  for (const nophook_klp *core = newest_patch(); core; core = core->older)
    visit_patch(core, visit, context);
}

} // namespace nophook
