// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explanations for a user whose function was not found: whether it was inlined, as `nophook why`
// finds out, or the names that are like the typed one.

#pragma once

#include "read/symbols/elf_image.h"

#include <string>
#include <vector>

namespace nophook {

// A note such as "its calls are inlined in main, run"; or empty. Reads the whole debug info, if
// that is not huge.
std::string inlined_note(const ElfImage &image, const std::string &typed);

// A note such as "the nearest: parse, parser"; or empty.
std::string nearest_note(const std::string &nearest);

} // namespace nophook
