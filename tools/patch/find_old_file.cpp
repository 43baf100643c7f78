// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/find_old_file.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace nophook {

namespace fs = std::filesystem;

namespace {

// A linked ELF file, by its first bytes; objects and archives are not.
bool is_linked(const fs::path &path) {
  auto file = InputFile::open(path);
  uint8_t header[18];
  if (!file || file->size() < 64 || !file->read(0, header, sizeof header))
    return false;
  const unsigned type = header[16] | header[17] << 8;
  return is_elf({header, sizeof header}) &&
         (type == llvm::ELF::ET_EXEC || type == llvm::ELF::ET_DYN);
}

bool has_functions(const OldFile &file, std::vector<UnitVersions> *units) {
  bool has_one = false;
  std::map<std::string, bool> matches; // of a source, one of its units
  for (UnitVersions &unit : *units) {
    unit.group.reset();
    const bool is_equal = match_unit(file, &unit).empty();
    matches[unit.unit.file] |= is_equal;
    for (const std::string &name : unit.difference.changed)
      has_one = has_one || (is_equal && !file.named(unit.before.items.at(name).symbol).empty());
  }
  return has_one && std::ranges::all_of(matches, [](const auto &source) { return source.second; });
}

} // namespace

Result<std::string> find_old_file(const std::string &directory, std::vector<UnitVersions> *units) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator at(directory, fs::directory_options::skip_permission_denied,
                                      error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().filename() == ".git" || at->path().filename() == "CMakeFiles")
      at.disable_recursion_pending();
    if (at->is_symlink(error) || !at->is_regular_file(error) || at->path().extension() == ".o" ||
        !is_linked(at->path()))
      continue;
    auto file = OldFile::open(at->path());
    if (file && has_functions(*file, units))
      found.push_back(at->path());
  }
  for (UnitVersions &unit : *units)
    unit.group.reset();
  std::ranges::sort(found);
  if (found.size() == 1)
    return found.front();
  if (found.empty())
    return error_at(directory,
                    "has no program or library with the functions that the diff changes, "
                    "as this tree compiles them: name it by --for");
  return error_at(directory,
                  fmt::format("has several files with the functions that the diff changes: "
                              "choose one by --for: {}",
                              fmt::join(found, ", ")));
}

} // namespace nophook
