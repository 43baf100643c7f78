// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prototype of the function that a site belongs to.

#pragma once

#include "read/symbols/prototypes.h"

namespace nophook {

class FunctionPrototypes {
public:
  // `image` must live as long as this object.
  explicit FunctionPrototypes(const ElfImage &image);

  // The prototype for a site; `address`: as linked. Null: unknown, or not valid there (the site is
  // behind the prologue).
  const Prototype *at_site(uint64_t address) const;

  // The prototype of a function that the file calls elsewhere, by its linked name. Null: unknown.
  const Prototype *of_import(const std::string &name) const { return prototypes_.of_import(name); }

private:
  struct Function {
    uint64_t start;
    uint32_t size;
    uint32_t prototype;
  };
  std::vector<Function> functions_; // functions, by ascending start
  Prototypes prototypes_;
};

} // namespace nophook
