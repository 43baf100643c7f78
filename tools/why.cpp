// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nophook why: explains how one function is traced. If it is not, or only its entry, the command
// gives the reason and the remedy. A call may be missing in a trace for many reasons, which look
// the same there. The binary, its debug info and its libraries distinguish them.

#include "foundation/counted.h"
#include "foundation/json.h"
#include "foundation/options.h"
#include "foundation/output.h"
#include "process/launch/libraries.h"
#include "read/symbols/debug_functions.h"
#include "read/symbols/debug_gaps.h"
#include "read/symbols/name_index.h"
#include "read/symbols/no_sites.h"
#include "read/symbols/site_guard.h"
#include "read/symbols/symbol_table.h"
#include "verbs.h"

#include <map>
#include <set>

namespace nophook {

namespace {

// The remedy for a function without a descriptor. Debug info shows which steps were already taken.
std::string advice_without_descriptor(const UnitDebug &debug) {
  if (debug.kind == UnitDebug::Kind::kSplit && debug.is_gnu)
    return fmt::format("compile without -gsplit-dwarf: recordmcount does not read {}",
                       debug.split_file);
  const char *first = "";
  if (debug.kind == UnitDebug::Kind::kLines)
    first = "with -g instead of -g1, and ";
  const char *last = "";
  if (debug.kind == UnitDebug::Kind::kNone) {
    first = "with -g, and ";
    last = " and gcc's -gsplit-dwarf, whose .dwo files are not read";
  }
  return fmt::format("compile {}without descriptors=off{}; keep a file of separate descriptors in "
                     "reach",
                     first, last);
}

// The remedy for a function with entry events only, by enum nophook_call_reason.
std::string advice(const ElfImage &image, const Site &site) {
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
    return advice_without_descriptor(unit_debug_at(image, site.address));
  case NOPHOOK_REASON_AFTER_PROLOGUE:
    return "compile with -mfentry";
  default:
    return "compile it with clang and the plugin, or with -g";
  }
}

// The explanation of one function.
struct Answer {
  std::string name;
  bool traceable = false;
  bool is_ifunc = false; // nothing is traceable by this name
  std::string text;      // the reason why not, or the tracers
  std::string how;       // how a traceable function is traced, in the words of `list`
  std::string to_do;
  std::string shown_as;
  uint64_t site = 0;
  std::vector<std::string> inlined_into = {}; // a function for each place

  void print(Output &output) const;
  void print_json(Output &output) const;
};

std::set<std::string> distinct(const std::vector<std::string> &names) {
  return {names.begin(), names.end()};
}

void Answer::print(Output &output) const {
  output.line("{}: {}traceable{}: {}", name, traceable ? "" : "not ",
              is_ifunc ? " by this name" : "", text);
  if (!how.empty())
    output.line("  {}, site {:#x}", how, site);
  if (!to_do.empty())
    output.line("  to do: {}", to_do);
  if (!shown_as.empty())
    output.line("  shown as {}: identical code, or another name", shown_as);
  if (inlined_into.empty())
    return;
  const std::set<std::string> callers = distinct(inlined_into);
  std::string list;
  size_t count = 0;
  for (auto at = callers.begin(); at != callers.end() && count < 5; ++at, count++)
    list += (count ? ", " : "") + *at;
  output.line("  inlined in {}, where it has no events: {}{}",
              counted(inlined_into.size(), "place"), list, callers.size() > count ? ", ..." : "");
  output.line("  to do: __attribute__((noinline)), or trace these instead");
}

void Answer::print_json(Output &output) const {
  Json line = {{"function", name}, {"traceable", traceable}, {"text", text}};
  if (!how.empty())
    line.add("how", how).add("site", site);
  if (!to_do.empty())
    line.add("to_do", to_do);
  if (!shown_as.empty())
    line.add("shown_as", shown_as);
  if (!inlined_into.empty()) {
    Json callers = Json::list();
    for (const std::string &caller : distinct(inlined_into))
      callers.push(caller);
    line.add("inlined_places", (uint64_t)inlined_into.size()).add("inlined_in", callers);
  }
  output.line(line.text());
}

class Explanation {
public:
  Explanation(const ElfImage &image, std::string wanted)
      : image_(image), sites_(read_sites(image)), symbols_(SymbolTable::of(image)),
        wanted_(std::move(wanted)), typed_(wanted_) {}

  const std::vector<Answer> &answers() const { return answers_; }

