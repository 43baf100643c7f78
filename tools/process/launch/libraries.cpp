// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads DT_NEEDED of the program and of each library that is found.

#include "process/launch/libraries.h"

#include "machine/machine.h"
#include "read/symbols/site_table.h"

#include <deque>
#include <filesystem>
#include <set>

namespace nophook {

using namespace llvm::ELF;

namespace {

void add_folders(const std::string &list, const std::string &origin,
                 std::vector<std::string> *folders) {
  for (size_t at = 0, end; at < list.size(); at = end + 1) {
    end = std::min(list.find(':', at), list.size());
    std::string folder = list.substr(at, end - at);
    for (const char *name : {"$ORIGIN", "${ORIGIN}"})
      if (size_t found = folder.find(name); found != std::string::npos)
        folder.replace(found, std::strlen(name), origin);
    if (!folder.empty())
      folders->push_back(folder);
  }
}

std::vector<std::string> folders_of(const ElfImage &image) {
  std::error_code error;
  std::string origin = std::filesystem::canonical(image.path(), error).parent_path().string();
  std::vector<std::string> folders;
  for (int64_t tag : {DT_RPATH, DT_RUNPATH})
    for (const std::string &list : image.dynamic_strings(tag))
      add_folders(list, origin, &folders);
  if (const char *list = std::getenv("LD_LIBRARY_PATH"))
    add_folders(list, origin, &folders);
  if (const Machine *machine = find_machine(image.machine()))
    folders.insert(folders.end(), machine->library_folders.begin(), machine->library_folders.end());
  add_folders("/usr/local/lib:/lib64:/usr/lib64:/lib:/usr/lib", origin, &folders);
  return folders;
}

std::optional<ElfImage> find(const std::string &name, const std::vector<std::string> &folders,
                             uint32_t processor) {
  if (name.find('/') != std::string::npos) {
    auto image = ElfImage::open(name);
    return image ? std::optional(std::move(*image)) : std::nullopt;
  }
  for (const std::string &folder : folders)
    if (auto image = ElfImage::open(folder + "/" + name); image && image->machine() == processor)
      return std::move(*image);
  return std::nullopt;
}

} // namespace

bool any_library(const ElfImage &program, const std::function<bool(const ElfImage &)> &visit) {
  constexpr size_t kMaxLibraries = 10000; // limit for a hostile program; real ones have hundreds
  std::set<std::string> seen;
  std::deque<ElfImage> queue;
  auto add = [&](const ElfImage &image) {
    std::vector<std::string> folders = folders_of(image);
    for (const std::string &name : image.dynamic_strings(DT_NEEDED))
      if (seen.size() < kMaxLibraries && seen.insert(name).second)
        if (auto library = find(name, folders, image.machine()))
          queue.push_back(std::move(*library));
  };
  add(program);
  for (; !queue.empty(); queue.pop_front()) {
    if (visit(queue.front()))
      return true;
    add(queue.front());
  }
  return false;
}

bool library_has_sites(const ElfImage &program) {
  return any_library(program, has_sites);
}

} // namespace nophook
