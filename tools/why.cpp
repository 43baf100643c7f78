// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook why: explains how one function is traced. If it is not, or only its entry, the command
// gives the reason and the remedy. A call may be missing in a trace for many reasons, which look
// the same there. The binary, its debug info and its libraries distinguish them.

#include "base/counted.h"
#include "base/options.h"
#include "base/output.h"
#include "launch/libraries.h"
#include "symbols/debug_functions.h"
#include "symbols/name_index.h"
#include "symbols/no_sites.h"
#include "symbols/symbol_table.h"
#include "verbs.h"

#include <map>
#include <set>

namespace nophook {

namespace {

// What there is to do about a function with entry events only, by enum nophook_call_reason.
const char *advice(const Site &site) {
  switch (site.reason) {
  case NOPHOOK_REASON_VARIADIC:
    return "let it call a function with a va_list, which has an exit";
  case NOPHOOK_REASON_CALLEE_POPS:
  case NOPHOOK_REASON_CONVENTION:
    return "only another calling convention would help";
  case NOPHOOK_REASON_RETURNS_TWICE:
    return "nothing: it returns through a frame that no longer exists";
  case NOPHOOK_REASON_RETURN_ADDRESS:
    return "remove __builtin_return_address(), and code that reads its caller's frames";
  case NOPHOOK_REASON_STACK_SIZE:
    return "pass the large object by reference";
  case NOPHOOK_REASON_NO_DESCRIPTOR:
    return "compile with -g, and without descriptors=off; if debug info is split off, keep the "
           "file in reach";
  case NOPHOOK_REASON_AFTER_PROLOGUE:
    return "compile with -mfentry";
  default:
    return "compile it with clang and the plugin, or with -g";
  }
}

class Explanation {
public:
  Explanation(Output &output, const ElfImage &image, std::string wanted)
      : output_(output), image_(image), sites_(read_sites(image)), symbols_(SymbolTable::of(image)),
        wanted_(std::move(wanted)), typed_(wanted_) {}

  // False: there is no such function.
  bool explain() {
    for (bool loosely : {false, true}) {
      loosely_ = loosely;
      auto means = [this](const char *name) { return this->means(name); };
      std::vector<DebugFunction> debug = find_debug_functions(image_, means);
      std::map<std::string, const DebugFunction *> by_name;
      for (const DebugFunction &function : debug)
        by_name[function.name] = &function;
      std::set<std::string> explained;
      for (const Symbol &symbol : symbols_.all_names()) {
        if (!means(std::string(symbol.name).c_str()))
          continue;
        std::string name = full_name(symbol.name);
        auto known = by_name.find(name);
        explain(symbol, name, known != by_name.end() ? known->second : nullptr);
        explained.insert(name);
      }
      for (const DebugFunction &function : debug)
        if (!explained.count(function.name) && !explain_imported(function.name))
          explain_gone(function);
      if (!explained.empty() || !debug.empty() || (!loosely && explain_imported(wanted_)))
        return true;
    }
    return false;
  }

  // Names that are like it, the most similar first.
  std::string suggestions() const {
    std::vector<std::string> names;
    for (const Symbol &symbol : symbols_.all_names())
      names.push_back(short_name(symbol.name));
    return nearest_names(names, wanted_);
  }

private:
  // Loosely: without namespaces.
  bool means(const char *linked) const {
    Means how = typed_.means(FunctionNames(linked));
    return how == Means::kName || (how == Means::kScopes && loosely_);
  }

  void explain(const Symbol &symbol, const std::string &name, const DebugFunction *debug) {
    auto site = std::ranges::find_if(sites_.sites, [&](const Site &s) {
      // A landing pad is assumed if the size is unknown.
      return s.address - symbol.address < (symbol.bytes ? symbol.bytes : 5);
    });
    if (symbol.is_ifunc) {
      const Symbol *resolver = symbols_.covering(symbol.address);
      output_.line(
          "{}: not traceable by this name: it is an ifunc, which stands for the function that {} "
          "returns when the program is loaded. To do: trace that function",
          name, resolver && !resolver->is_ifunc ? short_name(resolver->name) : "its resolver");
    } else if (site == sites_.sites.end()) {
      output_.line("{}: not traceable: {}", name, reason(debug));
    } else {
      bool entry_only = site->how == NOPHOOK_CALL_ENTRY_ONLY;
      output_.line("{}: traceable: {}", name,
                   entry_only ? "function whole, function_graph without exits and durations"
                              : "function and function_graph");
      output_.line("  {}, site {:#x}", how_text(*site), site->address);
      if (entry_only)
        output_.line("  to do: {}", advice(*site));
      const Symbol *shown = symbols_.at_site(site->address);
      if (shown && shown->name != symbol.name)
        output_.line("  shown as {}: identical code, or another name", short_name(shown->name));
    }
    if (debug)
      inlined(*debug);
  }

