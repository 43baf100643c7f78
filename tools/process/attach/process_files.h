// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ELF files that a process has loaded: where each one lies, and what it exports.

#pragma once

#include "process/stop/process_map.h"
#include "read/symbols/elf_image.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nophook {

struct LoadedFile {
  std::string name;    // path, as in /proc/PID/maps
  uint64_t start, end; // range of its mapped parts
  uint64_t bias;       // address in the process, less the address in the file
  ElfImage image;

  bool contains(uint64_t address) const { return address >= start && address < end; }
  bool is_program(int32_t pid) const; // else it is a library

  // Address in the process of an exported function, in the version that new programs get; 0: there
  // is none.
  uint64_t function(std::string_view name) const;
  bool exports(std::string_view name) const { return function(name) != 0; }
  std::string soname() const;
};

// The files with code, in the order of their addresses. A file that cannot be read is left out.
std::vector<LoadedFile> loaded_files(int32_t pid, const ProcessMap &map);

// A value that the kernel has passed to the program (getauxval(3)); 0: there is none.
uint64_t auxiliary_value(int32_t pid, uint64_t type);

} // namespace nophook
