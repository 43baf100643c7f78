// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// struct nophook_args (include/nophook/args.h) for functions of other compilers, from their debug
// info and their code: how function_graph may trace each, and what its prototype is.

#pragma once

#include "analysis/attachment.h"
#include "analysis/code_range.h"
#include "analysis/object_functions.h"
#include "prototypes/record_table.h"

namespace nophook::analysis {

using namespace prototypes;

struct Descriptors {
  std::vector<Attachment> tables; // one for each section of code
  RecordTable records;            // prototypes and types that the tables name
  uint64_t functions = 0;         // number of described functions
  uint64_t entry_only = 0;        // number of these that are entry only
};

// Describes the functions of these sites, ascending, that have no descriptor yet. Without debug
// info, or if it is not to be used, a descriptor shows one fact only: that a site is behind the
// prologue, where the caller is found in another place. Other functions then stay without a
// descriptor.
Descriptors describe_functions(const Object &object, const Functions &functions,
                               llvm::ArrayRef<CodePlace> sites, bool use_debug_info);

} // namespace nophook::analysis