  std::string reason(const DebugFunction *debug) const {
    if (sites_.sites.empty())
      return no_sites_reason(image_, sites_);
    if (!debug)
      return "it has no site. To do: compile its file with the plugin; if it is, remove "
             "notrace, no_instrument_function or the option that excludes it";
    bool any = std::ranges::any_of(debug->unit_code, [&](uint64_t address) {
      return std::ranges::any_of(sites_.sites,
                                 [&](const Site &s) { return s.address - address <= 4; });
    });
    if (any)
      return fmt::format("it was left out when {} was compiled. To do: remove notrace, "
                         "no_instrument_function or naked, or the plugin's min-size, include, "
                         "exclude or only-exported",
                         debug->unit);
    return fmt::format(
        "{} was compiled without the plugin, or the linker left out its table. To do: "
        "compile it with -fplugin=NophookPass.so",
        debug->unit);
  }

  void inlined(const DebugFunction &function) {
    if (function.inlined_into.empty())
      return;
    std::set<std::string> callers(function.inlined_into.begin(), function.inlined_into.end());
    std::string list;
    size_t count = 0;
    for (auto at = callers.begin(); at != callers.end() && count < 5; ++at, count++)
      list += (count ? ", " : "") + *at;
    output_.line("  inlined in {}, where it has no events: {}{}",
                 counted(function.inlined_into.size(), "place"), list,
                 callers.size() > count ? ", ..." : "");
    output_.line("  to do: __attribute__((noinline)), or trace these instead");
  }

  // Debug info knows it, but it has no code of its own.
  void explain_gone(const DebugFunction &function) {
    if (!function.inlined_into.empty()) {
      output_.line("{}: not traceable: all its calls are inlined", function.name);
      return inlined(function);
    }
    output_.line("{}: not traceable: it has no code: it is never called, and the compiler or the "
                 "linker has removed it (it is in {})",
                 function.name, function.unit);
  }

  // Explains a function of a library that the program needs.
  bool explain_imported(const std::string &name) {
    return any_library(image_, [&](const ElfImage &library) {
      SymbolTable symbols = SymbolTable::of(library);
      for (const Symbol &symbol : symbols.all_names()) {
        if (full_name(symbol.name) != name && !means(std::string(symbol.name).c_str()))
          continue;
        SiteTable sites = read_sites(library);
        bool has_site = std::ranges::any_of(sites.sites, [&](const Site &s) {
          // A landing pad is assumed if the size is unknown.
          return s.address - symbol.address < (symbol.bytes ? symbol.bytes : 5);
        });
        output_.line("{}: {}: it is in {}, {}", name, has_site ? "traceable" : "not traceable",
                     printable(library.path()),
                     has_site              ? "see nophook why there"
                     : sites.sites.empty() ? "which has " + no_sites_reason(library, sites)
                                           : "which has no site for it");
        return true;
      }
      return false;
    });
  }

  Output &output_;
  const ElfImage &image_;
  SiteTable sites_;
  SymbolTable symbols_;
  std::string wanted_;
  TypedName typed_;
  bool loosely_ = false;
};

} // namespace

Result<int> why_verb(const Arguments &arguments) {
  std::string function, path;
  const VerbOptions verb = {
      "nophook why",
      "Explains why a function cannot be traced, or only its entry, and what to do about it.",
      {{"FUNCTION", &function, "its name, with or without parameters", {.required = true}},
       {"BINARY", &path, "the executable or shared library", {.required = true}}}};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;

  auto image = ElfImage::open(path);
  NOPHOOK_TRY(image);
  Output output;
  Explanation explanation(output, *image, function);
  if (explanation.explain()) {
    NOPHOOK_TRY(output.flush());
    return kExitOk;
  }
  std::string similar = explanation.suggestions();
  return error_at(path, fmt::format("has no function '{}'{}{}", function,
                                    similar.empty() ? "" : ", but ", similar));
}

} // namespace nophook
