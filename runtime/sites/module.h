// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The traceable modules of this process: executables and libraries with a note and a table.
//
// Nothing is built until tracing is asked for. Then discover_modules() walks the loaded
// objects once; libraries that arrive later register themselves (nophook/site.h). Modules
// are found by their notes and not by registration, since a program linked without the
// runtime has no symbol that a preloaded runtime could be found through.
//
// All of this is cold code under the runtime's lock; only the list of modules may be walked without
// it: modules are pushed at its head, complete, and never freed. A library that comes again to the
// place where it was takes its module, ids and islands over: the fields that such a walk reads keep
// their values.

#pragma once

#include "base/status.h"
#include "sites/name_cache.h"
#include "sites/records.h"
#include "sites/site_kind.h"

#include <nophook/args.h>
#include <nophook/site.h>

namespace nophook {

// An executable segment in memory. `prot` as mprotect takes it.
struct TextSegment {
  uint64_t start;
  uint64_t end;
  int prot;
};

constexpr uint32_t kMaxTextSegments = 8;

// Descriptors (nophook/args.h). They need not lie where they were linked to: `moved` is added to an
// address that was computed from an entry's own.
struct ArgsRange {
  const struct nophook_args *begin = nullptr;
  const struct nophook_args *end = nullptr;
  uint64_t moved = 0;
};

// The start of the function that an entry of `range` describes.
inline uint64_t args_pc(const ArgsRange &range, const struct nophook_args *entry) {
  return reinterpret_cast<uint64_t>(&entry->pc) + (uint64_t)(int64_t)entry->pc + range.moved;
}

// The table [start, stop); equal bounds: there is no table.
struct TableBounds {
  uint64_t start = 0;
  uint64_t stop = 0;
};

// The tables of a file that keeps them unloaded: memory of our own, sites/side_file.h.
struct SideTables {
  ArgsRange args;
  TableBounds prototypes;
};

// The identity of a file while no process writes to it; all zero: unknown.
struct FileIdentity {
  uint64_t device, inode, bytes, modified_ns;
};

// The functions that a module of call stubs calls (calls/stubs.h), by record.
struct CallStubs {
  const char *const *names; // names of the functions, as linked
  const uint64_t *targets;
};

struct Module {
  Module *next;
  const nophook_note *note; // null: it consists of call stubs
  const CallStubs *calls;   // or null
  uint64_t bias;            // load address - ELF virtual address
  uint64_t start;           // the lowest mapped address, and one past the highest
  uint64_t end;
  TextSegment text[kMaxTextSegments];
  uint32_t text_count;
  uint32_t first_id; // id of record 0; the ids of a module are consecutive
  uint32_t ids;      // number of its ids, which never changes
  Records records;
  // Address of record 0's thunk in the island of each kind (poke/island.h); 0 until a site is
  // enabled.
  uint64_t thunks[kSiteKinds];
  nophook_static_calls *static_calls; // or null
  uint64_t
      *call_targets; // by record, the target of its static call (ops/static_calls.h); or null: none
  uint32_t calls_on; // number of targets that are not 0
  uint64_t stubs;    // stubs for jumps that go further than a site reaches (poke/island.h), or 0
  bool loaded;       // false after dlclose: its records are gone, its ids stay taken
  bool is_adopted;   // whether ops know the module
  bool can_leave;    // whether it came by dlopen
  TableBounds prototypes; // loaded ones, nophook/prototype.h
  // Poke/perf_map.cpp: a bit for each kind whose island is listed, and one for stubs.
  uint16_t in_perf_map;
  // Whether the island was tried (poke/island.h), for graph, the profiler and exits.
  bool tried_between[3];
  bool has_looked_aside; // whether `side` has been looked for
  SideTables side;
  NameCache *names; // answers of its symbol table to patterns, or null
  bool has_plans;   // whether it has plans (capture/capture_plan.h)
  uint32_t build_id_bytes;
  uint8_t build_id[20];
  FileIdentity file; // identity of the file, if it has no build id
  char path[1024];   // path of the file, as the loader names it; /proc/self/exe resolved
};

static_assert(kSiteKinds < 8 * sizeof(Module::in_perf_map));

// The result of a discovery.
struct Discovery {
  uint32_t modules; // number of new modules, at the head of the list
  uint32_t back;    // number of known modules that have come back
  uint64_t records;
  uint64_t pages;
};

// Finds modules that are not known yet. A module whose table is corrupt is left out with one
// line in the log, and so is a library that would not report that it is unloaded; that is no
// failure of the call. Errors: ENOMEM.
Status discover_modules(Discovery *found);

// From now on modules that come or go must be reported. A module that comes before is found by the
// first discovery, so a program that no client traces takes no lock for it.
void await_modules();
bool modules_are_awaited();

// Whether a module that is loaded has a table, without building anything.
bool has_sites();

// The newest module; `next` leads to the older ones.
Module *first_module();

// Takes ids for a module that has no file. False: not enough are left.
bool take_ids(uint32_t count, uint32_t *first);

// Makes a module that is complete the newest one. Under the runtime's lock.
void publish_module(Module *module);

// The loaded module with functions whose ids are the lowest from `id` on, or null.
Module *module_from(uint32_t id);

// The module that `note` lies in, or null. Known modules only.
Module *find_module(const nophook_note *note);

// All static calls of the module return at once from now on.
void clear_call_targets(Module *module);

// Forgets a module that is being unloaded. Nothing leads to its records any more.
void forget_module(Module *module);

// Declares that no thread touches the module from now on; the lock need not be held. Its records
// are leaked.
void abandon_module(const nophook_note *note);

// Whether [address, address + bytes) lies in the module's executable segments.
bool in_text(const Module *module, uint64_t address, uint64_t bytes);

// The module's descriptors, loaded or from its side file, which is looked for at the first call;
// an empty range if it has none or bad ones. Under the runtime's lock.
ArgsRange module_args(Module *module);

// The module's prototypes, likewise.
TableBounds module_prototypes(Module *module);

} // namespace nophook
