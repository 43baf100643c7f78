// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The libraries that patches lie in. A thread may be in such a library while its patch is enabled,
// and also after it has been disabled. So the runtime holds a reference of its own to each library,
// until unload_library() has seen that no thread is there. If the program closes the library in the
// meantime, it stays loaded.

#pragma once

#include "livepatch/patch.h"
#include "livepatch/tasks.h"
#include "livepatch/versions.h"

namespace nophook {

// The loader's functions; a static program has none of them. They run constructors, and wait for
// the loader's lock, whose holder may wait for the runtime's: never under the latter.
bool has_loader();
void *open_library(const char *path, int flags);
bool close_library(void *handle);

// A reference to a library for the time of a call. Made and ended without the runtime's lock.
class LibraryHold {
public:
  explicit LibraryHold(const ObjectPath &path);
  ~LibraryHold();
  LibraryHold(const LibraryHold &) = delete;
  LibraryHold &operator=(const LibraryHold &) = delete;

  void *handle = nullptr; // null: the program itself, or the loader does not know it by its name
};

struct LibraryPatch {
  klp_patch *patch;
  PatchName name;   // name of the patch, as in the control tree
  bool was_enabled; // whether it was ever enabled
};

struct UnseenFiber {
  Task *fiber;
  uint64_t serial; // number of this use of the record, which may become another library's
};

struct PatchLibrary {
  PatchLibrary *next;
  void *handle;
  ObjectPath path; // path of the file, as the loader names it
  Array<LibraryPatch> patches;
  bool is_forced; // whether a transition was forced while a patch of it was enabled
  bool is_going;  // whether it is being unloaded
  // The threads and fibers that unload_library() has not seen outside, of its list number `lists`.
  Array<int32_t> unseen;
  Array<UnseenFiber> unseen_fibers;
  uint32_t lists;
  uint64_t look; // number of the clients' look at the threads of that list
};

// All functions below are under the runtime's lock.

PatchLibrary *first_library();
PatchLibrary *library_of_handle(const void *handle);
// Null: no library has, or had, a patch of this name.
PatchLibrary *library_of_name(const char *name, uint64_t bytes);

// Called when a patch's half has been made. The library is held from now on: `hold` loses its
// handle. Errors: EBUSY: it is being unloaded; ENOMEM.
Status enter_library(const nophook_klp *core, const ObjectPath &path, LibraryHold &hold);
// Called when the patch is enabled, or was refused: then `hold` gets the handle back if no
// other patch of the library was ever enabled.
void keep_library(const nophook_klp *core);
void leave_library(const klp_patch *patch, LibraryHold &hold);

// Takes the library out of the list. Its memory is given back.
void forget_library(PatchLibrary *library);

// Called when a transition has been forced: threads may be in any enabled version.
void mark_libraries_forced();

// Whether another patch of a library has this name, or a control file of livepatch/ does.
bool is_name_taken(const char *name, const klp_patch *patch);

} // namespace nophook
