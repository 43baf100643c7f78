// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook list: the traceable functions of a binary, without running it.
//
// One line for each site, ascending by address: address, how function_graph traces it, name
// with parameters. Identical functions that the linker has folded are one site, one line.

#include "base/counted.h"
#include "base/file.h"
#include "base/output.h"
#include "symbols/no_sites.h"
#include "symbols/prototypes.h"
#include "symbols/site_table.h"
#include "symbols/symbol_table.h"
#include "verbs.h"

#include <nlohmann/json.hpp>

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
  nlohmann::ordered_json json() const {
    return {{"functions", through + copy + entry_only},
            {"call_through", through},
            {"call_through_copy", copy},
            {"entry_only", entry_only}};
  }
};

nlohmann::ordered_json site_json(const Site &site, const std::string &name) {
  static constexpr const char *kHow[] = {"entry_only", "call_through", "call_through_copy"};
  nlohmann::ordered_json line = {
      {"function", name}, {"site", site.address}, {"how", kHow[site.how]}};
  if (site.how == NOPHOOK_CALL_COPY)
    line["stack_bytes"] = site.stack_bytes;
  if (site.how == NOPHOOK_CALL_ENTRY_ONLY)
    line["reason"] = how_text(site).substr(sizeof("entry only: ") - 1);
  return line;
}

nlohmann::ordered_json value_json(const PlacedValue &value) {
  nlohmann::ordered_json json;
  if (!value.name.empty())
    json["name"] = printable(value.name);
  if (value.type) {
    json["type"] = printable(value.type->name);
    json["kind"] = kind_text(*value.type);
    json["bytes"] = value.type->bytes;
  }
  json["place"] = place_text(value);
  if (NOPHOOK_PLACE_FLAGS(value.place) & NOPHOOK_PLACE_UNUSED)
    json["unused"] = true;
  return json;
}

void add_prototype(const Prototype &prototype, nlohmann::ordered_json *line) {
  (*line)["convention"] = convention_text(prototype);
  for (const PrototypeFlag &flag : kPrototypeFlags)
    if (prototype.flags & flag.bit)
      (*line)[flag.name] = true;
  if (prototype.result.type)
    (*line)["result"] = value_json(prototype.result);
  (*line)["parameters"] = nlohmann::json::array();
  for (const PlacedValue &parameter : prototype.parameters)
    (*line)["parameters"].push_back(value_json(parameter));
}

} // namespace

Result<int> list_verb(const Arguments &arguments) {
  CLI::App app("Lists the traceable functions of an executable or shared library, ascending by "
               "address: the site's\naddress, how function_graph traces the function, its name. "
               "The totals go to standard error.",
               "nophook list");
  std::string path;
  bool json = false, summary = false, args = false;
  app.add_option("BINARY", path, "the file")->required();
  app.add_flag("--json", json, "one JSON object a line");
  auto *types = app.add_flag("--args", args,
                             "with the types and names of arguments; in JSON, where they are");
  app.add_flag("--summary", summary, "only the totals, to standard output")->excludes(types);
  auto go_on = parse(app, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;

  auto image = ElfImage::open(path);
  NOPHOOK_TRY(image);
  DescriptorTables descriptors = find_descriptors(*image);
  SiteTable table = read_sites(*image, descriptors);
  if (table.sites.empty() && table.damage.empty() && !table.bad_entries)
    return error_at(path, no_sites_reason(*image, table));

  Prototypes prototypes = args ? Prototypes(descriptors) : Prototypes();
  SymbolTable symbols = summary ? SymbolTable() : SymbolTable::of(*image);
  Totals totals;
  Output output;
  for (const Site &site : table.sites) {
    totals.add(site);
    if (summary || output.closed())
      continue;
    const Symbol *symbol = symbols.at_site(site.address);
    std::string name =
        symbol ? full_name(symbol->name)
               : fmt::format("{}+{:#x}", printable(path.substr(path.rfind('/') + 1)), site.address);
    const Prototype *prototype = prototypes.find(site.prototype);
    if (json) {
      nlohmann::ordered_json line = site_json(site, name);
      if (prototype)
        add_prototype(*prototype, &line);
      output.line(line.dump());
      continue;
    }
    if (prototype)
      output.line("{:016x}  {:<36}  {}", site.address, how_text(site),
                  declaration(*prototype, symbol ? short_name(symbol->name) : name));
    else
      output.line("{:016x}  {:<36}  {}", site.address, how_text(site), name);
  }
  if (summary)
    output.line(json ? totals.json().dump() : totals.text());
  NOPHOOK_TRY(output.flush());
  if (!summary && !json)
    fmt::print(stderr, "{}\n", totals.text());
  if (table.bad_entries)
    return Error{path, "__mcount_loc",
                 fmt::format("{} of {} entries point at no site", table.bad_entries,
                             table.sites.size() + table.bad_entries)};
  for (const std::string &damage : {table.damage, prototypes.damage()})
    if (!damage.empty())
      return error_at(path, damage);
  return kExitOk;
}

} // namespace nophook
