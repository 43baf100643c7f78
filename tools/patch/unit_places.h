// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files with each unit's code. A diff may change a program and its libraries at once, and a
// file may be compiled several times, for one and for the other.

#pragma once

#include "patch/patch_plan.h"

namespace nophook {

struct UnitPlaces {
  std::vector<PlacedUnit> units;      // units that differ and that a file has
  std::vector<std::string> elsewhere; // sources that differ and that no file has
};

// Places the units. Fails if a function that differs has other code in a file than in any unit: the
// file was not made from this tree.
Result<UnitPlaces> place_units(const std::vector<OldFile> &files,
                               const std::vector<UnitVersions> &units);

} // namespace nophook
