// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: how a call of a library's function may be traced.
//
// The objects that call it say what they know of it (struct nophook_import). That is not enough:
// some functions must not find a frame between themselves and their callers, whatever their types
// are, and compilers call some functions that no source declares. The tables here name both.
//
// Read by:  the runtime (calls/import_table.cpp) and `nophook list --calls`.

#ifndef NOPHOOK_LIBRARY_CALLS_H
#define NOPHOOK_LIBRARY_CALLS_H

#include <string.h>

#include <nophook/args.h>
#include <nophook/prototype.h>

struct nophook_jumped_to {
  const char *name; // name of a function; with a `*` at the end, the start of several names
  enum nophook_call_reason reason;
};

// A stub jumps to these functions, with an entry event, and never calls through them.
static const struct nophook_jumped_to kNophookJumpedTo[] = {
    // Functions that ask which module calls them.
    {"dl*", NOPHOOK_REASON_RETURN_ADDRESS},
    {"_dl_*", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__asan_*", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__hwasan_*", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__msan_*", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__tsan_*", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__ubsan_*", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__sanitizer_*", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__cyg_profile_func_*", NOPHOOK_REASON_RETURN_ADDRESS},
    {"mcount", NOPHOOK_REASON_RETURN_ADDRESS},
    {"_mcount", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__fentry__", NOPHOOK_REASON_RETURN_ADDRESS},
    {"backtrace", NOPHOOK_REASON_RETURN_ADDRESS},
    // Functions that walk the stack, or leave it.
    {"_Unwind_*", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__cxa_throw", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__cxa_rethrow", NOPHOOK_REASON_RETURN_ADDRESS},
    {"pthread_exit", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__pthread_unwind*", NOPHOOK_REASON_RETURN_ADDRESS},
    // Functions that return twice, elsewhere, or on another stack.
    {"setjmp", NOPHOOK_REASON_RETURNS_TWICE},
    {"_setjmp", NOPHOOK_REASON_RETURNS_TWICE},
    {"__setjmp", NOPHOOK_REASON_RETURNS_TWICE},
    {"sigsetjmp", NOPHOOK_REASON_RETURNS_TWICE},
    {"__sigsetjmp*", NOPHOOK_REASON_RETURNS_TWICE},
    {"longjmp", NOPHOOK_REASON_RETURNS_TWICE},
    {"_longjmp", NOPHOOK_REASON_RETURNS_TWICE},
    {"siglongjmp", NOPHOOK_REASON_RETURNS_TWICE},
    {"__longjmp_chk", NOPHOOK_REASON_RETURNS_TWICE},
    {"getcontext", NOPHOOK_REASON_RETURNS_TWICE},
    {"setcontext", NOPHOOK_REASON_RETURNS_TWICE},
    {"swapcontext", NOPHOOK_REASON_RETURNS_TWICE},
    {"vfork", NOPHOOK_REASON_RETURNS_TWICE},
    {"__vfork", NOPHOOK_REASON_RETURNS_TWICE},
    {"clone", NOPHOOK_REASON_RETURNS_TWICE},
    {"__clone*", NOPHOOK_REASON_RETURNS_TWICE},
    // Functions that a child of vfork calls on its parent's stack, and that do not return.
    {"exec*", NOPHOOK_REASON_RETURNS_TWICE},
    {"fexecve", NOPHOOK_REASON_RETURNS_TWICE},
    {"_exit", NOPHOOK_REASON_RETURNS_TWICE},
    {"_Exit", NOPHOOK_REASON_RETURNS_TWICE},
    // Functions whose callers expect more registers than the ABI keeps.
    {"__tls_get_addr", NOPHOOK_REASON_CONVENTION},
    {"__libc_start_main", NOPHOOK_REASON_CONVENTION},
};

// Functions that compilers call by themselves, so that no declaration describes them. None has an
// argument on the stack.
static const char *const kNophookOfCompilers[] = {
    "memcpy",       "memmove",      "memset",        "memcmp",    "bcmp",      "strlen",
    "__memcpy_chk", "__memset_chk", "__memmove_chk", "cos",       "cosf",      "exp",
    "exp10",        "exp10f",       "exp2",          "exp2f",     "expf",      "ceil",
    "ceilf",        "floor",        "floorf",        "fma",       "fmaf",      "fmax",
    "fmaxf",        "fmin",         "fminf",         "fmod",      "fmodf",     "ldexp",
    "ldexpf",       "frexp",        "frexpf",        "log",       "log10",     "log10f",
    "log2",         "log2f",        "logf",          "lrint",     "lrintf",    "lround",
    "lroundf",      "llrint",       "llrintf",       "llround",   "llroundf",  "nearbyint",
    "nearbyintf",   "pow",          "powf",          "rint",      "rintf",     "round",
    "roundeven",    "roundevenf",   "roundf",        "sin",       "sincos",    "sincosf",
    "sinf",         "sqrt",         "sqrtf",         "tan",       "tanf",      "trunc",
    "truncf",       "__divti3",     "__modti3",      "__udivti3", "__umodti3", "__multi3",
    "__powidf2",    "__powisf2",
};

#define NOPHOOK_LIBRARY_ENTRY_ONLY(reason) NOPHOOK_ARGS_CALL(NOPHOOK_CALL_ENTRY_ONLY, reason, 0)

// The knowledge that the objects of a module have of a function, taken together.
struct nophook_known_import {
  uint32_t call, prototype; // as in struct nophook_import
  uint32_t flags;           // flags of all records, or-ed
};

#define NOPHOOK_IMPORT_NOT_KNOWN {NOPHOOK_LIBRARY_ENTRY_ONLY(NOPHOOK_REASON_NO_DESCRIPTOR), 0, 0}

// Adds a record. If two pass different arguments, only the function's entry is traced.
static inline void nophook_know_import(struct nophook_known_import *known,
                                       const struct nophook_import *import) {
  known->flags |= import->flags;
  if (!(import->flags & NOPHOOK_IMPORT_CALLED) ||
      NOPHOOK_ARGS_CALL_VERSION(import->call) != NOPHOOK_ARGS_VERSION ||
      NOPHOOK_ARGS_REASON(import->call) == NOPHOOK_REASON_NO_DESCRIPTOR)
    return;
  if (NOPHOOK_ARGS_REASON(known->call) == NOPHOOK_REASON_NO_DESCRIPTOR) {
    known->call = import->call;
    known->prototype = import->prototype;
  } else if (known->call != import->call) { // two objects pass it different arguments
    known->call = NOPHOOK_LIBRARY_ENTRY_ONLY(NOPHOOK_REASON_CONVENTION);
    known->prototype = 0;
  }
}

static inline int nophook_is_named(const char *name, const char *pattern) {
  const size_t bytes = strlen(pattern);
  return pattern[bytes - 1] == '*' ? !strncmp(name, pattern, bytes - 1) : !strcmp(name, pattern);
}

// The reason why the function is only jumped to. Null: a stub may call through it.
static inline const struct nophook_jumped_to *nophook_jumped_to_of(const char *name) {
  for (unsigned i = 0; i < sizeof kNophookJumpedTo / sizeof *kNophookJumpedTo; i++)
    if (nophook_is_named(name, kNophookJumpedTo[i].name))
      return &kNophookJumpedTo[i];
  return 0;
}

// How a stub of the function is traced, as in struct nophook_args. `never_returns`: its prototype
// says so.
static inline uint32_t nophook_library_call(const char *name,
                                            const struct nophook_known_import *known,
                                            int never_returns) {
  const struct nophook_jumped_to *jumped_to = nophook_jumped_to_of(name);
  if (jumped_to)
    return NOPHOOK_LIBRARY_ENTRY_ONLY(jumped_to->reason);
  if (never_returns)
    return NOPHOOK_LIBRARY_ENTRY_ONLY(NOPHOOK_REASON_RETURNS_TWICE);
  if (NOPHOOK_ARGS_REASON(known->call) == NOPHOOK_REASON_NO_DESCRIPTOR)
    for (unsigned i = 0; i < sizeof kNophookOfCompilers / sizeof *kNophookOfCompilers; i++)
      if (!strcmp(name, kNophookOfCompilers[i]))
        return NOPHOOK_ARGS_CALL(NOPHOOK_CALL_THROUGH, 0, 0);
  return known->call;
}

#endif // NOPHOOK_LIBRARY_CALLS_H
