// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two versions of an object, compared: the items that a live patch takes from the new version, and
// the changes that it must refuse.

#pragma once

#include "patch/object_items.h"

#include <string>
#include <vector>

namespace nophook {

struct ObjectDifference {
  std::vector<std::string> changed;    // functions and own constants that both versions have
  std::vector<std::string> added;      // functions and constants of the new version only
  std::vector<std::string> added_data; // variables of the new version only, which the patch brings
  std::vector<std::string> unused;     // functions of the old version only
  struct Refusal {
    std::string name;
    std::string reason; // one line
    bool operator==(const Refusal &) const = default;
  };
  std::vector<Refusal> refused; // changes that are impossible in a running program

  bool is_empty() const {
    return changed.empty() && added.empty() && added_data.empty() && refused.empty();
  }
};

// Compares two versions. A function has changed if its bytes have, or something that they refer to:
// a string, a constant, or a table that the compiler made for it. All lists are in the order of
// names.
ObjectDifference compare_objects(const ObjectItems &before, const ObjectItems &after);

} // namespace nophook
