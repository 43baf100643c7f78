// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses conditions, checks them against prototypes, and compares values.

#include "read/select/where.h"

#include "foundation/counted.h"
#include "read/steps/call_values.h"
#include "read/steps/timeline.h"
#include "read/steps/value_text.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace nophook {

namespace {

enum class Compare : uint8_t { kEqual, kNotEqual, kLess, kAtMost, kMore, kAtLeast };

struct Operator {
  const char *text;
  Compare compare;
};
constexpr Operator kOperators[] = {{"==", Compare::kEqual},  {"!=", Compare::kNotEqual},
                                   {"<=", Compare::kAtMost}, {">=", Compare::kAtLeast},
                                   {"<", Compare::kLess},    {">", Compare::kMore}};

constexpr std::string_view kReturn = "return";

struct Condition {
  std::string function, argument, value;
  bool of_result() const { return argument == kReturn; }
  Compare compare = Compare::kEqual;
  std::optional<long double> number; // the value, if it is a number
};

bool is_name(char c) {
  return std::isalnum((unsigned char)c) || c == '_';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

// The number in a text. 64-bit integers are exact in a long double of x86-64 and of AArch64.
std::optional<long double> number_of(std::string_view text) {
  const std::string copy(text);
  char *end = nullptr;
  const long double number = std::strtold(copy.c_str(), &end);
  return !copy.empty() && !*end && !std::isspace((unsigned char)copy[0]) ? std::optional(number)
                                                                         : std::nullopt;
}

// Parses a condition. A C++ name may have operators in it, as in `Store<int>::get.len > 3`: the
// first dot with a name and an operator behind it counts.
std::optional<Condition> parse(std::string_view text) {
  for (size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
    size_t end = dot + 1;
    while (end < text.size() && is_name(text[end]))
      end++;
    const std::string_view rest = trimmed(text.substr(end));
    const auto *found = std::ranges::find_if(
        kOperators, [&](const Operator &row) { return rest.starts_with(row.text); });
    if (dot == 0 || end == dot + 1 || found == std::end(kOperators))
      continue;
    const std::string_view value = trimmed(rest.substr(std::string_view(found->text).size()));
    if (value.empty())
      continue;
    return Condition{std::string(trimmed(text.substr(0, dot))),
                     std::string(text.substr(dot + 1, end - dot - 1)), std::string(value),
                     found->compare, number_of(value)};
  }
  return std::nullopt;
}

// The comparisons that the text of a type's value allows.
enum Comparable : unsigned { kNothing = 0, kNumber = 1, kText = 2 };

unsigned comparable(const Type *type) {
  switch (type ? type->kind : NOPHOOK_KIND_OPAQUE) {
  case NOPHOOK_KIND_INTEGER:
  case NOPHOOK_KIND_SIGNED:
  case NOPHOOK_KIND_UNSIGNED:
  case NOPHOOK_KIND_FLOAT:
  case NOPHOOK_KIND_BFLOAT:
  case NOPHOOK_KIND_X87:
    return kNumber;
  case NOPHOOK_KIND_CHAR:
  case NOPHOOK_KIND_C_STRING:
  case NOPHOOK_KIND_STRING:
    return kText;
  case NOPHOOK_KIND_BOOL:
  case NOPHOOK_KIND_ENUM:
  case NOPHOOK_KIND_POINTER: // its target may be shown instead
  case NOPHOOK_KIND_REFERENCE:
    return kNumber | kText;
  default:
    return kNothing;
  }
}

bool compares(Compare compare, long double is, long double wanted) {
  switch (compare) {
  case Compare::kEqual:
    return is == wanted;
  case Compare::kNotEqual:
    return is != wanted;
  case Compare::kLess:
    return is < wanted;
  case Compare::kAtMost:
    return is <= wanted;
  case Compare::kMore:
    return is > wanted;
  case Compare::kAtLeast:
    return is >= wanted;
  }
  return false;
}

bool holds(const Condition &condition, std::string_view text) {
  while (text.ends_with('?')) // not used by the function, so it may be another value
    text.remove_suffix(1);
  if (condition.number)
    if (auto is = number_of(text))
      return compares(condition.compare, *is, *condition.number);
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'');
  const bool same =
      text == condition.value || (quoted && text.substr(1, text.size() - 2) == condition.value);
  return condition.compare == Compare::kEqual      ? same
         : condition.compare == Compare::kNotEqual ? !same
                                                   : false;
}

// The linked name of a function. A copy that a compiler has made has the name of the original.
std::string linked_name(uint64_t key, Functions &functions) {
  const std::string identity = functions.identity_of_key(key);
  return printable(identity.substr(identity.find('\0') + 1));
}

// The recording's facts about the names in a condition.
struct Found {
  bool function = false, prototype = false, argument = false;
  // Functions with the argument, by its state in them.
  std::set<std::string> present, removed, unknown;
  std::vector<std::string> arguments;
  const Type *type = nullptr; // type of the argument
  std::string type_name;
};

Found find(const Condition &condition, const Recording &recording, Functions &functions) {
  Found found;
  for (const auto &[process, recorded] : recording.processes())
    for (const MapView &map : recorded.maps)
      for (uint32_t i = 0; i < map.offsets.size(); i++) {
        const uint32_t id = map.first_id + i;
        const uint64_t key = functions.key(process, id);
        if (!functions.matches(key, condition.function))
          continue;
        found.function = true;
        const Prototype *prototype = functions.prototype(process, id);
        if (!prototype)
          continue;
        found.prototype = true;
        if (condition.of_result()) {
          found.argument |= prototype->result.type != nullptr;
          if (prototype->result.type) {
            found.type = prototype->result.type;
            found.type_name = printable(found.type->name);
          }
          continue;
        }
        const PlacedValue *wanted = find_argument(*prototype, condition.argument);
        for (const PlacedValue &parameter : prototype->parameters)
          if (&parameter != wanted)
            found.arguments.push_back(
                parameter.name.empty()
                    ? fmt::format("{}", &parameter - prototype->parameters.data() + 1)
                    : printable(parameter.name));
        if (!wanted)
          continue;
        found.argument = true;
        found.type = wanted->type;
        found.type_name = wanted->type ? printable(wanted->type->name) : "";
        const uint32_t where = NOPHOOK_PLACE_WHERE(wanted->place);
        (where == NOPHOOK_PLACE_REMOVED   ? found.removed
         : where == NOPHOOK_PLACE_UNKNOWN ? found.unknown
                                          : found.present)
            .insert(linked_name(key, functions));
      }
  return found;
}

std::string with_note(std::string problem, const std::string &note) {
  return note.empty() ? problem : fmt::format("{} ({})", problem, note);
}

// The problem of a condition; empty: none.
std::string problem_of(const Condition &condition, const Recording &recording,
                       Functions &functions) {
  const Found found = find(condition, recording, functions);
  if (!found.function)
    return with_note(fmt::format("the recording has no function '{}'", condition.function),
                     functions.absence(condition.function));
  if (!found.prototype && argument_position(condition.argument))
    return ""; // a register, whose type does not matter
  if (!found.prototype)
    return fmt::format("the arguments of '{0}' are unknown: build with -g, or name a register that "
                       "has one by its position: {0}.1",
                       condition.function);
  if (!found.argument && condition.of_result())
    return fmt::format("'{}' returns nothing", condition.function);
  if (!found.argument) {
    std::vector<std::string> names = found.arguments;
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    return names.empty() ? fmt::format("'{}' has no arguments", condition.function)
                         : fmt::format("'{}' has no argument '{}' (it has: {})", condition.function,
                                       condition.argument, fmt::join(names, ", "));
  }
  if (!condition.of_result() && found.present.empty()) {
    const bool is_removed = !found.removed.empty();
    return fmt::format("'{}' of '{}' {} ({}){}", condition.argument, condition.function,
                       is_removed ? "was optimised away: its callers do not pass it"
                                  : "has no known place at the start of the function",
                       fmt::join(is_removed ? found.removed : found.unknown, ", "),
                       is_removed ? ", so no call can be judged: build with -fno-ipa-sra "
                                    "-fno-ipa-cp, or compare another argument"
                                  : ", so no call can be judged");
  }
  const unsigned may = comparable(found.type);
  const std::string is_of =
      condition.of_result()
          ? fmt::format("'{}' returns {}", condition.function, found.type_name)
          : fmt::format("'{}' is of type {}", condition.argument, found.type_name);
  if (may == kNothing)
    return is_of + ", which cannot be compared";
  if (!condition.number && !(may & kText))
    return is_of + ": compare it with a number";
  const bool is_equality =
      condition.compare == Compare::kEqual || condition.compare == Compare::kNotEqual;
  if (!is_equality && !(may & kNumber))
    return is_of + ": it can be compared by == and !=";
  if (!is_equality && !condition.number)
    return fmt::format("'{}' is no number: texts can be compared by == and !=", condition.value);
  return "";
}

} // namespace

