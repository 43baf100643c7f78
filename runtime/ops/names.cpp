// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The demangler is the program's own, if it has one: we bring none along.

#include "ops/names.h"

#include "ops/glob.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern "C" char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status)
    __attribute__((weak));

namespace nophook {

// Cuts the parameter list, and what follows it, off a demangled name: the last balanced
// parentheses. "f(int) const" becomes "f", "operator()(int)" becomes "operator()".
static void cut_parameters(char *name) {
  char *close = strrchr(name, ')');
  if (!close)
    return;
  int depth = 0;
  for (char *c = close; c >= name; c--) {
    depth += *c == ')' ? 1 : *c == '(' ? -1 : 0;
    if (depth == 0) {
      if (c > name)
        *c = 0;
      return;
    }
  }
}

// Where the name begins, behind the type that a template function returns; other functions' names
// have none. `name` is without parameters: "T* space::f<int>", "bool operator< <X>".
static size_t return_type_bytes(const char *name) {
  size_t end = strlen(name);
  if (!end || (name[end - 1] != '>' && name[end - 1] != ']'))
    return 0;
  if (const char *op = strstr(name, "operator"))
    end = (size_t)(op - name); // its own spaces and brackets are no type's
  int depth = 0;
  for (size_t i = end; i > 0; i--) {
    char c = name[i - 1];
    depth += strchr(">)}]", c) ? 1 : strchr("<({[", c) ? -1 : 0;
    if (depth == 0 && c == ' ')
      return i;
  }
  return 0;
}

Names::~Names() {
  free(full_);
  free(cut_);
}

bool Names::match(const char *glob) {
  if (glob_match(glob, symbol_))
    return true;
  if (symbol_[0] != '_' || symbol_[1] != 'Z' || !__cxa_demangle)
    return false;
  if (!full_) {
    int status = 0;
    full_ = __cxa_demangle(symbol_, nullptr, nullptr, &status);
    cut_ = full_ ? strdup(full_) : nullptr;
    if (!cut_)
      return false;
    cut_parameters(cut_);
    type_bytes_ = return_type_bytes(cut_);
  }
  return glob_match(glob, cut_) || glob_match(glob, full_) ||
         (type_bytes_ &&
          (glob_match(glob, cut_ + type_bytes_) || glob_match(glob, full_ + type_bytes_)));
}

} // namespace nophook
