// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a file's table of sites and its text belong together.
//
// A table may be lost or go out of date without an error: another linker drops its sections, BOLT
// moves the functions and not the table, an option of the compiler takes the place of our records,
// a weak function is replaced. The program then runs as ever, and a recording lacks its functions
// without a word. So the text itself is read: each function that begins with the NOP of a site must
// be in the table, and each entry of the table must lie in a function.

#pragma once

#include "read/symbols/site_table.h"

#include <string>

namespace nophook {

struct SiteGuard {
  uint64_t without_entry = 0; // number of functions that begin with a site, and are in no table
  std::string first;          // name of one of these
  uint64_t dead = 0;          // number of entries that lead into code that never runs
  std::string cause;          // cause of these; empty: unknown

  bool is_good() const { return !without_entry && !dead; }
  // A text such as "3 functions have a site that is in no table (handle is one): the cause". Empty
  // if the table is good.
  std::string text() const;
};

// Compares both. It cannot see functions of a file without symbols, nor those of AArch64, where a
// site is like any other NOP.
SiteGuard guard_sites(const ElfImage &image, const SiteTable &table);

// The reason why a file has no note, although it has sections of tables: its linker; empty:
// unknown.
std::string lost_tables_cause(const ElfImage &image, const SiteTable &table);

// The reason why the function at this address, which has no entry in the table, has lost its site;
// empty: it had none, or the reason is unknown.
std::string lost_site_reason(const ElfImage &image, const SiteTable &table, uint64_t function);

// Prints a warning after a link about functions that are in no table. Entries that lead nowhere are
// ordinary there, where a weak function has been replaced.
void warn_of_lost_sites(const std::string &path);

} // namespace nophook
