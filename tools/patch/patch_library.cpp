// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/patch_library.h"

#include "foundation/identity.h"
#include "foundation/installation.h"
#include "machine/machine.h"
#include "patch/patch_file.h"
#include "patch/program_run.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <regex>

namespace nophook {

namespace fs = std::filesystem;

namespace {

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text)
    result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + "\"";
}

// The files of libraries that `file` needs, if they are in the loader's folders, or among the files
// of the patch.
std::vector<std::string> libraries_of(const OldFile &file, const std::vector<OldFile> &known) {
  std::vector<std::string> folders;
  for (const int64_t tag : {llvm::ELF::DT_RUNPATH, llvm::ELF::DT_RPATH})
    for (const std::string &paths : file.image().dynamic_strings(tag))
      for (size_t at = 0; at <= paths.size();) {
        const size_t end = std::min(paths.find(':', at), paths.size());
        std::string folder = paths.substr(at, end - at);
        if (const size_t origin = folder.find("$ORIGIN"); origin != std::string::npos)
          folder.replace(origin, 7, fs::absolute(file.path()).parent_path());
        folders.push_back(folder);
        at = end + 1;
      }
  folders.emplace_back("/usr/local/lib");
  if (const Machine *machine = find_machine(file.image().machine()))
    folders.insert(folders.end(), machine->library_folders.begin(), machine->library_folders.end());
  for (const char *folder : {"/lib64", "/usr/lib64", "/lib", "/usr/lib"})
    folders.emplace_back(folder);
  std::vector<std::string> found;
  std::error_code error;
  for (const std::string &name : file.image().dynamic_strings(llvm::ELF::DT_NEEDED)) {
    if (name.starts_with("ld-linux") || name.starts_with("libnophook"))
      continue;
    if (const auto of_patch = std::ranges::find(known, name, &OldFile::object_name);
        of_patch != known.end()) {
      found.push_back(of_patch->path());
      continue;
    }
    for (const std::string &folder : folders)
      if (const fs::path path = fs::path(folder) / name; fs::exists(path, error)) {
        found.push_back(path);
        break;
      }
  }
  return found;
}

Result<std::string> own_command() {
  std::error_code error;
  const std::string self = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return error_at("/proc/self/exe", error.message());
  return self;
}

// The names in "undefined reference to `f'" (GNU ld) and "undefined symbol: f" (lld).
std::string undefined_in(const std::string &output) {
  static const std::regex kPattern("undefined (?:reference to `|symbol: )([^'\n]+)");
  std::set<std::string> names;
  for (std::sregex_iterator at(output.begin(), output.end(), kPattern), end; at != end; ++at)
    names.insert((*at)[1]);
  return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::string glue_source(const PatchPlan &plan, const std::vector<OldFile> &files,
                        const std::string &header) {
  std::string text = "#include " + quoted(header) + "\n#include <stdio.h>\n";
  std::string objects;
  size_t count = 0, object = 0;
  for (const OldFile &file : files) {
    std::string table;
    for (const UnitPlan &unit : plan.units)
      for (const PlannedFunction &function : unit.functions) {
        if (unit.file != &file)
          continue;
        text += fmt::format("extern char new_{}[] __asm__({}) "
                            "__attribute__((visibility(\"hidden\")));\n",
                            count, quoted(function.glue));
        table += fmt::format("  {{.old_name = {}, .new_func = new_{}, .old_sympos = {}}},\n",
                             quoted(function.name), count, function.position);
        count++;
      }
    if (table.empty())
      continue;
    text += fmt::format("static struct klp_func funcs_{}[] = {{\n{}  {{0}}}};\n", object, table);
    const std::string name = file.object_name(), id = file.build_id();
    objects +=
        fmt::format("  {{.name = {}, .funcs = funcs_{}, .build_id = {}}},\n",
                    name.empty() ? "NULL" : quoted(name), object, id.empty() ? "NULL" : quoted(id));
    object++;
  }
  text += checksum_note();
  text += "static struct klp_object objects[] = {\n" + objects + "  {0}};\n";
  text += "static struct klp_patch patch = {.objs = objects};\n"
          "extern __typeof__(klp_enable_patch) klp_enable_patch __attribute__((weak));\n"
          "__attribute__((constructor)) static void enable(void) {\n"
          "  if (klp_enable_patch)\n"
          "    klp_enable_patch(&patch);\n"
          "  else\n"
          "    fputs(\"nophook: a live patch is loaded into a process without Nophook's runtime, "
          "and does nothing\\n\", stderr);\n"
          "}\n";
  return text;
}

Result<> link_patch(const PatchPlan &plan, const std::vector<OldFile> &files,
                    const std::vector<std::string> &objects, const std::string &work,
                    const std::string &output) {
  auto self = own_command();
  NOPHOOK_TRY(self);
  auto header = find_livepatch_header();
  NOPHOOK_TRY(header);
  const std::string glue = work + "/glue.c", built = work + "/patch.so";
  NOPHOOK_TRY(write_text(glue, glue_source(plan, files, *header)));
  const bool has_cxx = std::ranges::any_of(
      plan.units, [](const UnitPlan &unit) { return is_cxx(unit.versions->unit); });
  // The patch uses the program's runtime, and the compiler that this command was built for.
  const std::vector<std::string> clean = {"env",        "-u", "NOPHOOK_RUNTIME", "-u",
                                          "NOPHOOK_CC", "-u", "NOPHOOK_CXX",     *self};
  ProgramRun compile{clean, "", "", 0};
  for (const char *word :
       {"cc", "-O1", "-fPIC", "-w", "-c", "-fplugin-arg-nophook-descriptors=off"})
    compile.command.emplace_back(word);
  compile.command.insert(compile.command.end(), {glue, "-o", work + "/glue.o"});
  run_program(&compile);
  if (!compile.ok())
    return error_at(glue,
                    "cannot be compiled: " + compile.output.substr(0, compile.output.find('\n')));

  ProgramRun link{clean, "", "", 0};
  for (const char *word :
       {"-Wl,-z,norelro", "-Wl,-z,now", "-Wl,-z,defs", "-Wl,-Bsymbolic", "-Wl,--as-needed"})
    link.command.emplace_back(word);
  link.command.insert(link.command.begin() + (ptrdiff_t)clean.size(),
                      {has_cxx ? "c++" : "cc", "-shared", "-o", built, work + "/glue.o"});
  link.command.insert(link.command.end(), objects.begin(), objects.end());
  for (const OldFile &file : files)
    for (const std::string &library : libraries_of(file, files))
      link.command.push_back(library);
  run_program(&link);
  if (link.ok()) {
    NOPHOOK_TRY(write_checksum(built));
    // A process may have loaded the old file, and another may load the new one while it is written.
    std::error_code error;
    const std::string unfinished = fmt::format("{}.{}", output, own_number());
    fs::copy_file(built, unfinished, fs::copy_options::overwrite_existing, error);
    if (!error)
      fs::rename(unfinished, output, error);
    if (!error)
      return {};
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    return error_at(output, "cannot be written: " + error.message());
  }
  if (const std::string names = undefined_in(link.output); !names.empty())
    return error_at(fmt::format("{}", fmt::join(paths_of(files), ", ")),
                    "neither it nor a library that it needs has what the new code uses: " + names +
                        " (a library that the program has not loaded cannot be "
                        "added by a patch)");
  return error_at(output, "cannot be linked: " + link.output.substr(0, link.output.find('\n')));
}

} // namespace nophook
