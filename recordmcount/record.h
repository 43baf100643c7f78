// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recording of one object, from bytes to bytes.

#pragma once

#include "plan.h"

#include <optional>

namespace nophook::recordmcount {

// A site in the output for the user.
struct ListedSite {
  std::string place;    // section+0xoffset
  std::string function; // empty if there is no function at the place
};

struct Counts {
  uint64_t objects = 0, sites = 0, new_sites = 0, repaired_tables = 0;
  uint64_t described = 0, entry_only = 0; // functions with a new descriptor; those without exit
  uint64_t unnamed_nops = 0;              // functions with a site's NOP that no table has

  Counts &operator+=(const Counts &more) {
    objects += more.objects;
    sites += more.sites;
    new_sites += more.new_sites;
    repaired_tables += more.repaired_tables;
    described += more.described;
    entry_only += more.entry_only;
    unnamed_nops += more.unnamed_nops;
    return *this;
  }
};

struct Record : Counts {
  std::vector<ListedSite> list;              // if requested
  std::optional<std::vector<uint8_t>> image; // nothing: the object stays as it is
};

struct RecordOptions {
  bool keep_calls = false;
  bool descriptors = true; // from debug info
  bool list = false;
  bool verify = false;
};

// Records the sites of the object in `image`. With `verify` the new object is read again: it must
// have exactly those sites, each in its final form. Errors are as `PLACE: PROBLEM`. Any thread may
// call it: it has no state of its own.
llvm::Expected<Record> record_object(llvm::StringRef image, const RecordOptions &options);

} // namespace nophook::recordmcount
