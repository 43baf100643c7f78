// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A check that a linked file has the code that an object has. If the tree differs from the one that
// the file was made from, the functions of a patch would not fit the others, and nothing would show
// it.
//
// A linker fills fields, and rewrites the instruction around some of them when it knows the symbol
// (Machine::linked_field). These bytes are left out of the comparison.

#pragma once

#include "foundation/result.h"
#include "machine/machine.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace nophook {

// Whether `a` and `b` have the same bytes outside of `fields`.
bool are_equal_outside(std::span<const uint8_t> a, std::span<const uint8_t> b,
                       const std::vector<ByteRange> &fields);

// A function in an object.
struct ObjectFunction {
  std::string bytes;
  std::vector<ByteRange> fields;
  bool is_local = false;
  bool is_weak = false;
};

// The symbols of a relocatable object, by kind.
struct ObjectSymbols {
  // The object's processor (foundation/processor.h): bytes can be compared if its Machine has
  // linked_field().
  uint32_t processor = 0;
  std::map<std::string, ObjectFunction> functions;
  std::map<std::string, bool> data;   // variables and constants with a name: whether it is local
  std::vector<std::string> undefined; // names that other objects define
};

Result<ObjectSymbols> read_object_symbols(const std::string &path);

} // namespace nophook
