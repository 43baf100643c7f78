// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The totals of a recording so far, over all of its processes.

#pragma once

#include "foundation/json.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

namespace nophook {

struct DrainTotals {
  uint64_t events = 0;
  uint64_t lost = 0;
  uint64_t overwritten = 0;
  uint64_t profiled = 0;  // calls counted by the profiler
  uint32_t threads = 0;   // streams; also the next one's number
  uint32_t processes = 0; // also the next one's number
  std::map<std::string, std::unordered_map<uint32_t, uint8_t>> functions; // module, offset, marks
  // Further names for the recording (process/drain/record_names.h): by path and build-id the
  // addresses of callers in that module, as linked, and the functions of libraries.
  std::map<std::pair<std::string, std::string>, std::set<uint64_t>> modules;
  std::set<std::string> calls;
  std::unordered_map<uint64_t, uint64_t> maps; // MAP records by their hash: the chunk's offset

  uint64_t function_count(uint8_t mark) const;
  Json json() const; // for the END chunk
};

} // namespace nophook
