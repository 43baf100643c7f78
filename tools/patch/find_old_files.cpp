// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/find_old_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace nophook {

namespace fs = std::filesystem;

namespace {

// Whether the file is a linked ELF file, by its first bytes; objects and archives are not.
bool is_linked(const fs::path &path) {
  auto file = InputFile::open(path);
  uint8_t header[18];
  if (!file || file->size() < 64 || !file->read(0, header, sizeof header))
    return false;
  const unsigned type = header[16] | header[17] << 8;
  return is_elf({header, sizeof header}) &&
         (type == llvm::ELF::ET_EXEC || type == llvm::ELF::ET_DYN);
}

// Whether the file has functions that differ, with the code that the tree gives.
bool has_functions(const std::vector<OldFile> &file, const std::vector<UnitVersions> &units) {
  const auto places = place_units(file, units);
  return places && std::ranges::any_of(places->units, [](const PlacedUnit &unit) {
           return std::ranges::any_of(
               unit.versions->difference.changed, [&](const std::string &name) {
                 return !unit.file->named(unit.versions->before.items.at(name).symbol).empty();
               });
         });
}

// Whether these are two programs, or two libraries of one name: no process has both, or a patch
// cannot distinguish them.
bool exclude_each_other(const std::vector<OldFile> &files) {
  std::set<std::string> names;
  return !std::ranges::all_of(
      files, [&](const OldFile &file) { return names.insert(file.object_name()).second; });
}

} // namespace

Result<std::vector<OldFile>> find_old_files(const std::string &directory,
                                            const std::vector<UnitVersions> &units) {
  std::vector<std::string> paths;
  std::error_code error;
  fs::recursive_directory_iterator at(directory, fs::directory_options::skip_permission_denied,
                                      error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().filename() == ".git" || at->path().filename() == "CMakeFiles")
      at.disable_recursion_pending();
    if (!at->is_symlink(error) && at->is_regular_file(error) && at->path().extension() != ".o" &&
        is_linked(at->path()))
      paths.push_back(at->path());
  }
  std::ranges::sort(paths);
  std::vector<OldFile> files;
  for (const std::string &path : paths)
    if (auto file = OldFile::open(path)) {
      std::vector<OldFile> one;
      one.push_back(std::move(*file));
      if (has_functions(one, units))
        files.push_back(std::move(one.front()));
    }
  if (files.empty())
    return error_at(directory,
                    "has no program or library with the functions that the diff changes, "
                    "as this tree compiles them: name it by --for");
  if (exclude_each_other(files))
    return error_at(directory,
                    fmt::format("has several files with the functions that the diff changes: "
                                "choose by --for, a program and its libraries: {}",
                                fmt::join(paths_of(files), ", ")));
  return files;
}

Result<std::vector<OldFile>> open_old_files(const std::vector<std::string> &paths) {
  std::vector<OldFile> files;
  for (const std::string &path : paths) {
    auto file = OldFile::open(path);
    NOPHOOK_TRY(file);
    files.push_back(std::move(*file));
  }
  if (exclude_each_other(files))
    return Error{"patch", "",
                 "a patch is for one program at most, and for libraries of different names: build "
                 "a patch for each",
                 kExitUsage};
  return files;
}

} // namespace nophook
