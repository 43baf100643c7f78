// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook export: the functions of a binary for other tracers, and recordings in the formats of
// other tools (show/formats/table.h).
//
// perf, trace-cmd and bpftrace share the kernel's uprobe_events: probes that are defined there are
// events of the group nophook in all of them. A probe is not at the function's begin but behind its
// site. The kernel puts a breakpoint there, and our runtime refuses a site whose bytes are not a
// NOP, as the kernel refuses ours. So both may be on at once. The stack behind the site is still as
// the caller has left it, which probes of returns need. Since Linux 6.18 a probe on the site itself
// is a call instead of a trap, but then only one of the two has the function; the user chooses.

#include "foundation/file.h"
#include "foundation/options.h"
#include "foundation/output.h"
#include "read/select/selection_options.h"
#include "read/symbols/name_index.h"
#include "read/symbols/no_sites.h"
#include "read/symbols/site_table.h"
#include "read/symbols/symbol_table.h"
#include "show/formats/write_events.h"
#include "verbs.h"

#include <filesystem>
#include <nophook/site.h>
#include <set>
#include <span>

namespace nophook {

namespace {

constexpr size_t kMostName = 50; // the kernel's MAX_EVENT_NAME_LEN is 64, and a suffix may follow

// The name with letters, digits and underscores only, as the kernel requires.
std::string event_name(const std::string &function) {
  std::string name;
  for (char c : function)
    if (std::isalnum((unsigned char)c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  if (name.empty() || std::isdigit((unsigned char)name[0]))
    name = "f_" + name;
  return name.substr(0, kMostName);
}

std::optional<uint64_t> file_offset(const ElfImage &image, uint64_t address) {
  for (const auto &p : image.segments())
    if (p.p_type == llvm::ELF::PT_LOAD && address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz)
      return p.p_offset + (address - p.p_vaddr);
  return std::nullopt;
}

// The addresses of the sites of the functions that the user has named.
std::set<uint64_t> meant_sites(const ElfImage &image, const std::vector<std::string> &typed) {
  NameIndex names;
  names.add(image);
  std::set<uint64_t> sites;
  for (const std::string &name : typed)
    for (const NameIndex::Function *function : names.find(name).functions)
      sites.insert(function->site);
  return sites;
}

struct Probes {
  bool returns = false;
  bool at_site = false;
};

Result<int> print_probes(const std::string &path, const Probes &probes,
                         const std::vector<std::string> &globs) {
  auto image = ElfImage::open(path);
  NOPHOOK_TRY(image);
  std::string file = std::filesystem::absolute(path).lexically_normal().string();
  if (printable(file) != file || file.find_first_of(" \t:#") != std::string::npos)
    return error_at(path, "uprobe_events takes no path with spaces, colons or control characters");
  SiteTable table = read_sites(*image);
  if (table.sites.empty())
    return error_at(path, no_sites_reason(*image, table));
  SymbolTable symbols = SymbolTable::of(*image);
  const std::set<uint64_t> wanted = meant_sites(*image, globs);
  std::set<std::string> used;
  Output output;
  for (const Site &site : table.sites) {
    const Symbol *symbol = symbols.at_site(site.address);
    auto offset = file_offset(*image, site.address + (probes.at_site ? 0 : NOPHOOK_SITE_BYTES));
    if (!symbol || !offset || (!globs.empty() && !wanted.contains(site.address)))
      continue;
    std::string first = event_name(short_name(symbol->name)), name = first;
    for (unsigned number = 1; !used.insert(name).second; number++)
      name = fmt::format("{}_{}", first, number);
    output.line("p:nophook/{} {}:{:#x}", name, file, *offset);
    if (probes.returns && site.how == NOPHOOK_CALL_ENTRY_ONLY)
      output.line("# {}: no probe of its return: {}", name, how_text(site));
    else if (probes.returns)
      output.line("r:nophook/{}__return {}:{:#x}", name, file, *offset);
  }
  NOPHOOK_TRY(output.flush());
  if (used.empty())
    return error_at(path, "none of its functions matches");
  return kExitOk;
}

} // namespace

Result<int> export_verb(const Arguments &arguments) {
  std::string path, format, output;
  NamesOption names;
  const std::string footer = "Formats:\n" + format_help();
  Probes probes;
  bool prints_probes = false, uncompressed = false;
  Selection selection;
  VerbOptions verb = {
      "nophook export",
      "Prints probes of the traceable functions of an executable or shared library for other "
      "tracers, or writes a recording in another format.",
      {{"BINARY|PATH", &path, "the file; the default of a recording is nophook.data"},
       {"--uprobes", &prints_probes, "print probes of BINARY, for the kernel's uprobe_events"},
       {"--format",
        &format,
        "write a recording in this format",
        {.type = "FORMAT", .offered = format_names(" "), .excludes = "--uprobes"}},
       {"-o,--output",
        &output,
        "the file to write; the default of lines is standard output, of a file trace.EXTENSION",
        {.needs = "--format"}},
       {"--names",
        &names.said,
        "how names are written: short (the default of formats that people look at), full, or "
        "linked",
        {.type = "STYLE", .allowed = "short full linked", .needs = "--format"}},
       {"--uncompressed",
        &uncompressed,
        "write trace.dat as version 6, which trace-cmd before 3.0 reads, too: 8 times as large",
        {.needs = "--format"}},
       {"--returns",
        &probes.returns,
        "also print probes where functions return",
        {.needs = "--uprobes"}},
       {"--at-site",
        &probes.at_site,
        "put probes on the sites, not behind them: cheaper since Linux 6.18, but nophook does not "
        "trace a function with such a probe",
        {.needs = "--uprobes"}}},
      footer.c_str()};
  const size_t own = verb.options.size();
  add_selection_options(&verb, &selection);
  for (VerbOption &row : std::span(verb.options).subspan(own))
    if (row.target != OptionTarget(&selection.functions)) // chooses probes, too
      row.rules.needs = "--format";
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;
  NOPHOOK_TRY(read_times("export", &selection));
  if (!format.empty()) {
    auto row = find_format(format);
    NOPHOOK_TRY(row);
    if (uncompressed && format != "trace.dat")
      return Error{"export", "--uncompressed", "is for trace.dat: no other format is compressed",
                   kExitUsage};
    NOPHOOK_TRY(export_recording(path.empty() ? "nophook.data" : path, **row, output, names,
                                 uncompressed, selection));
    return kExitOk;
  }
  if (!prints_probes || path.empty())
    return Error{"export", "",
                 "BINARY --uprobes or --format FORMAT is expected (see nophook export --help)",
                 kExitUsage};
  return print_probes(path, probes, selection.functions);
}

} // namespace nophook
