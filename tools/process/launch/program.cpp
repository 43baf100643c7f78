// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches PATH, and reads the ELF file or the line of its interpreter.

#include "process/launch/program.h"

#include "foundation/processor.h"
#include "machine/machine.h"
#include "process/launch/libraries.h"
#include "read/symbols/site_guard.h"
#include "read/symbols/site_table.h"

#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

using namespace llvm::ELF;

namespace {

// Searches as execvp does, with an error that names the problem.
Result<std::string> search_path(const std::string &name) {
  std::vector<std::string> paths;
  if (name.find('/') != std::string::npos) {
    paths.push_back(name);
  } else {
    const char *variable = std::getenv("PATH");
    std::string list = variable ? variable : "/bin:/usr/bin";
    for (size_t at = 0, end; at <= list.size(); at = end + 1) {
      end = std::min(list.find(':', at), list.size());
      std::string folder = list.substr(at, end - at);
      paths.push_back(folder.empty() ? name : folder + "/" + name);
    }
  }
  int problem = ENOENT;
  for (const std::string &path : paths) {
    struct stat st;
    if (::stat(path.c_str(), &st) != 0) {
      if (errno == EACCES)
        problem = EACCES;
    } else if (S_ISDIR(st.st_mode)) {
      problem = problem == ENOENT ? EISDIR : problem;
    } else if (::access(path.c_str(), X_OK) != 0) {
      problem = EACCES;
    } else {
      return path;
    }
  }
  if (problem == ENOENT)
    return Error{name, "", "there is no such program", kExitNoProgram};
  return Error{name, "", fmt::format("cannot be executed: {}", std::strerror(problem)),
               kExitNotExecutable};
}

bool needs_runtime(const ElfImage &image) {
  for (const std::string &library : image.dynamic_strings(DT_NEEDED))
    if (library.starts_with("libnophook.so"))
      return true;
  return false;
}

// Looks for the runtime's registration symbol in .symtab or .dynsym. `stripped`: there is no
// .symtab, so a static program cannot be judged.
bool defines_runtime(const ElfImage &image, bool *stripped) {
  *stripped = true;
  auto sections = image.elf().sections();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return false;
  }
  for (const auto &section : *sections) {
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM)
      continue;
    *stripped &= section.sh_type != SHT_SYMTAB;
    auto symbols = image.elf().symbols(&section);
    auto strings = image.elf().getStringTableForSymtab(section, *sections);
    if (symbols && strings)
      for (const auto &symbol : *symbols)
        if (symbol.st_shndx != SHN_UNDEF && symbol.st_name < strings->size() &&
            strings->substr(symbol.st_name)
                .starts_with(llvm::StringRef("nophook_register_module\0", 24)))
          return true;
    if (!symbols)
      llvm::consumeError(symbols.takeError());
    if (!strings)
      llvm::consumeError(strings.takeError());
  }
  return false;
}

// The target as compilers name it; empty: there is no runtime for that processor.
std::string target_of(uint32_t processor) {
  const Machine *machine = find_machine(processor);
  return machine ? machine->arch.str() + "-linux-gnu" : "";
}

Result<Program> inspect(const ElfImage &image, Program program) {
  const std::string &path = program.path;
  if (image.machine() != kOwnProcessor) {
    program.target = target_of(image.machine());
    program.foreign = fmt::format("is a program for {}; this machine's are for {}",
                                  processor_name(image.machine()), processor_name(kOwnProcessor));
    if (program.target.empty())
      return error_at(path, program.foreign);
    program.foreign += ", and binfmt_misc has no emulator for it";
  }
  bool stripped = false;
  bool has_runtime = needs_runtime(image) || defines_runtime(image, &stripped);
  bool is_static = !image.has_segment(PT_INTERP);
  program.has_sites = has_sites(image) || library_has_sites(image);
  if (!program.has_sites)
    program.note = fmt::format("{} itself has no traceable functions: programs that it starts "
                               "and libraries that it loads are recorded. (To trace it, build it "
                               "with nophook cc: make CC='nophook cc'. --strict makes an empty "
                               "recording an error)",
                               printable(path));
  else if (is_without_runtime(image))
    return error_at(path, "is a static program without the runtime: link with "
                          "-Wl,-u,nophook_register_module and libnophook.a");
  if (const SiteGuard guard = guard_sites(image, read_sites(image)); !guard.is_good()) {
    program.note = fmt::format("warning: {}: {}", printable(path), printable(guard.text()));
    program.has_lost_sites = guard.without_entry > 0;
  }
  program.preload = !has_runtime && !(is_static && program.has_sites);
  return program;
}

} // namespace

bool needs_preload(const ElfImage &image) {
  bool stripped = false;
  return !needs_runtime(image) && !defines_runtime(image, &stripped);
}

bool is_without_runtime(const ElfImage &image) {
  bool stripped = false; // true: it cannot be judged
  return !image.has_segment(PT_INTERP) && !needs_runtime(image) &&
         !defines_runtime(image, &stripped) && !stripped;
}

Result<Program> find_program(const std::vector<std::string> &arguments) {
  auto path = search_path(arguments.front());
  NOPHOOK_TRY(path);
  Program program{*path, arguments, true, false, ""};
  auto file = MappedFile::open(*path);
  if (!file) {
    program.note = fmt::format(
        "{} cannot be read, so it is unknown whether it has traceable functions", printable(*path));
    return program;
  }
  std::span<const uint8_t> bytes = file->bytes();
  if (is_elf(bytes)) {
    auto image = ElfImage::open(*path);
    NOPHOOK_TRY(image);
    return inspect(*image, std::move(program));
  }
  if (bytes.size() >= 2 && bytes[0] == '#' && bytes[1] == '!')
    return program;
  // A file that the kernel cannot execute is given to the shell, as execvp does.
  program.arguments.insert(program.arguments.begin() + 1, *path);
  program.arguments.front() = program.path = "/bin/sh";
  return program;
}

} // namespace nophook
