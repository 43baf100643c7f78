// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file with a stripped file's symbols, found by its build-id below /usr/lib/debug, or by the
// name and checksum in its .gnu_debuglink. The places are gdb's.

#pragma once

#include "read/symbols/elf_image.h"

namespace nophook {

std::optional<ElfImage> find_debug_file(const ElfImage &image);

} // namespace nophook
