// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts that a file's debug info lacks.
//
// "Compile with -g" is wrong advice for a program that was compiled with -g: with -gsplit-dwarf its
// types are in .dwo files, with -g1 there are none, and `dwz -m` has moved them to another file.
// The debug info itself shows which of these applies.

#pragma once

#include "read/symbols/elf_image.h"

#include <llvm/Object/ObjectFile.h>

namespace nophook {

// The debug info of a compiled file.
struct UnitDebug {
  enum class Kind { kNone, kLines, kSplit, kWhole }; // kLines: without types (-g1)
  Kind kind = Kind::kNone;
  bool is_gnu = true;     // whether the unit is gcc's; also if unknown
  std::string split_file; // name of the .dwo file
};
UnitDebug unit_debug_at(const ElfImage &image, uint64_t address);

// A text such as "its debug info is in parse.dwo, which is missing"; empty: all of it is read.
std::string unread_debug_info(const ElfImage &image);

// Whether LLVM may open the .dwo and .dwp files of a file. LLVM opens any existing file, and would
// wait for a writer of a FIFO.
bool split_files_may_be_opened(const llvm::object::ObjectFile &file);

} // namespace nophook
