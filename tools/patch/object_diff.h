// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two versions of an object, compared: what a live patch takes from the new one, and why it may
// not.

#pragma once

#include "patch/object_items.h"

#include <string>
#include <vector>

namespace nophook {

struct ObjectDifference {
  std::vector<std::string> changed;    // functions, and constants of this file, that both have
  std::vector<std::string> added;      // functions and constants that only the new one has
  std::vector<std::string> added_data; // variables, likewise: the patch brings them
  std::vector<std::string> unused;     // functions that only the old one has
  struct Refusal {
    std::string name;
    std::string reason; // one line
    bool operator==(const Refusal &) const = default;
  };
  std::vector<Refusal> refused; // what cannot be changed while the program runs

  bool is_empty() const {
    return changed.empty() && added.empty() && added_data.empty() && refused.empty();
  }
};

// A function has changed if its bytes, or what they refer to, have: a string, a constant, or a
// table that the compiler made for it. All lists are in the order of names.
ObjectDifference compare_objects(const ObjectItems &before, const ObjectItems &after);

} // namespace nophook
