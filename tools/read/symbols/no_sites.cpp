// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tries the known causes, from the most specific one on.

#include "read/symbols/no_sites.h"

#include "read/symbols/site_guard.h"

#include <nophook/site.h>

namespace nophook {

namespace {

bool has_section(const ElfImage &image, const char *wanted) {
  auto sections = image.elf().sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return false;
  }
  for (const auto &section : *sections) {
    auto name = image.elf().getSectionName(section);
    if (name && *name == wanted)
      return true;
    llvm::consumeError(name.takeError());
  }
  return false;
}

} // namespace

std::string no_sites_reason(const ElfImage &image, const SiteTable &table) {
  if (image.type() == llvm::ELF::ET_REL)
    return "is an object that has not been linked yet";
  if (!table.has_note &&
      (has_section(image, NOPHOOK_REL_SECTION) || has_section(image, NOPHOOK_MCOUNT_SECTION) ||
       has_section(image, NOPHOOK_PFE_SECTION))) {
    const std::string cause = lost_tables_cause(image, table);
    return "has sites, but " + (cause.empty() ? "was linked without nophook_module.o" : cause);
  }
  // A cause that is more than a missing part of the link.
  if (const SiteGuard guard = guard_sites(image, table); table.has_note && !guard.cause.empty())
    return guard.text();
  if (table.has_note)
    return "no traceable functions: compile with `nophook cc`, or by hand with "
           "-fplugin=NophookPass.so, link with -Wl,-T,ftrace.lds";
  return "no traceable functions: compile and link with `nophook cc`, or by hand with "
         "-fplugin=NophookPass.so, -Wl,-T,ftrace.lds and nophook_module.o";
}

} // namespace nophook
