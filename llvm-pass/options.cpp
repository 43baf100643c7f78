// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One grammar for every way to run the pass:
//
//   clang   -fplugin-arg-nophook-min-size=10 -fplugin-arg-nophook-exclude=no.txt
//   cc1     -plugin-arg-nophook min-size=10 -plugin-arg-nophook exclude=no.txt
//   opt     -passes='nophook<min-size=10;exclude=no.txt>'
//
// A pipeline is one text in which LLVM itself first looks for commas, parentheses and angle
// brackets, and a path may hold any of them. So in parameters a character of
// a value may be written as %XX, and printed parameters have this form.

#include "options.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace nophook {
namespace {

constexpr llvm::StringLiteral kKnown =
    "min-size=N, include=FILE, exclude=FILE, only-exported, descriptors=on|file|off, "
    "extract=FILE, facts=FILE";

// Characters that end a parameter, or belong to the pipeline's own grammar, or to this escape.
constexpr llvm::StringLiteral kSpecial = ";,()<>%";

llvm::Error failure(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Error parse_switch(llvm::StringRef key, llvm::StringRef value, bool &is_on) {
  if (value != "on" && value != "off")
    return failure("option '" + key + "' is 'on' or 'off', not '" + value + "'");
  is_on = value == "on";
  return llvm::Error::success();
}

llvm::Error parse_where(llvm::StringRef value, Descriptors &descriptors) {
  const std::optional<Descriptors> where = parse_descriptors(value);
  if (!where)
    return failure("option 'descriptors' is 'on', 'file' or 'off', not '" + value + "'");
  descriptors = *where;
  return llvm::Error::success();
}

llvm::Error parse_list(llvm::StringRef key, llvm::StringRef value, FunctionLists &lists,
                       llvm::vfs::FileSystem &files) {
  if (value.empty())
    return failure("option '" + key + "' needs a file: " + key + "=FILE");
  if (llvm::Error error = lists.add(value, files))
    return failure("option '" + key + "': " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

llvm::Error read_extract(llvm::StringRef value, Options &options, llvm::vfs::FileSystem &files) {
  llvm::Expected<ExtractList> list = ExtractList::read(value, files);
  if (!list)
    return failure("option 'extract': " + llvm::toString(list.takeError()));
  options.extract = std::make_shared<const ExtractList>(std::move(*list));
  return llvm::Error::success();
}

std::string escape(llvm::StringRef value) {
  std::string text;
  for (const char c : value) {
    if (kSpecial.contains(c))
      text += "%" + llvm::toHex(llvm::StringRef(&c, 1));
    else
      text += c;
  }
  return text;
}

llvm::Expected<std::string> unescape(llvm::StringRef text) {
  std::string value;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] != '%') {
      value += text[i];
      continue;
    }
    std::string byte;
    if (i + 2 >= text.size() || !llvm::tryGetFromHex(text.substr(i + 1, 2), byte))
      return failure("'%' in '" + text + "' is not followed by two hexadecimal digits");
    value += byte;
    i += 2;
  }
  return value;
}

} // namespace

std::optional<Descriptors> parse_descriptors(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<Descriptors>>(text)
      .Case("on", Descriptors::kOn)
      .Case("file", Descriptors::kFile)
      .Case("off", Descriptors::kOff)
      .Default(std::nullopt);
}

const char *text_of(Descriptors descriptors) {
  return descriptors == Descriptors::kOn     ? "on"
         : descriptors == Descriptors::kFile ? "file"
                                             : "off";
}

llvm::Error parse_option(llvm::StringRef text, Options &options, llvm::vfs::FileSystem &files) {
  const auto [key, value] = text.split('=');
  const bool has_value = text.contains('=');
  if (key == "min-size") {
    if (value.getAsInteger(10, options.min_size))
      return failure("option 'min-size' is a number of instructions, not '" + value + "'");
    return llvm::Error::success();
  }
  if (key == "include")
    return parse_list(key, value, options.include, files);
  if (key == "exclude")
    return parse_list(key, value, options.exclude, files);
  if (key == "only-exported")
    return parse_switch(key, has_value ? value : "on", options.only_exported);
  if (key == "descriptors")
    return parse_where(has_value ? value : "on", options.descriptors);
  if (key == "extract")
    return read_extract(value, options, files);
  if (key == "facts") {
    if (value.empty())
      return failure("option 'facts' needs a file: facts=FILE");
    options.facts = value.str();
    return llvm::Error::success();
  }
  return failure("unknown option '" + key + "': there are " + kKnown);
}

llvm::Error parse_parameters(llvm::StringRef text, Options &options, llvm::vfs::FileSystem &files) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text.split(parts, ';', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef part : parts) {
    llvm::Expected<std::string> option = unescape(part);
    if (!option)
      return option.takeError();
    if (llvm::Error error = parse_option(*option, options, files))
      return error;
  }
  return llvm::Error::success();
}

void print_parameters(const Options &options, llvm::raw_ostream &out) {
  llvm::SmallVector<std::string, 4> parts;
  if (options.min_size)
    parts.push_back("min-size=" + std::to_string(options.min_size));
  for (const std::string &path : options.include.paths())
    parts.push_back("include=" + escape(path));
  for (const std::string &path : options.exclude.paths())
    parts.push_back("exclude=" + escape(path));
  if (options.only_exported)
    parts.push_back("only-exported");
  if (options.descriptors != Descriptors::kOn)
    parts.push_back(std::string("descriptors=") + text_of(options.descriptors));
  if (options.extract)
    parts.push_back("extract=" + escape(options.extract->path()));
  if (!options.facts.empty())
    parts.push_back("facts=" + escape(options.facts));
  if (!parts.empty())
    out << '<' << llvm::join(parts, ";") << '>';
}

} // namespace nophook
