// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/compile_commands.h"

#include "patch/program_run.h"
#include "read/symbols/elf_image.h" // message_of

#include <filesystem>
#include <fmt/format.h>
#include <llvm/Support/JSON.h>

namespace nophook {

namespace fs = std::filesystem;

namespace {

constexpr const char *kName = "compile_commands.json";

std::string absolute(const std::string &path, const std::string &directory) {
  return (fs::path(directory) / path).lexically_normal();
}

// Whether the command is clang's own: `clang file.c` runs itself as `clang -cc1 …`, and bear
// records both.
bool is_of_compiler_itself(const std::vector<std::string> &words) {
  return words.size() > 1 && (words[1] == "-cc1" || words[1] == "-cc1as");
}

} // namespace

std::vector<std::string> split_command(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool is_word = false;
  char quote = 0;
  for (size_t i = 0; i < command.size(); i++) {
    const char c = command[i];
    const bool has_next = i + 1 < command.size();
    if (c == '\\' && quote != '\'' && has_next) {
      // Between double quotes, a backslash quotes these four characters only.
      if (quote && command[i + 1] != '"' && command[i + 1] != '\\' && command[i + 1] != '$' &&
          command[i + 1] != '`')
        word += c;
      else
        word += command[++i];
      is_word = true;
    } else if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c;
      is_word = true;
    } else if (!quote && (c == ' ' || c == '\t' || c == '\n')) {
      if (is_word)
        words.push_back(std::exchange(word, {}));
      is_word = false;
    } else {
      word += c;
      is_word = true;
    }
  }
  if (is_word)
    words.push_back(word);
  return words;
}

Result<std::string> find_compile_commands(const std::string &directory) {
  std::error_code error;
  if (const fs::path here = fs::path(directory) / kName; fs::exists(here, error))
    return here.string();
  std::vector<std::string> found;
  for (const auto &entry : fs::directory_iterator(directory, error))
    if (const fs::path below = entry.path() / kName; fs::exists(below, error))
      found.push_back(below);
  if (found.size() == 1)
    return found.front();
  if (found.empty())
    return error_at(directory,
                    fmt::format("has no {}: name its place by --compile-commands; CMake writes it "
                                "with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, `bear -- make` for make",
                                kName));
  return error_at(directory, fmt::format("has several {} ({}): choose by --compile-commands", kName,
                                         fmt::join(found, ", ")));
}

Result<std::vector<Unit>> read_compile_commands(const std::string &where) {
  std::error_code error;
  const std::string path =
      fs::is_directory(where, error) ? (fs::path(where) / kName) : fs::path(where);
  auto text = read_text(path);
  NOPHOOK_TRY(text);
  auto json = llvm::json::parse(*text);
  if (!json)
    return error_at(path, "is no JSON: " + message_of(json.takeError()));
  const llvm::json::Array *list = json->getAsArray();
  if (!list)
    return error_at(path, "is no list of commands");
  std::vector<Unit> units;
  for (const llvm::json::Value &value : *list) {
    const llvm::json::Object *entry = value.getAsObject();
    auto file = entry ? entry->getString("file") : std::nullopt;
    auto directory = entry ? entry->getString("directory") : std::nullopt;
    if (!file || !directory)
      return Error{path, fmt::format("entry {}", units.size()), "has no file and directory"};
    Unit unit;
    // A relative folder is seen from the file that names it.
    unit.directory = absolute(directory->str(), fs::absolute(path).parent_path());
    unit.file = absolute(file->str(), unit.directory);
    if (const llvm::json::Array *words = entry->getArray("arguments")) {
      for (const llvm::json::Value &word : *words)
        unit.words.push_back(word.getAsString().value_or("").str());
    } else if (auto command = entry->getString("command")) {
      unit.words = split_command({command->data(), command->size()});
    }
    if (unit.words.empty())
      return Error{path, unit.file, "has no command"};
    if (!is_of_compiler_itself(unit.words))
      units.push_back(std::move(unit));
  }
  return units;
}

} // namespace nophook
