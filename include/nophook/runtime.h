// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: how the runtime in a process is found from outside, and how it is woken.
//
// Made by:   the runtime, library or archive: an ELF note of its own, and this structure in its
//            data.
// Used by:   other copies of the runtime in the process, which stand back; `nophook attach` and
//            all commands that wake a process, and `nophook ps --all`.
//
// A symbol would not do: a program exports none of its archive's. The note's descriptor is the
// distance from itself to the structure, so it needs no relocation:
//
//      PT_NOTE --> name "Nophook", type NOPHOOK_RUNTIME_NOTE_TYPE
//                  int64_t  distance ----> struct nophook_runtime_table
//
// If a process has several copies, the first one in the loader's list works.
//
// A runtime that serves nobody is *dormant*: it has no thread, no socket and no descriptor. wake()
// ends that. A tool calls it in a thread that it has stopped (docs/design/attach.md), so it returns
// within microseconds: a thread of the runtime's own does the work.

#ifndef NOPHOOK_RUNTIME_H
#define NOPHOOK_RUNTIME_H

#include <nophook/site.h>

// The note's type, beside NOPHOOK_NOTE_TYPE.
#define NOPHOOK_RUNTIME_NOTE_TYPE 2

// The version of the structure, and of what its functions do. The functions of another version are
// not called.
#define NOPHOOK_RUNTIME_VERSION 2

enum nophook_wake_state {
  NOPHOOK_WAKE_NONE = 0,  // wake() has not been called, or the process no longer serves
  NOPHOOK_WAKE_BEGUN = 1, // a thread of the runtime is starting to serve
  NOPHOOK_WAKE_DONE =
      2, // the process serves. Values below 0: -errno, and `reason` explains why it does not
};

struct nophook_runtime_table {
  uint32_t version; // NOPHOOK_RUNTIME_VERSION
  int32_t state;    // enum nophook_wake_state; written behind `reason`
  void (*register_module)(const struct nophook_note *note);
  void (*unregister_module)(const struct nophook_note *note);
  // Applies `settings`, words as in NOPHOOK, as if the process had been started with them; `serve`
  // makes it serve. They are copied. Returns 0 when it has begun, or -errno: EALREADY (it serves,
  // or is at it), ENAMETOOLONG, EAGAIN (no thread). errno stays. It allocates, as pthread_create()
  // does; it is not for signal handlers.
  int (*wake)(const char *settings);
  char reason[128]; // a text that ends in 0
};

#ifdef __cplusplus
extern "C" {
#endif

// The same as `wake`, as a symbol of the library: for dlsym().
int nophook_wake(const char *settings);

#ifdef __cplusplus
}
#endif

#endif // NOPHOOK_RUNTIME_H
