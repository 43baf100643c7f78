// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/patch_file.h"

#include "foundation/file.h"
#include "foundation/process.h"

#include <nophook/patch_checksum.h>

#include <charconv>
#include <elf.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace nophook {

namespace {

std::string proc_of(int32_t pid, const char *entry) {
  return fmt::format("/proc/{}/{}", pid, entry);
}

// Reads the header. False: the file is no ELF file of this class, or cannot be read.
bool read_header(const std::string &path, Elf64_Ehdr *header) {
  auto file = InputFile::open(path);
  return file.ok() && file->read(0, header, sizeof *header) &&
         std::string_view((const char *)header->e_ident, SELFMAG) == ELFMAG &&
         header->e_ident[EI_CLASS] == ELFCLASS64;
}

auto reader_of(const InputFile &file) {
  return
      [&file](uint64_t offset, void *to, uint64_t bytes) { return file.read(offset, to, bytes); };
}

Result<> check_library(int32_t pid, const std::string &file) {
  auto opened = InputFile::open(file);
  NOPHOOK_TRY(opened);
  PatchChecksum checksum;
  if (const char *why = check_patch_file(opened->size(), reader_of(*opened), &checksum))
    return error_at(file, why);
  if (!checksum.is_good())
    return error_at(file, kPatchIsOther);
  Elf64_Ehdr header, program;
  if (!read_header(file, &header))
    return error_at(file, "cannot be read");
  if (read_header(proc_of(pid, "exe"), &program) && program.e_machine != header.e_machine)
    return error_at(file, fmt::format("is for another CPU than process {}", pid));
  return {};
}

struct MappedName {
  uint64_t inode;
  std::string_view path;
};

// The name in a line of /proc/PID/maps, which has six fields; the last field may have blanks.
MappedName mapped_name(std::string_view line) {
  MappedName name = {};
  for (int field = 0; field < 5; field++) {
    const std::string_view word = line.substr(0, line.find(' '));
    if (field == 4)
      std::from_chars(word.data(), word.data() + word.size(), name.inode);
    line.remove_prefix(word.size());
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  }
  name.path = without_deleted_mark(line);
  return name;
}

template <class Visit> void each_mapping(int32_t pid, Visit visit) {
  const std::string maps = read_small_file(proc_of(pid, "maps"));
  for (std::string_view rest = maps; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    visit(mapped_name(line));
  }
}

} // namespace

std::string checksum_note() {
  return fmt::format("__asm__(\".pushsection .note.nophook.patch, \\\"a\\\", @note\\n\"\n"
                     "        \".balign 4\\n.long 8, 8, {}\\n.asciz \\\"{}\\\"\\n.quad 0\\n\"\n"
                     "        \".popsection\\n\");\n",
                     NOPHOOK_PATCH_NOTE_TYPE, NOPHOOK_NOTE_NAME);
}

Result<> write_checksum(const std::string &path) {
  PatchChecksum checksum;
  {
    auto file = InputFile::open(path);
    NOPHOOK_TRY(file);
    if (const char *why = check_patch_file(file->size(), reader_of(*file), &checksum))
      return error_at(path, why);
  }
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!checksum.at || !file.valid() ||
      !write_all_at(file.get(), checksum.at, &checksum.found, sizeof checksum.found))
    return error_at(path, "its checksum cannot be written");
  return {};
}

bool has_mapped(int32_t pid, const std::string &path) {
  bool found = false;
  each_mapping(pid, [&](const MappedName &name) { found |= name.path == path; });
  return found;
}

Result<std::string> path_for_process(int32_t pid, const std::string &file) {
  NOPHOOK_TRY(check_library(pid, file));
  const std::string root = proc_of(pid, "root");
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(file, error);
  // A link to the file names the patch; links to its folder are followed.
  const std::filesystem::path folder = std::filesystem::canonical(absolute.parent_path(), error);
  std::string path = file.starts_with(root + "/") ? file.substr(root.size())
                                                  : (folder / absolute.filename()).string();
  struct stat ours = {}, theirs = {};
  if (error || ::stat(file.c_str(), &ours) != 0)
    return error_at(file, "cannot be found");
  const bool is_there = ::stat((root + path).c_str(), &theirs) == 0;
  if (!is_there && errno == EACCES)
    return path; // the loader will report if it cannot see it
  if (!is_there || ours.st_dev != theirs.st_dev || ours.st_ino != theirs.st_ino)
    return error_at(file, fmt::format("process {} has another file system and does not see this "
                                      "file: copy it below {}, and name that copy",
                                      pid, root));
  bool is_older = false;
  each_mapping(pid, [&](const MappedName &name) {
    is_older |= name.path == path && name.inode != ours.st_ino;
  });
  if (is_older)
    return error_at(file, fmt::format("process {} has loaded an older file of this name: give the "
                                      "new one another name, or unload the old one first",
                                      pid));
  return path;
}

} // namespace nophook
