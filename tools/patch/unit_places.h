// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which files that run have a unit's code. A diff may change a program and its libraries at once,
// and a file may be compiled several times, for one and for the other.

#pragma once

#include "patch/patch_plan.h"

namespace nophook {

struct UnitPlaces {
  std::vector<PlacedUnit> units;      // those that differ and that a file has
  std::vector<std::string> elsewhere; // sources that differ, and that none of the files has
};

// Fails if a file has other code of a function that differs than any unit gives: it was not made
// from this tree.
Result<UnitPlaces> place_units(const std::vector<OldFile> &files,
                               const std::vector<UnitVersions> &units);

} // namespace nophook
