// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prototype of the function that a site belongs to.

#pragma once

#include "read/symbols/prototypes.h"

namespace nophook {

class FunctionPrototypes {
public:
  // `image` must live as long.
  explicit FunctionPrototypes(const ElfImage &image);

  // `address`: of the site, as linked. Null: nothing is known, or not what holds there (the site
  // is behind the prologue).
  const Prototype *at_site(uint64_t address) const;

  // For a function that the file calls elsewhere, by its name as linked. Null: nothing is known.
  const Prototype *of_import(const std::string &name) const { return prototypes_.of_import(name); }

private:
  struct Function {
    uint64_t start;
    uint32_t size;
    uint32_t prototype;
  };
  std::vector<Function> functions_; // ascending start
  Prototypes prototypes_;
};

} // namespace nophook
