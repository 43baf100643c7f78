// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of a function's arguments and its result: by its prototype (nophook/prototype.h),
// or, without one, by the C convention.

#pragma once

#include "events/fetch.h"

namespace nophook {

struct ArgumentPlace {
  const char *error = nullptr;
  FetchStep steps[8] = {};
  uint32_t step_count = 0;
  const ValueType *type = nullptr; // type of the value as declared; null: no fetch type fits it
  // Whether it exists at the entry only, and not when the function returns.
  bool is_at_entry = false;
  bool is_object = false; // whether the steps end in memory

private:
  void add(FetchStep::What what, int64_t value);
  friend ArgumentPlace argument_place(const FetchScope &, uint32_t);
  friend ArgumentPlace named_place(const FetchScope &, const char *, uint64_t);
  friend ArgumentPlace result_place(const FetchScope &);
  void put(const FetchScope &scope, uint32_t place, const int32_t &type);
};

// The place of an argument by number, from 0 on; by name; and that of the result.
ArgumentPlace argument_place(const FetchScope &scope, uint32_t number);
ArgumentPlace named_place(const FetchScope &scope, const char *name, uint64_t bytes);
ArgumentPlace result_place(const FetchScope &scope);

} // namespace nophook
