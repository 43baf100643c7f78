// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user wants to know whose function was not found: whether it was inlined, as `nophook why`
// knows, or which names are like the one that was typed.

#pragma once

#include "read/symbols/elf_image.h"

#include <string>
#include <vector>

namespace nophook {

// "its calls are inlined in main, run"; or empty. Takes a look at the whole debug info, if that is
// not huge.
std::string inlined_note(const ElfImage &image, const std::string &typed);

// "the nearest: parse, parser"; or empty.
std::string nearest_note(const std::string &nearest);

} // namespace nophook