Result<> read_conditions(const std::string &verb, const Recording &recording, Functions &functions,
                         Selection *selection) {
  for (const std::string &text : selection->where) {
    auto condition = parse(text);
    if (!condition)
      return Error{verb, "--where",
                   fmt::format("'{}' is not FUNCTION.ARGUMENT OPERATOR VALUE, such as 'parse.len > "
                               "4096' or 'parse.return < 0' (operators: == != < <= > >=)",
                               printable(text)),
                   kExitUsage};
    if (std::string problem = problem_of(*condition, recording, functions); !problem.empty())
      return Error{verb, "--where", printable(problem), kExitUsage};
    auto judge = [condition = *condition](const Prototype *prototype,
                                          std::span<const uint64_t> values) {
      const auto value = condition.of_result()
                             ? result_value(prototype, values)
                             : argument_value(prototype, values, condition.argument);
      if (!value || is_missing(value->text))
        return CallCondition::kUnknown;
      return holds(condition, value->text) ? CallCondition::kHolds : CallCondition::kFails;
    };
    selection->conditions.push_back({text, condition->function, condition->of_result(), judge});
  }
  return {};
}

std::vector<std::string> condition_notes(const StepFilter &filter) {
  const Selection &selection = filter.selection();
  std::vector<std::string> notes;
  for (size_t i = 0; i < selection.conditions.size(); i++) {
    const StepFilter::Seen &seen = filter.seen()[i];
    const std::string text = printable(selection.conditions[i].text);
    const bool of_result = selection.conditions[i].of_result;
    if (seen.calls && !seen.with_values)
      notes.push_back(fmt::format("'{}' cannot be judged: the calls were recorded without {} "
                                  "(nophook record --{})",
                                  text, of_result ? "results" : "arguments",
                                  of_result ? "retval" : "args"));
    else if (seen.unknown)
      notes.push_back(fmt::format("'{}' cannot be judged for {} of {}: the value is not in the "
                                  "recording (optimised away, or too large)",
                                  text, seen.unknown, counted(seen.calls, "call")));
    else if (!seen.held)
      notes.push_back(fmt::format("no call with '{}' was recorded", text));
  }
  return notes;
}

} // namespace nophook
