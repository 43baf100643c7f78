// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "calls/import_table.h"

#include "base/sort.h"

#include <errno.h>
#include <string.h>

#include <nophook/args.h>

namespace nophook {
namespace {

constexpr uint32_t entry_only(uint32_t reason) {
  return NOPHOOK_ARGS_CALL(NOPHOOK_CALL_ENTRY_ONLY, reason, 0);
}

// What must not find a frame of ours between itself and its caller, whatever its type is. A name
// that ends in `*` is a beginning.
constexpr struct {
  const char *name;
  nophook_call_reason reason;
} kNeverThrough[] = {
    // They ask which module calls them.
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
    // They walk the stack, or leave it.
    {"_Unwind_*", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__cxa_throw", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__cxa_rethrow", NOPHOOK_REASON_RETURN_ADDRESS},
    {"pthread_exit", NOPHOOK_REASON_RETURN_ADDRESS},
    {"__pthread_unwind*", NOPHOOK_REASON_RETURN_ADDRESS},
    // They return twice, elsewhere, or on another stack.
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
    // A child of vfork calls them on its parent's stack, and they do not return.
    {"exec*", NOPHOOK_REASON_RETURNS_TWICE},
    {"fexecve", NOPHOOK_REASON_RETURNS_TWICE},
    {"_exit", NOPHOOK_REASON_RETURNS_TWICE},
    {"_Exit", NOPHOOK_REASON_RETURNS_TWICE},
    // Their callers expect more registers than the ABI keeps.
    {"__tls_get_addr", NOPHOOK_REASON_CONVENTION},
    {"__libc_start_main", NOPHOOK_REASON_CONVENTION},
};

// Calls that compilers make by themselves, so no declaration is there to be described. None has an
// argument on the stack.
constexpr const char *kOfCompilers[] = {
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

bool is_named(const char *name, const char *pattern) {
  const uint64_t bytes = text_length(pattern);
  return pattern[bytes - 1] == '*' ? !strncmp(name, pattern, bytes - 1) : !strcmp(name, pattern);
}

} // namespace

// Names may lie outside of the records' section.
const char *ImportTable::name_of(const nophook_import *import) const {
  const uint64_t at = reinterpret_cast<uint64_t>(&import->name) + (uint64_t)(int64_t)import->name;
  if (!import->name || at < memory_.start || at >= memory_.stop)
    return nullptr;
  const auto *text = reinterpret_cast<const char *>(at);
  return memchr(text, 0, memory_.stop - at) ? text : nullptr;
}

// Strings of records that are in the file alone are not copied from it: such a module has entry
// events of calls.
Status ImportTable::read(Module *module) {
  rows_.clear();
  flags_.clear();
  bounds_ = module->prototypes;
  memory_ = {module->start, module->end};
  for (uint64_t at = bounds_.start; at < bounds_.stop && bounds_.stop - at >= 4;) {
    const uint32_t head = *reinterpret_cast<const uint32_t *>(at);
    const uint64_t bytes = NOPHOOK_HEAD_BYTES(head);
    if (bytes < 4 || bytes % 4 || bytes > bounds_.stop - at)
      break;
    if (NOPHOOK_HEAD_RECORD(head) == NOPHOOK_RECORD_PROTOTYPE &&
        bytes >= sizeof(nophook_prototype)) {
      const auto *prototype = reinterpret_cast<const nophook_prototype *>(at);
      if (!flags_.push({prototype->id_low, prototype->flags}))
        return failure(ENOMEM, "no memory for the types of calls");
    }
    if (NOPHOOK_HEAD_RECORD(head) == NOPHOOK_RECORD_IMPORT && bytes >= sizeof(nophook_import)) {
      const auto *import = reinterpret_cast<const nophook_import *>(at);
      const char *name = name_of(import);
      if (name && !rows_.push({name, import}))
        return failure(ENOMEM, "no memory for the types of calls");
    }
    at += bytes;
  }
  sort(rows_.data(), rows_.size(),
       [](const Row &a, const Row &b) { return strcmp(a.name, b.name) < 0; });
  sort(flags_.data(), flags_.size(),
       [](const Flags &a, const Flags &b) { return a.id_low < b.id_low; });
  return {};
}

bool ImportTable::never_returns(uint32_t prototype) const {
  uint64_t low = 0, high = flags_.size();
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (flags_.begin()[middle].id_low < prototype)
      low = middle + 1;
    else
      high = middle;
  }
  return low < flags_.size() && flags_.begin()[low].id_low == prototype &&
         flags_.begin()[low].flags & NOPHOOK_PROTOTYPE_NEVER_RETURNS;
}

ImportKind ImportTable::kind_of(const char *name) const {
  uint64_t low = 0, high = rows_.size();
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (strcmp(rows_.begin()[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  ImportKind kind = {entry_only(NOPHOOK_REASON_NO_DESCRIPTOR), 0};
  const uint64_t first = low;
  for (; low < rows_.size() && !strcmp(rows_.begin()[low].name, name); low++) {
    const nophook_import *import = rows_.begin()[low].import;
    if (!(import->flags & NOPHOOK_IMPORT_CALLED))
      continue;
    if (low == first || NOPHOOK_ARGS_REASON(kind.call) == NOPHOOK_REASON_NO_DESCRIPTOR)
      kind = {import->call, import->prototype};
    else if (kind.call != import->call) // two objects pass it different arguments
      kind = {entry_only(NOPHOOK_REASON_CONVENTION), 0};
  }
  for (const auto &never : kNeverThrough)
    if (is_named(name, never.name))
      return {entry_only(never.reason), kind.prototype};
  if (NOPHOOK_ARGS_CALL_VERSION(kind.call) != NOPHOOK_ARGS_VERSION)
    return {entry_only(NOPHOOK_REASON_NO_DESCRIPTOR), 0};
  if (kind.prototype && never_returns(kind.prototype))
    kind.call = entry_only(NOPHOOK_REASON_RETURNS_TWICE);
  if (NOPHOOK_ARGS_REASON(kind.call) != NOPHOOK_REASON_NO_DESCRIPTOR)
    return kind;
  for (const char *known : kOfCompilers)
    if (!strcmp(name, known))
      return {NOPHOOK_ARGS_CALL(NOPHOOK_CALL_THROUGH, 0, 0), 0};
  return kind;
}

} // namespace nophook
