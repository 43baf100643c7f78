// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/patched_sources.h"

#include "foundation/json.h"
#include "patch/program_run.h"
#include "patch/source_diff.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>

namespace nophook {

namespace fs = std::filesystem;

namespace {

const std::string &name_of(const DiffFile &file) {
  return file.after.empty() ? file.before : file.after;
}

bool exist_all(const std::vector<DiffFile> &files, const fs::path &directory, unsigned strip) {
  std::error_code error;
  return std::ranges::all_of(files, [&](const DiffFile &file) {
    if (file.before.empty())
      return true;
    const std::string name = stripped_name(name_of(file), strip);
    return !name.empty() && fs::is_regular_file(directory / name, error);
  });
}

bool stays_below(const std::string &name) {
  const std::string normal = fs::path(name).lexically_normal();
  return !name.empty() && name[0] != '/' && normal != ".." && !normal.starts_with("../");
}

// The output of patch(1), on one line.
std::string on_one_line(const std::string &text) {
  std::string line;
  std::istringstream lines(text);
  for (std::string part; std::getline(lines, part);)
    if (!part.empty() && !part.starts_with("patching file"))
      line += (line.empty() ? "" : "; ") + part;
  return line;
}

ProgramRun run_patch(const std::string &diff, const std::string &copies, unsigned strip,
                     bool backwards) {
  ProgramRun run;
  run.command = {"patch",   fmt::format("-p{}", strip),
                 "-d",      copies,
                 "--batch", "--no-backup-if-mismatch",
                 "-r",      "-",
                 "-i",      diff};
  run.command.insert(run.command.end(), backwards
                                            ? std::initializer_list<std::string>{"-R", "--dry-run"}
                                            : std::initializer_list<std::string>{"--forward"});
  run_program(&run);
  return run;
}

Result<unsigned> find_strip(const std::vector<DiffFile> &files, const std::string &diff,
                            const fs::path &directory, std::optional<int32_t> strip) {
  if (strip)
    return (unsigned)*strip;
  for (unsigned guess : {1u, 0u})
    if (exist_all(files, directory, guess))
      return guess;
  return error_at(diff,
                  fmt::format("{} is not below {}: start in the source tree or name it by -d, "
                              "and the folders to strip by -p",
                              name_of(files.front()), directory.string()));
}

Result<> copy_sources(const std::vector<DiffFile> &files, const std::string &diff,
                      const fs::path &directory, unsigned strip, const fs::path &copies) {
  for (const DiffFile &file : files) {
    const std::string name = stripped_name(name_of(file), strip);
    if (!stays_below(name))
      return error_at(diff,
                      fmt::format("{} with -p{} is no file of the tree", name_of(file), strip));
    std::error_code error;
    fs::create_directories((copies / name).parent_path(), error);
    if (!file.before.empty())
      fs::copy_file(directory / name, copies / name, fs::copy_options::overwrite_existing, error);
    if (error)
      return error_at((directory / name).string(), "cannot be copied: " + error.message());
  }
  return {};
}

Json overlay_of(const std::vector<PatchedSource> &files) {
  Json roots = Json::list();
  for (const PatchedSource &file : files)
    if (!file.copy.empty())
      roots.push(Json{{"type", "file"}, {"name", file.path}, {"external-contents", file.copy}});
  return Json{{"version", 0},
              {"case-sensitive", "true"},
              {"use-external-names", "false"},
              {"roots", roots}};
}

} // namespace

Result<PatchedSources> patch_copies(const std::string &diff, const std::string &directory,
                                    std::optional<int32_t> strip, const std::string &work) {
  auto text = read_text(diff);
  NOPHOOK_TRY(text);
  auto files = parse_diff(*text);
  if (!files) {
    files.error().file = diff;
    return files.error();
  }
  const fs::path tree = fs::absolute(directory).lexically_normal(), copies = fs::path(work) / "new";
  auto count = find_strip(*files, diff, tree, strip);
  NOPHOOK_TRY(count);
  NOPHOOK_TRY(copy_sources(*files, diff, tree, *count, copies));

  const std::string diff_path = fs::absolute(diff);
  const bool is_applied = run_patch(diff_path, copies, *count, /*backwards=*/true).ok();
  const ProgramRun run = run_patch(diff_path, copies, *count, /*backwards=*/false);
  if (run.status == 127)
    return error_at("patch", "cannot be started (Debian: the package patch)");
  if (!run.ok() && is_applied)
    return error_at(diff,
                    "has been applied to the tree already: the tree must be as it was when the "
                    "program was built (undo it by patch -R)");
  if (!run.ok())
    return error_at(diff, "does not apply: " + on_one_line(run.output));

  PatchedSources sources;
  for (const DiffFile &file : *files) {
    const std::string name = stripped_name(name_of(file), *count);
    std::error_code error;
    const bool is_there = fs::exists(copies / name, error);
    sources.files.push_back({(tree / name).lexically_normal(), name,
                             is_there ? (copies / name).string() : std::string(), file.lines,
                             file.before.empty()});
  }
  sources.remarks = on_one_line(run.output);
  sources.overlay = (fs::path(work) / "overlay.json").string();
  NOPHOOK_TRY(write_text(sources.overlay, overlay_of(sources.files).text()));
  return sources;
}

} // namespace nophook
