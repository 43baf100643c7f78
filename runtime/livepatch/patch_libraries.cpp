// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of libraries with patches, and the runtime's references to them.

#include "livepatch/patch_libraries.h"

#include "base/memory.h"
#include "livepatch/patch_core.h"

#include <dlfcn.h>
#include <errno.h>

extern "C" __attribute__((weak)) void *dlopen(const char *, int);
extern "C" __attribute__((weak)) int dlclose(void *);

namespace nophook {
namespace {

PatchLibrary *g_libraries = nullptr;

LibraryPatch *entry_of(const klp_patch *patch, PatchLibrary **library) {
  for (PatchLibrary *at = g_libraries; at; at = at->next)
    for (LibraryPatch &entry : at->patches)
      if (entry.patch == patch) {
        *library = at;
        return &entry;
      }
  return nullptr;
}

} // namespace

bool has_loader() {
  return dlopen && dlclose;
}

void *open_library(const char *path, int flags) {
  return dlopen ? dlopen(path, flags) : nullptr;
}

bool close_library(void *handle) {
  return dlclose && dlclose(handle) == 0;
}

LibraryHold::LibraryHold(const ObjectPath &path) {
  if (path.size())
    handle = open_library(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
}

LibraryHold::~LibraryHold() {
  if (handle)
    (void)close_library(handle); // if that fails, the library stays loaded
}

PatchLibrary *first_library() {
  return g_libraries;
}

PatchLibrary *library_of_handle(const void *handle) {
  PatchLibrary *library = g_libraries;
  while (library && library->handle != handle)
    library = library->next;
  return library;
}

PatchLibrary *library_of_name(const char *name, uint64_t bytes) {
  for (PatchLibrary *library = g_libraries; library; library = library->next)
    for (const LibraryPatch &entry : library->patches)
      if (is_text(name, bytes, entry.name.c_str()))
        return library;
  return nullptr;
}

Status enter_library(const nophook_klp *core, const ObjectPath &path, LibraryHold &hold) {
  if (!hold.handle)
    return {};
  PatchLibrary *library = library_of_handle(hold.handle);
  if (library && library->is_going)
    return failure(EBUSY, "its library is being unloaded");
  const bool is_new = !library;
  if (is_new) {
    library = static_cast<PatchLibrary *>(map_pages(sizeof(PatchLibrary)));
    if (!library)
      return failure(ENOMEM, "no memory for a patch");
    library->path = path;
  }
  PatchLibrary *found;
  if (LibraryPatch *entry = entry_of(core->patch, &found)) {
    entry->name = core->name;
  } else if (!library->patches.push({core->patch, core->name, false})) {
    if (is_new)
      unmap_pages(library, sizeof(PatchLibrary));
    return failure(ENOMEM, "no memory for a patch");
  }
  library->lists = 0; // the list is void: threads may enter it again
  library->unseen.clear();
  library->unseen_fibers.clear();
  if (is_new) {
    library->handle = hold.handle;
    hold.handle = nullptr;
    library->next = g_libraries;
    g_libraries = library;
  }
  return {};
}

void keep_library(const nophook_klp *core) {
  PatchLibrary *library;
  if (LibraryPatch *entry = entry_of(core->patch, &library))
    entry->was_enabled = true;
}

void leave_library(const klp_patch *patch, LibraryHold &hold) {
  PatchLibrary *library;
  const LibraryPatch *entry = entry_of(patch, &library);
  if (!entry || entry->was_enabled)
    return;
  uint64_t kept = 0;
  for (const LibraryPatch &other : library->patches)
    if (&other != entry)
      library->patches[kept++] = other;
  library->patches.shrink(kept);
  if (kept || hold.handle)
    return;
  hold.handle = library->handle;
  forget_library(library);
}

void forget_library(PatchLibrary *library) {
  PatchLibrary **at = &g_libraries;
  while (*at != library)
    at = &(*at)->next;
  *at = library->next;
  library->patches.~Array();
  library->unseen.~Array();
  library->unseen_fibers.~Array();
  unmap_pages(library, sizeof(PatchLibrary));
}

void mark_libraries_forced() {
  for (PatchLibrary *library = g_libraries; library; library = library->next)
    for (const LibraryPatch &entry : library->patches)
      library->is_forced |= entry.patch->core != nullptr;
}

bool is_name_taken(const char *name, const klp_patch *patch) {
  constexpr const char *kFiles[] = {"libraries", "load", "looks", "unload"};
  for (const char *file : kFiles)
    if (is_text(file, name))
      return true;
  for (const PatchLibrary *library = g_libraries; library; library = library->next)
    for (const LibraryPatch &entry : library->patches)
      if (entry.patch != patch && is_text(entry.name.c_str(), name))
        return true;
  return false;
}

} // namespace nophook
