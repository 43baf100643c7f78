// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes a lock around each use of the tables of names and values.

#include "show/view/names.h"

#include "read/steps/call_values.h"

namespace nophook {

namespace {

// The module of an identity: MODULE, '\0', SYMBOL, or MODULE+0x123 for an unknown function.
std::string module_of_identity(const std::string &identity) {
  size_t end = identity.find('\0');
  return identity.substr(0, end != std::string::npos ? end : identity.find('+'));
}

// The name of `linked` in a style. `linked` is a symbol; for a call into a library, the library is
// behind it: `_Znwm [libstdc++.so.6]`. A symbol has no spaces.
std::string in_style(const std::string &linked, NameStyle style) {
  const size_t end = std::min(linked.find(" ["), linked.size());
  return styled_name(linked.substr(0, end), style) + linked.substr(end);
}

} // namespace

uint64_t ViewNames::key(uint32_t process, uint32_t id) {
  std::lock_guard guard(lock_);
  return functions_.key(process, id);
}

std::vector<ViewNames::Name> ViewNames::names(const FunctionNumbers &numbers, size_t first) {
  std::vector<FunctionNumbers::Function> all = numbers.all();
  std::vector<Name> names;
  std::lock_guard guard(lock_);
  for (size_t i = first; i < all.size(); i++) {
    const std::string &linked = functions_.name(all[i].process, all[i].id);
    std::string identity = functions_.identity_of_key(functions_.key(all[i].process, all[i].id));
    names.push_back({in_style(linked, NameStyle::kShort), in_style(linked, NameStyle::kFull),
                     module_of_identity(identity)});
  }
  return names;
}

std::string ViewNames::source(const FunctionNumbers::Function &function) {
  std::lock_guard guard(lock_);
  const SourceLine &line = functions_.source_of_key(functions_.key(function.process, function.id));
  return line.file.empty() ? "" : fmt::format("{}:{}", printable(line.file), line.line);
}

std::vector<std::string> ViewNames::arguments(uint32_t process, const Step &step) {
  std::lock_guard guard(lock_);
  std::vector<std::string> texts;
  for (const NamedValue &value :
       argument_values(functions_.prototype(process, step.id), step.arguments))
    texts.push_back(value.name.empty() ? value.text : value.name + "=" + value.text);
  return texts;
}

std::string ViewNames::result(uint32_t process, const Step &step) {
  std::lock_guard guard(lock_);
  std::string text;
  if (auto value = result_value(functions_.prototype(process, step.id), step.result))
    text = value->text;
  if (std::string counters = counter_list(counter_growth(step.result)); !counters.empty())
    text += (text.empty() ? "" : ", ") + counters;
  return text;
}

std::vector<std::string> ViewNames::notes() {
  std::lock_guard guard(lock_);
  return functions_.notes();
}

} // namespace nophook
