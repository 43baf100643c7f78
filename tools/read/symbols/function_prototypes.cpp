// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts the descriptors by function, for searches by site.

#include "read/symbols/function_prototypes.h"

#include <nophook/args.h>

#include <algorithm>
#include <cstring>

namespace nophook {

FunctionPrototypes::FunctionPrototypes(const ElfImage &image) {
  DescriptorTables tables = find_descriptors(image);
  auto bytes = tables.args.bytes;
  for (uint64_t at = tables.args.address; bytes.size() >= sizeof(nophook_args);
       bytes = bytes.subspan(sizeof(nophook_args)), at += sizeof(nophook_args)) {
    nophook_args args;
    std::memcpy(&args, bytes.data(), sizeof args);
    if (NOPHOOK_ARGS_CALL_VERSION(args.call) == NOPHOOK_ARGS_VERSION && args.prototype &&
        NOPHOOK_ARGS_REASON(args.call) != NOPHOOK_REASON_AFTER_PROLOGUE)
      functions_.push_back({at + (uint64_t)(int64_t)args.pc, args.size, args.prototype});
  }
  std::ranges::sort(functions_, {}, &Function::start);
  if (!functions_.empty())
    prototypes_ = Prototypes(std::move(tables));
}

const Prototype *FunctionPrototypes::at_site(uint64_t address) const {
  auto after = std::ranges::upper_bound(functions_, address, {}, &Function::start);
  if (after == functions_.begin())
    return nullptr;
  const Function &function = *std::prev(after);
  return address - function.start < function.size ? prototypes_.find(function.prototype) : nullptr;
}

} // namespace nophook
