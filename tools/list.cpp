// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook list: the traceable functions of a binary, without running it; with --calls, the
// functions of libraries that it calls.
//
// One line for each site, ascending by address: address, how function_graph traces it, name
// with parameters. Identical functions that the linker has folded are one site, one line.

#include "foundation/counted.h"
#include "foundation/file.h"
#include "foundation/json.h"
#include "foundation/options.h"
#include "foundation/output.h"
#include "foundation/terminal.h"
#include "read/symbols/import_calls.h"
#include "read/symbols/name_style.h"
#include "read/symbols/no_sites.h"
#include "read/symbols/prototypes.h"
#include "read/symbols/site_guard.h"
#include "read/symbols/site_table.h"
#include "read/symbols/symbol_table.h"
#include "show/print/colours.h"
#include "verbs.h"

namespace nophook {

namespace {

struct Totals {
  uint64_t through = 0, copy = 0, entry_only = 0;

  void add(const Site &site) {
    (site.how == NOPHOOK_CALL_THROUGH ? through
     : site.how == NOPHOOK_CALL_COPY  ? copy
                                      : entry_only)++;
  }
  std::string text() const {
    return fmt::format("{}: {} call-through, {} call-through with a copy of stack arguments, {} "
                       "entry only",
                       counted(through + copy + entry_only, "function"), through, copy, entry_only);
  }
  Json json() const {
    return {{"functions", through + copy + entry_only},
            {"call_through", through},
            {"call_through_copy", copy},
            {"entry_only", entry_only}};
  }
};

// Numbers of parameters that --args prints: all, those with a known type, those with a known place.
struct ParameterTotals {
  uint64_t all = 0, typed = 0, placed = 0;

