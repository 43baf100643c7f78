// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes tables of options to CLI11, and puts its errors and help into our words.

#include "foundation/options.h"

#include "foundation/closest.h"
#include "foundation/time_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <sstream>

namespace nophook {

namespace {

bool is_number(const std::string &word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

// Converts a TIME to seconds, the unit of the option's range.
std::string to_seconds(std::string &text) {
  uint64_t ns = 0;
  if (std::string problem = parse_time(text, &ns); !problem.empty())
    return problem;
  text = fmt::format("{}", (double)ns / 1e9);
  return "";
}

// Converts a TIME to milliseconds. A number without a unit stays.
std::string to_ms(std::string &text) {
  if (is_number(text))
    return "";
  uint64_t ns = 0;
  if (std::string problem = parse_time(text, &ns); !problem.empty())
    return problem;
  text = fmt::format("{}", ns / 1'000'000);
  return "";
}

// Converts `10M` to bytes.
std::string to_bytes(std::string &text) {
  std::string bytes = text;
  if (!CLI::AsSizeValue(false)(bytes).empty())
    return fmt::format("'{}' is not a size, such as 64K, 10M or 2G", text);
  text = bytes;
  return "";
}

// Converts `10M` to 10; a part of a MiB counts as a whole one. A number without a letter stays.
std::string to_mib(std::string &text) {
  if (is_number(text))
    return "";
  if (std::string problem = to_bytes(text); !problem.empty())
    return problem;
  const uint64_t bytes = std::strtoull(text.c_str(), nullptr, 10);
  text = fmt::format("{}", bytes >> 20 | (bytes && !(bytes >> 20)));
  return "";
}

std::vector<std::string> words_of(const std::string &list) {
  std::istringstream stream(list);
  return {std::istream_iterator<std::string>(stream), {}};
}

bool is_positional(const VerbOption &option) {
  return option.names[0] != '-';
}

std::vector<std::string_view> names_of(const VerbOption &option) {
  std::vector<std::string_view> list;
  for (std::string_view names = option.names; !names.empty();) {
    const size_t end = std::min(names.find(','), names.size());
    list.push_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return list;
}

// A number may be a flag's, too.
bool is_flag(const VerbOption &option) {
  return std::holds_alternative<bool *>(option.target) || *option.rules.without_value;
}

template <class T> CLI::Option *add(CLI::App &app, const VerbOption &option, T *target) {
  std::string names = option.names;
  if (*option.rules.without_value)
    names += fmt::format("{{{}}}", option.rules.without_value);
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, uint64_t>)
    if (is_flag(option))
      return app.add_flag(names, *target, option.help);
  return app.add_option(names, *target, option.help);
}

CLI::Option *add(CLI::App &app, const VerbOption &option, std::chrono::milliseconds *target) {
  auto store = [target](const double &seconds) {
    *target = std::chrono::milliseconds((int64_t)(seconds * 1000));
  };
  return app.add_option_function<double>(option.names, store, option.help)
      ->transform(CLI::Validator(to_seconds, "", "time"));
}

CLI::Option *add(CLI::App &app, const VerbOption &option, void (*target)(const std::string &)) {
  return app.add_option_function<std::string>(option.names, target, option.help);
}

bool is_list(const OptionTarget &target) {
  return std::holds_alternative<std::vector<std::string> *>(target) ||
         std::holds_alternative<std::vector<int32_t> *>(target);
}

constexpr double kAny = 1e9; // a limit from there on is only the type's

void add_range(CLI::Option *option, std::monostate) {
  (void)option;
}
template <class T> void add_range(CLI::Option *option, const std::pair<T, T> &ends) {
  option->check([ends](const std::string &text) -> std::string {
    const double value = std::strtod(text.c_str(), nullptr);
    if (value < (double)ends.first)
      return fmt::format("{} is less than {}", text, ends.first);
    return value > (double)ends.second ? fmt::format("{} is more than {}", text, ends.second) : "";
  });
}

void add_allowed(CLI::Option *option, const std::string &allowed) {
  option->check([words = words_of(allowed)](const std::string &text) {
    return std::ranges::count(words, text)
               ? ""
               : fmt::format("'{}' is none of {}", text, fmt::join(words, ", "));
  });
}

void add(CLI::App &app, const VerbOption &described) {
  const OptionRules &rules = described.rules;
  CLI::Option *option =
      std::visit([&](auto target) { return add(app, described, target); }, described.target);
  if (*rules.type)
    option->type_name(rules.type);
  if (is_list(described.target) && !is_positional(described))
    option->allow_extra_args(false); // one value each time: the next word may be a positional
  if (std::holds_alternative<std::vector<int32_t> *>(described.target))
    option->delimiter(',');
  if (rules.is_size)
    option->transform(CLI::Validator(to_bytes, "", "size"));
  std::visit([&](const auto &ends) { add_range(option, ends); }, rules.range.ends);
  if (rules.is_mib) // CLI11 runs the check that was added last first
    option->transform(CLI::Validator(to_mib, "", "mib"));
  if (rules.is_ms)
    option->transform(CLI::Validator(to_ms, "", "ms"));
  if (*rules.allowed)
    add_allowed(option, rules.allowed);
  option->required(rules.required);
}

// The options that are described to CLI11: the given ones, or all of a verb. A description takes 20
// us, and a command has up to 40 options.
enum class Described : uint8_t { kGiven, kAll };

std::string limits_text(std::monostate) {
  return "";
}
// The text of a range. A limit that is only the type's is left out.
template <class T> std::string limits_text(const std::pair<T, T> &ends) {
  if ((double)ends.second < kAny)
    return fmt::format(" ({} to {})", ends.first, ends.second);
  return (double)ends.first > 1 ? fmt::format(" (at least {})", ends.first) : "";
}

std::string value_text(const VerbOption &option) {
  const OptionRules &rules = option.rules;
  if (is_flag(option))
    return *rules.without_value ? "[=N]" : "";
  std::string text = *rules.type ? rules.type : "VALUE";
  if (*rules.allowed)
    text += fmt::format(" ({})", fmt::join(words_of(rules.allowed), ", "));
  if (!rules.is_size && !rules.is_mib && !rules.is_ms)
    text += std::visit([](const auto &ends) { return limits_text(ends); }, rules.range.ends);
  if (is_list(option.target))
    text += " ...";
  return " " + text;
}

// Formats help. CLI11 makes lines of the types and checks of its own ("UINT in [0 -
// 4611686018427387904]"), and a line of usage of the options and positionals that it knows. A verb
// that runs a program stops at the program's name, so it has a line of its own.
class Help : public CLI::Formatter {
public:
  Help(const VerbOptions &verb, std::string usage) : verb_(verb), usage_(std::move(usage)) {}

  std::string make_usage(const CLI::App *app, std::string name) const override {
    return usage_.empty() ? CLI::Formatter::make_usage(app, name) : usage_ + "\n";
  }
  std::string make_option_name(const CLI::Option *option, bool is_positional) const override {
    const VerbOption *described = find(option);
    return described ? described->names : CLI::Formatter::make_option_name(option, is_positional);
  }
  std::string make_option_opts(const CLI::Option *option) const override {
    const VerbOption *described = find(option);
    return described && !is_positional(*described) ? value_text(*described) : "";
  }

private:
  const VerbOption *find(const CLI::Option *option) const {
    for (const VerbOption &described : verb_.options)
      if (std::ranges::count(names_of(described), option->get_name()))
        return &described;
    return nullptr;
  }

  const VerbOptions &verb_;
  std::string usage_;
};

void add_all(CLI::App &app, const VerbOptions &verb, Described described) {
  constexpr std::string_view kUsage = "usage: ";
  const bool has_usage = std::string_view(verb.footer).starts_with(kUsage);
  app.formatter(std::make_shared<Help>(
      verb, has_usage ? "Usage: " + std::string(verb.footer + kUsage.size()) : ""));
  if (!has_usage)
    app.footer(verb.footer);
  for (const VerbOption &option : verb.options)
    add(app, option);
  auto named = [&](const VerbOption &option) {
    std::string names = option.names;
    return app.get_option(names.substr(0, names.find(',')));
  };
  for (const VerbOption &option : verb.options) {
    for (const std::string &other : words_of(option.rules.needs))
      named(option)->needs(app.get_option(other));
    for (const std::string &other : words_of(option.rules.excludes))
      if (described == Described::kAll || app.get_option_no_throw(other))
        named(option)->excludes(app.get_option(other));
  }
}

// Whether a word may be the option: `--name`, `--name=VALUE`, or a short one among others (`-ar`).
bool may_be_given(const VerbOption &option, const std::vector<std::string> &arguments) {
  if (is_positional(option) || option.rules.required)
    return true;
  const std::vector<std::string_view> names = names_of(option);
  return std::ranges::any_of(arguments, [&](const std::string &word) {
    const std::string_view up_to_value = std::string_view(word).substr(0, word.find('='));
    return std::ranges::any_of(names, [&](std::string_view name) {
      if (name.starts_with("--"))
        return up_to_value == name;
      return word.size() > 1 && word[0] == '-' && word[1] != '-' &&
             word.find(name[1]) != std::string::npos;
    });
  });
}

// Parses; throws CLI11's exceptions.
void parse_with(CLI::App &app, const VerbOptions &verb, Described described,
                const std::vector<std::string> &arguments, std::vector<std::string> *given) {
  add_all(app, verb, described);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  app.parse(reversed);
  for (const CLI::Option *option : app.get_options())
    if (given && option->count())
      given->push_back(option->get_name());
}

// False: these options alone do not parse, so all are needed, for help or for the right error.
bool parse_given(const VerbOptions &verb, const std::vector<std::string> &arguments,
                 std::vector<std::string> *given) {
  VerbOptions few = verb;
  std::erase_if(few.options,
                [&](const VerbOption &option) { return !may_be_given(option, arguments); });
  CLI::App app(verb.about, verb.command);
  try {
    parse_with(app, few, Described::kGiven, arguments, given);
    return true;
  } catch (const CLI::Error &) {
    return false;
  }
}

// The option that may be meant by the first word that looks like an option and is none.
std::string meant(const VerbOptions &verb, const std::vector<std::string> &arguments) {
  std::vector<std::string> known = {"--help"};
  for (const VerbOption &option : verb.options)
    for (std::string_view name : names_of(option))
      if (name.starts_with("--"))
        known.emplace_back(name);
  for (const std::string &word : arguments)
    if (std::string name = word.substr(0, word.find('='));
        name.starts_with("--") && !std::ranges::count(known, name))
      return did_you_mean(name, known);
  return "";
}

// Rewrites "--tid: 1 required N missing".
std::string without_value(const std::string &problem) {
  const size_t end = problem.find(": ");
  return end == std::string::npos ? problem : problem.substr(0, end) + ": its value is missing";
}

// Rewrites "Could not convert: PID = 1x": only numbers are converted.
std::string not_a_number(std::string problem) {
  constexpr std::string_view kBegin = "Could not convert: ", kBetween = " = ";
  const size_t between = problem.find(kBetween);
  if (!problem.starts_with(kBegin) || between == std::string::npos)
    return problem;
  return fmt::format("{}: '{}' is not a number that is allowed",
                     problem.substr(kBegin.size(), between - kBegin.size()),
                     problem.substr(between + kBetween.size()));
}

// `--top 3` is `--top=3`, unless there is a file called 3: the number of a flag is optional, so
// CLI11 takes the word for a path.
std::vector<std::string> with_joined_numbers(const VerbOptions &verb,
                                             const std::vector<std::string> &arguments) {
  auto may_have_number = [&](const std::string &word) {
    return std::ranges::any_of(verb.options, [&](const VerbOption &option) {
      return *option.rules.without_value && std::ranges::count(names_of(option), word);
    });
  };
  std::vector<std::string> joined;
  for (size_t i = 0; i < arguments.size(); i++) {
    joined.push_back(arguments[i]);
    if (i + 1 < arguments.size() && arguments[i].starts_with("--") &&
        may_have_number(arguments[i]) && is_number(arguments[i + 1]) &&
        !std::filesystem::exists(arguments[i + 1]))
      joined.back() += "=" + arguments[++i];
  }
  return joined;
}

} // namespace

bool VerbOptions::takes_value(std::string_view word) const {
  return std::ranges::any_of(options, [&](const VerbOption &option) {
    return !is_flag(option) && !is_positional(option) && std::ranges::count(names_of(option), word);
  });
}

Result<bool> parse(const VerbOptions &verb, const std::vector<std::string> &words,
                   std::vector<std::string> *given) {
  const std::vector<std::string> arguments = with_joined_numbers(verb, words);
  if (arguments == std::vector<std::string>{"--complete"}) {
    print_completion(verb);
    return false;
  }
  if (parse_given(verb, arguments, given))
    return true;
  CLI::App app(verb.about, verb.command);
  try {
    parse_with(app, verb, Described::kAll, arguments, given);
    return true;
  } catch (const CLI::CallForHelp &) {
    fmt::print("{}", app.help());
    return false;
  } catch (const CLI::ParseError &error) {
    std::string problem = error.what();
    if (dynamic_cast<const CLI::ExtrasError *>(&error))
      problem += meant(verb, arguments);
    if (dynamic_cast<const CLI::ArgumentMismatch *>(&error) && problem.ends_with(" missing"))
      problem = without_value(problem);
    if (dynamic_cast<const CLI::ConversionError *>(&error))
      problem = not_a_number(std::move(problem));
    return Error{app.get_name().substr(8), "",
                 fmt::format("{} (see {} --help)", problem, app.get_name()), kExitUsage};
  }
}

void swap_if_reversed(std::string *name, std::string *path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(*name, error) && !std::filesystem::exists(*path, error))
    std::swap(*name, *path);
}

// Prints a line for each option: its names, the word for its value or nothing, and known values,
// with a tab between them.
void print_completion(const VerbOptions &verb) {
  fmt::print("-h,--help\t\t\n");
  for (const VerbOption &option : verb.options) {
    const char *type = is_flag(option) ? "" : *option.rules.type ? option.rules.type : "VALUE";
    if (!is_positional(option))
      fmt::print("{}\t{}\t{}\n", option.names, type,
                 *option.rules.allowed ? option.rules.allowed : option.rules.offered);
  }
}

bool parse_number(const std::string &word, int32_t *number) {
  return CLI::detail::lexical_cast(word, *number);
}

} // namespace nophook
