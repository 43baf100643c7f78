// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds out whether a library that a program links has sites. The files are read, without running
// the loader on a program that must not run yet.
//
// The search is that of ld.so without its cache: RPATH and RUNPATH, LD_LIBRARY_PATH, the ordinary
// folders. A library that is not found is assumed to have no sites.

#pragma once

#include "read/symbols/elf_image.h"

#include <functional>

namespace nophook {

// Visits the libraries that the program needs, and theirs in turn, once each, until `visit` returns
// true.
bool any_library(const ElfImage &program, const std::function<bool(const ElfImage &)> &visit);

bool library_has_sites(const ElfImage &program);

} // namespace nophook
