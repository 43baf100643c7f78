// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of modules in patterns (`:mod:MODULE`) and in lists.

#pragma once

#include "sites/module.h"

#include <string.h>

namespace nophook {

// A module as people name it: its file name, or that without ".so" and what follows.
struct ModuleName {
  explicit ModuleName(const Module *module) {
    const char *slash = strrchr(module->path, '/');
    name.add(slash ? slash + 1 : module->path);
    const char *so = strstr(name.c_str(), ".so");
    stem.add(name.c_str(), so ? (size_t)(so - name.c_str()) : name.size());
  }

  Text<sizeof(Module::path)> name, stem;
};

} // namespace nophook