  // Fills the answers. False: there is no such function.
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
        if (!means(std::string(symbol.name).c_str()) ||
            symbol.name.find(".cold") != std::string_view::npos) // part of another function
          continue;
        // Copies that gcc makes (helper.isra.0) have the debug info of the original.
        const std::string name = full_name(symbol.name);
        const std::string source = full_name(FunctionNames(symbol.name).base);
        auto known = by_name.contains(name) ? by_name.find(name) : by_name.find(source);
        explain(symbol, name, known != by_name.end() ? known->second : nullptr);
        explained.insert({name, source});
      }
      for (const DebugFunction &function : debug)
        if (!explained.count(function.name) && !explain_imported(function.name))
          explain_gone(function);
      if (!explained.empty() || !debug.empty() || (!loosely && explain_imported(wanted_)))
        return true;
    }
    return false;
  }

  // Names that are similar to the wanted one, the most similar first.
  std::string suggestions() const {
    std::vector<std::string> names;
    for (const Symbol &symbol : symbols_.all_names())
      names.push_back(short_name(symbol.name));
    return nearest_names(names, wanted_);
  }

private:
  // Whether the user means the function. If loosely_ is set, namespaces may be missing.
  bool means(const char *linked) const {
    Means how = typed_.means(FunctionNames(linked));
    return how == Means::kName || (how == Means::kScopes && loosely_);
  }

  void explain(const Symbol &symbol, const std::string &name, const DebugFunction *debug) {
    auto site = std::ranges::find_if(sites_.sites, [&](const Site &s) {
      // A landing pad is assumed if the size is unknown.
      return s.address - symbol.address < (symbol.bytes ? symbol.bytes : 5);
    });
    Answer &answer = answers_.emplace_back();
    answer.name = name;
    if (symbol.is_ifunc) {
      const Symbol *resolver = symbols_.covering(symbol.address);
      answer.is_ifunc = true;
      answer.text = fmt::format("it is an ifunc, which stands for the function that {} "
                                "returns when the program is loaded. To do: trace that function",
                                resolver && !resolver->is_ifunc ? short_name(resolver->name)
                                                                : "its resolver");
    } else if (site == sites_.sites.end()) {
      answer.text = reason(symbol, debug);
    } else {
      const bool entry_only = site->how == NOPHOOK_CALL_ENTRY_ONLY;
      answer.traceable = true;
      answer.text = entry_only ? "function whole, function_graph without exits and durations"
                               : "function and function_graph";
      answer.how = how_text(*site);
      answer.site = site->address;
      if (entry_only)
        answer.to_do = advice(image_, *site);
      const Symbol *shown = symbols_.at_site(site->address);
      if (shown && shown->name != symbol.name)
        answer.shown_as = short_name(shown->name);
    }
    if (debug)
      answer.inlined_into = debug->inlined_into;
  }

  std::string reason(const Symbol &symbol, const DebugFunction *debug) const {
    if (sites_.sites.empty())
      return no_sites_reason(image_, sites_);
    if (std::string lost = lost_site_reason(image_, sites_, symbol.address); !lost.empty())
      return lost;
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

  // Explains a function that is in the debug info but has no code of its own.
  void explain_gone(const DebugFunction &function) {
    Answer &answer = answers_.emplace_back();
    answer.name = function.name;
    answer.inlined_into = function.inlined_into;
    answer.text = !function.inlined_into.empty()
                      ? "all its calls are inlined"
                      : fmt::format("it has no code: it is never called, and the compiler or the "
                                    "linker has removed it (it is in {})",
                                    function.unit);
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
        Answer &answer = answers_.emplace_back();
        answer.name = name;
        answer.traceable = has_site;
        answer.text =
            fmt::format("it is in {}, {}", printable(library.path()),
                        has_site              ? "see nophook why there"
                        : sites.sites.empty() ? "which has " + no_sites_reason(library, sites)
                                              : "which has no site for it");
        return true;
      }
      return false;
    });
  }

  const ElfImage &image_;
  SiteTable sites_;
  SymbolTable symbols_;
  std::string wanted_;
  TypedName typed_;
  bool loosely_ = false;
  std::vector<Answer> answers_;
};

} // namespace

Result<int> why_verb(const Arguments &arguments) {
  std::string function, path;
  bool json = false;
  const VerbOptions verb = {
      "nophook why",
      "Explains why a function cannot be traced, or only its entry, and what to do about it.",
      {{"FUNCTION", &function, "its name, with or without parameters", {.required = true}},
       {"BINARY", &path, "the executable or shared library", {.required = true}},
       {"--json", &json, "one JSON object a line"}}};
  auto go_on = parse(verb, arguments);
  NOPHOOK_TRY(go_on);
  if (!*go_on)
    return kExitOk;

  swap_if_reversed(&function, &path);
  auto image = ElfImage::open(path);
  NOPHOOK_TRY(image);
  Output output;
  Explanation explanation(*image, function);
  if (explanation.explain()) {
    for (const Answer &answer : explanation.answers())
      json ? answer.print_json(output) : answer.print(output);
    NOPHOOK_TRY(output.flush());
    return kExitOk;
  }
  std::string similar = explanation.suggestions();
  std::string unread = unread_debug_info(*image);
  return error_at(path, fmt::format("has no function '{}'{}{}{}{}", function,
                                    similar.empty() ? "" : ", but ", similar,
                                    unread.empty() ? "" : "; ", unread));
}

} // namespace nophook