  void add(const Prototype &prototype) {
    for (const PlacedValue &parameter : prototype.parameters) {
      all++;
      typed += parameter.type != nullptr;
      placed += NOPHOOK_PLACE_WHERE(parameter.place) != NOPHOOK_PLACE_UNKNOWN;
    }
  }
  std::string text() const {
    return fmt::format("{}: {} % with a type, {} % with a place at the entry",
                       counted(all, "parameter"), percent(typed), percent(placed));
  }

private:
  uint64_t percent(uint64_t part) const { return all ? part * 100 / all : 100; }
};

Json site_json(const Site &site, const std::string &name) {
  static constexpr const char *kHow[] = {"entry_only", "call_through", "call_through_copy"};
  Json line = {{"function", name}, {"site", site.address}, {"how", kHow[site.how]}};
  if (site.how == NOPHOOK_CALL_COPY)
    line.add("stack_bytes", site.stack_bytes);
  if (site.how == NOPHOOK_CALL_ENTRY_ONLY)
    line.add("reason", reason_text(site));
  return line;
}

Json value_json(const PlacedValue &value, uint32_t processor) {
  Json json = Json::object();
  if (!value.name.empty())
    json.add("name", printable(value.name));
  if (value.type) {
    json.add("type", printable(value.type->name));
    json.add("kind", kind_text(*value.type));
    json.add("bytes", value.type->bytes);
  }
  json.add("place", place_text(value, processor));
  if (NOPHOOK_PLACE_FLAGS(value.place) & NOPHOOK_PLACE_UNUSED)
    json.add("unused", true);
  return json;
}

void add_prototype(const Prototype &prototype, uint32_t processor, Json *line) {
  line->add("convention", convention_text(prototype));
  for (const PrototypeFlag &flag : kPrototypeFlags)
    if (prototype.flags & flag.bit)
      line->add(flag.name, true);
  if (prototype.result.type)
    line->add("result", value_json(prototype.result, processor));
  Json parameters = Json::list();
  for (const PlacedValue &parameter : prototype.parameters)
    parameters.push(value_json(parameter, processor));
  line->add("parameters", parameters);
}

Json import_json(const Import &import, const LibraryCall &call, const std::string &name) {
  static constexpr const char *kHow[] = {"call_through", "call_through_copy", "entry_only",
                                         "jumped_to", "not_traced"};
  Json line = {{"function", name},
               {"slot", import.slot},
               {"table", import.is_plt ? "plt" : "got"},
               {"resolved", import.at_load ? "at_load" : "by_first_call"},
               {"read_only", import.read_only},
               {"how", kHow[call.how]}};
  if (call.how == LibraryCall::kCopy)
    line.add("stack_bytes", call.stack_bytes);
  if (!call.reason.empty())
    line.add("reason", call.reason);
  if (!import.library.empty())
    line.add("library", printable(import.library));
  if (!import.version.empty())
    line.add("version", printable(import.version));
  if (import.is_weak)
    line.add("weak", true);
  return line;
}

// The output of --calls: a line for each slot.
Result<int> list_calls(const ElfImage &image, const DescriptorTables &descriptors, NameStyle style,
                       bool json, bool summary, Output *output, std::optional<Pager> *pager) {
  const Imports imports = read_imports(image);
  const std::vector<LibraryCall> calls = library_calls(image, descriptors, imports);
  uint64_t plt = 0, through = 0, not_traced = 0;
  for (size_t i = 0; i < calls.size(); i++) {
    const Import &import = imports.functions[i];
    const LibraryCall &call = calls[i];
    plt += import.is_plt;
    through += call.how == LibraryCall::kThrough || call.how == LibraryCall::kCopy;
    not_traced += call.how == LibraryCall::kNotTraced;
    if (summary || output->closed())
      continue;
    const std::string name =
        style == NameStyle::kFull ? full_name(import.name) : styled_name(import.name, style);
    output->line(json ? import_json(import, call, name).text()
                      : fmt::format("{:016x}  {:<36}  {:<36}  {}", import.slot, how_text(call),
                                    slot_text(import), import_name(import, name)));
  }
  const uint64_t all = calls.size(), entry_only = all - through - not_traced;
  const std::string totals =
      fmt::format("{} of libraries: {} by the PLT, {} by the GOT alone; {} call-through, {} entry "
                  "only, {} not traced",
                  counted(all, "function"), plt, all - plt, through, entry_only, not_traced);
  if (summary)
    output->line(json ? Json{{"functions", all},
                             {"plt", plt},
                             {"got", all - plt},
                             {"call_through", through},
                             {"entry_only", entry_only},
                             {"not_traced", not_traced}}
                            .text()
                      : totals);
  NOPHOOK_TRY(output->flush());
  pager->reset();
  if (!summary && !json)
    fmt::print(stderr, "{}\n", totals);
  if (!imports.damage.empty())
    return error_at(image.path(), imports.damage);
  return kExitOk;
}

} // namespace

Result<int> list_verb(const Arguments &arguments) {
  std::string path;
  bool json = false, summary = false, args = false, calls = false, no_pager = false;
  NamesOption names;
  const VerbOptions verb = {
      "nophook list",
      "Lists the traceable functions of an executable or shared library, ascending by address: the "
      "site's\naddress, how function_graph traces the function, its name. The totals go to "
      "standard error.",
      {{"BINARY", &path, "the file", {.required = true}},
       {"--json", &json, "one JSON object a line"},
       {"--args", &args, "add the types and names of arguments; in JSON, also their places"},
       {"--calls",
        &calls,
        "the functions of libraries that the file calls, each with its slot",
        {.excludes = "--args"}},
       names.row(),
       {"--no-pager", &no_pager, "on a terminal, print without a pager"},
       {"--summary", &summary, "only the totals, to standard output", {.excludes = "--args"}}}};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;

  auto image = ElfImage::open(path);
  NOPHOOK_TRY(image);
  DescriptorTables descriptors = find_descriptors(*image);
  SiteTable table = read_sites(*image, descriptors);
  if (table.sites.empty() && table.damage.empty() && !table.bad_entries)
    return error_at(path, no_sites_reason(*image, table));

  const Terminal terminal = Terminal::of_stdout();
  const NameStyle style = names.style(terminal.is_terminal && !json);
  std::optional<Pager> pager(std::in_place, terminal, !no_pager && !summary);
  Output output;
  if (!json)
    show_on(output, terminal);
  if (calls)
    return list_calls(*image, descriptors, style, json, summary, &output, &pager);

  Prototypes prototypes = args ? Prototypes(descriptors) : Prototypes();
  SymbolTable symbols = summary ? SymbolTable() : SymbolTable::of(*image);
  Totals totals;
  ParameterTotals parameters;
  for (const Site &site : table.sites) {
    totals.add(site);
    if (summary || output.closed())
      continue;
    const Symbol *symbol = symbols.at_site(site.address);
    std::string name =
        symbol ? (style == NameStyle::kFull ? full_name(symbol->name)
                                            : styled_name(symbol->name, style))
               : fmt::format("{}+{:#x}", printable(path.substr(path.rfind('/') + 1)), site.address);
    const Prototype *prototype = prototypes.find(site.prototype);
    if (prototype)
      parameters.add(*prototype);
    if (json) {
      Json line = site_json(site, name);
      if (prototype)
        add_prototype(*prototype, image->machine(), &line);
      output.line(line.text());
      continue;
    }
    if (prototype)
      output.line("{:016x}  {:<36}  {}", site.address, how_text(site),
                  declaration(*prototype, symbol ? styled_name(symbol->name, style) : name));
    else
      output.line("{:016x}  {:<36}  {}", site.address, how_text(site), name);
  }
  if (summary)
    output.line(json ? totals.json().text() : totals.text());
  NOPHOOK_TRY(output.flush());
  pager.reset();
  if (!summary && !json)
    fmt::print(stderr, "{}\n{}", totals.text(), args ? parameters.text() + "\n" : "");
  if (const SiteGuard guard = guard_sites(*image, table); !guard.is_good())
    fmt::print(stderr, "nophook: warning: {}: {}\n", printable(path), printable(guard.text()));
  if (table.bad_entries)
    return Error{path, "table of sites",
                 fmt::format("{} of {} entries point at no site", table.bad_entries,
                             table.sites.size() + table.bad_entries)};
  for (const std::string &damage : {table.damage, prototypes.damage()})
    if (!damage.empty())
      return error_at(path, damage);
  return kExitOk;
}

} // namespace nophook
