// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does a library that a program links have sites? Answered from the files, without running
// the loader on a program that nobody has asked to run yet.
//
// Searched like ld.so does, without its cache: RPATH and RUNPATH, LD_LIBRARY_PATH, the
// ordinary folders. A library that is not found has no sites as far as this goes.

#pragma once

#include "symbols/elf_image.h"

#include <functional>

namespace nophook {

// The libraries that it needs, and those that they need, once each; until `visit` says true.
bool any_library(const ElfImage &program, const std::function<bool(const ElfImage &)> &visit);

bool library_has_sites(const ElfImage &program);

} // namespace nophook
