// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Demangled names of symbols. The demangler is the program's own, if it has one: the runtime does
// not contain any.

#include "ops/names.h"

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

// The length of the type in front of the name, which only template functions have. `name` is
// without parameters: "T* space::f<int>", "bool operator< <X>".
static size_t return_type_bytes(const char *name) {
  size_t end = strlen(name);
  if (!end || (name[end - 1] != '>' && name[end - 1] != ']'))
    return 0;
  if (const char *op = strstr(name, "operator"))
    end = (size_t)(op - name); // spaces and brackets of an operator's name do not belong to a type
  int depth = 0;
  for (size_t i = end; i > 0; i--) {
    char c = name[i - 1];
    depth += strchr(">)}]", c) ? 1 : strchr("<({[", c) ? -1 : 0;
    if (depth == 0 && c == ' ')
      return i;
  }
  return 0;
}

void cut_abi_tags(char *name) {
  char *to = name;
  for (char *from = name; *from;) {
    char *end = *from == '[' && !strncmp(from, "[abi:", 5) ? strchr(from, ']') : nullptr;
    if (end)
      from = end + 1;
    else
      *to++ = *from++;
  }
  *to = 0;
}

bool can_demangle(const char *symbol) {
  return symbol[0] == '_' && symbol[1] == 'Z' && __cxa_demangle;
}

DemangledNames::DemangledNames(const char *symbol) {
  int status = 0;
  full_ = can_demangle(symbol) ? __cxa_demangle(symbol, nullptr, nullptr, &status) : nullptr;
  if (!full_)
    return;
  cut_abi_tags(full_);
  names_[count_++] = full_;
  if (!(cut_ = strdup(full_)))
    return;
  cut_parameters(cut_);
  const size_t type_bytes = return_type_bytes(cut_);
  if (strlen(cut_) != strlen(full_))
    names_[count_++] = cut_;
  for (uint32_t i = 0, whole = count_; type_bytes && i < whole; i++)
    names_[count_++] = names_[i] + type_bytes;
}

DemangledNames::~DemangledNames() {
  free(full_);
  free(cut_);
}

} // namespace nophook
