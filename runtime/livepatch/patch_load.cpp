// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and unloads libraries of patches.
//
// A converged transition means that no thread is in a version that was left. A thread may still be
// elsewhere in the library: in a function that a version has reached by a tail call, or in a thread
// that it has started. So all code of the library counts here, and all threads are looked at again.
//
// No word leads into the library any more. So each thread needs to be seen outside once. The list
// of threads is gone through twice, since a thread that was inside may have started another one
// that is.

#include "livepatch/patch_load.h"

#include "base/lock.h"
#include "base/log.h"
#include "base/own_identity.h"
#include "base/thread_list.h"
#include "livepatch/left_code.h"
#include "livepatch/live_stack.h"
#include "livepatch/patch_check.h"
#include "livepatch/patch_core.h"
#include "livepatch/patch_libraries.h"
#include "livepatch/patch_moves.h"
#include "livepatch/tasks.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

extern "C" __attribute__((weak)) char *dlerror();

namespace nophook {
namespace {

// ---- Loading

bool g_is_loading = false; // whether a thread is loading; under the lock
LogText g_reason;          // reason of the thread that is loading

constexpr char kLoads[] = "livepatch: a client loads ",
               kOwn[] = "livepatch: ", kReport[] = "livepatch: '";

bool begins_with(const char *line, const char *words) {
  return strncmp(line, words, text_length(words)) == 0;
}

// The newest refusal in the log since the client's request.
void find_refusal(LogText *found) {
  visit_log(
      [](void *context, const char *line) {
        auto *to = static_cast<LogText *>(context);
        if (begins_with(line, kLoads))
          *to = {};
        else if (begins_with(line, kOwn) && !begins_with(line, kReport))
          *to = LogText().add(line + text_length(kOwn));
      },
      found);
}

Status says(int error, const char *reason) {
  g_reason = LogText().add(reason);
  return failure(error, g_reason.c_str());
}

// Enables the disabled patches of a library.
Status enable_again(const void *handle) {
  Array<klp_patch *> patches;
  bool is_complete = true;
  {
    RuntimeLock lock;
    if (const PatchLibrary *library = library_of_handle(handle))
      for (const LibraryPatch &entry : library->patches)
        if (!entry.patch->core || !entry.patch->core->is_enabled)
          is_complete &= patches.push(entry.patch);
  }
  if (!is_complete)
    return failure(ENOMEM, "no memory for a patch");
  if (patches.empty())
    return failure(EEXIST, "its live patch is enabled already");
  for (klp_patch *patch : patches)
    if (Status status = enable_patch(patch); !status.ok()) {
      LogText refusal;
      find_refusal(&refusal);
      return says(status.error, refusal.size() ? refusal.c_str() : status.reason);
    }
  return {};
}

bool has_patches(const void *handle) {
  RuntimeLock lock;
  return library_of_handle(handle) != nullptr;
}

Status load(const char *path) {
  void *before = open_library(path, RTLD_LAZY | RTLD_NOLOAD);
  const bool was_loaded = before && has_patches(before);
  if (before)
    (void)close_library(before); // the next line replaces it, or there is nothing to close
  if (const char *why = before ? nullptr : why_not_loaded(path))
    return failure(ENOEXEC, why);
  void *handle = open_library(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *words = dlerror ? dlerror() : nullptr;
    return says(ENOEXEC, words ? words : "the loader refuses the library");
  }
  Status status;
  LogText refusal;
  if (was_loaded) {
    status = enable_again(handle);
  } else if (!has_patches(handle)) {
    find_refusal(&refusal);
    status = refusal.size()
                 ? says(EINVAL, refusal.c_str())
                 : failure(EINVAL, "no constructor of the library has enabled a live patch");
  }
  (void)close_library(handle); // the runtime has its own reference if it has a patch
  return status;
}

// ---- Unloading

bool is_there(const UnseenFiber &unseen) {
  return unseen.fiber->is_fiber() && unseen.fiber->serial == unseen.serial;
}

Status check_going(const PatchLibrary *library) {
  if (library->is_going)
    return failure(EBUSY, "the library is being unloaded");
  for (const LibraryPatch &entry : library->patches) {
    const nophook_klp *core = entry.patch->core;
    if (core && core->is_enabled)
      return failure(EINVAL, "the live patch is enabled: revert it first");
    if (core)
      return failure(EBUSY, "the transition of the live patch is under way");
  }
  if (library->is_forced)
    return failure(EPERM, "a transition was forced while the live patch was enabled: threads may "
                          "be in its library for ever, so it stays loaded");
  return {};
}

// Whether a thread is outside of the code. A thread without a record runs no registered fiber.
bool thread_is_outside(int32_t tid, const CodeRanges &code) {
  const Task *task = task_of(tid, false);
  return task ? task_is_outside(task, code) : sleeps_outside(tid, nullptr, code);
}

// Takes out of the lists all threads and fibers that are outside now, or gone.
void look(PatchLibrary *library, const CodeRanges &code) {
  uint64_t kept = 0, kept_fibers = 0;
  for (int32_t tid : library->unseen)
    if (!is_thread_gone(tid) && !thread_is_outside(tid, code))
      library->unseen[kept++] = tid;
  library->unseen.shrink(kept);
  for (const UnseenFiber &unseen : library->unseen_fibers)
    if (is_there(unseen) && !task_is_outside(unseen.fiber, code))
      library->unseen_fibers[kept_fibers++] = unseen;
  library->unseen_fibers.shrink(kept_fibers);
}

Status list_code(const PatchLibrary *library, CodeRanges &code) {
  if (!add_code_of_object(reinterpret_cast<uint64_t>(library->patches[0].patch), code) ||
      !add_ways_to_versions(code))
    return failure(ENOMEM, "no memory for a list of code");
  code.seal();
  return {};
}

// Lists the threads and fibers, except the fiber that the calling thread is on.
Status list_threads(PatchLibrary *library) {
  ThreadList threads;
  if (!threads.read_whole())
    return failure(EBUSY, "the threads of the process cannot be listed now");
  library->unseen.clear();
  for (int32_t tid : threads)
    if (!library->unseen.push(tid))
      return failure(ENOMEM, "no memory for a list of threads");
  library->unseen_fibers.clear();
  bool works = true;
  each_task([&, own = this_task()](Task *task) {
    if (task->is_fiber() && (!own || task != own->fiber))
      works = works && library->unseen_fibers.push({task, task->serial});
    return true;
  });
  if (!works)
    return failure(ENOMEM, "no memory for a list of fibers");
  library->lists++;
  library->look = next_look();
  return {};
}

Status see_threads_outside(PatchLibrary *library) {
  constexpr uint32_t kLists = 2;
  CodeRanges code;
  NOPHOOK_TRY(list_code(library, code));
  const auto sp = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  Task *thread = this_task(), *task = thread ? task_at(thread, sp) : nullptr;
  if (!task || own_stack_has(task, sp, code) || (task != thread && !task_is_outside(thread, code)))
    return failure(EBUSY, "the calling thread is in the library of the live patch");
  while (look(library, code), library->unseen.empty() && library->unseen_fibers.empty()) {
    if (library->lists == kLists)
      return {};
    NOPHOOK_TRY(list_threads(library));
  }
  return failure(EBUSY, library->unseen.empty()
                            ? "fibers have not been seen outside of the library yet"
                            : "threads have not been seen outside of the library yet");
}

// Starts to unload a library, with the lock: from now on no patch of it is enabled.
Status begin_unloading(const char *name, uint64_t bytes, PatchLibrary **found) {
  PatchLibrary *library = library_of_name(name, bytes);
  if (!library)
    return failure(ENOENT, "no loaded library has a live patch of this name");
  NOPHOOK_TRY(check_going(library));
  if (g_change.core && g_change.is_calling)
    return failure(EBUSY, "callbacks of a patch are running");
  NOPHOOK_TRY(see_threads_outside(library));
  library->is_going = true;
  *found = library;
  return {};
}

} // namespace

Status load_patch_library(const char *path, uint64_t bytes) {
  ObjectPath text;
  text.add(path, bytes);
  if (!bytes || *path != '/' || text.full())
    return failure(EINVAL, "a library of live patches needs an absolute path");
  if (!has_loader())
    return failure(ENOSYS, "the program is static: it cannot load a library");
  {
    RuntimeLock lock;
    if (g_is_loading)
      return failure(EBUSY, "another client loads a library of live patches");
    g_is_loading = true;
  }
  log_info(LogText().add(kLoads).add(text.c_str()));
  Status status = load(text.c_str());
  RuntimeLock lock;
  g_is_loading = false;
  return status;
}

Status unload_patch_library(const char *name, uint64_t bytes) {
  PatchLibrary *library = nullptr;
  {
    RuntimeLock lock;
    NOPHOOK_TRY(begin_unloading(name, bytes, &library));
  }
  LogText line;
  log_info(line.add("livepatch: '").add(library->patches[0].name.c_str()).add("': unloading"));
  const bool is_closed = close_library(library->handle);
  RuntimeLock lock;
  forget_library(library);
  return is_closed ? Status{} : failure(EIO, "the loader refuses to close the library");
}

void each_unseen_thread(void (*visit)(int32_t tid, void *context), void *context) {
  for (const PatchLibrary *library = first_library(); library; library = library->next)
    for (int32_t tid : library->unseen)
      visit(tid, context);
}

void each_unseen_fiber(void (*visit)(const FiberFacts &fiber, void *context), void *context) {
  for (const PatchLibrary *library = first_library(); library; library = library->next)
    for (const UnseenFiber &unseen : library->unseen_fibers)
      if (is_there(unseen))
        visit(facts_of_fiber(unseen.fiber), context);
}

Status visit_unseen_looks(const LookVisitor &visitor) {
  for (const PatchLibrary *library = first_library(); library; library = library->next) {
    if (library->unseen.empty() || library->is_going)
      continue;
    CodeRanges code;
    NOPHOOK_TRY(list_code(library, code));
    visitor.begin(visitor.context, library->look, code);
    for (int32_t tid : library->unseen)
      if (const Task *task = task_of(tid, false); !task || task->runs()) // it is on its own stack
        visitor.thread(visitor.context, tid, 0);
  }
  return {};
}

// Takes a thread out of a list. A list that has become void is empty.
bool forget_seen(uint64_t look, int32_t tid) {
  for (PatchLibrary *library = first_library(); library; library = library->next) {
    if (library->look != look)
      continue;
    uint64_t kept = 0;
    const uint64_t count = library->unseen.size();
    for (int32_t other : library->unseen)
      if (other != tid)
        library->unseen[kept++] = other;
    library->unseen.shrink(kept);
    return kept < count;
  }
  return false;
}

} // namespace nophook
