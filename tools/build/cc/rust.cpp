// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads rustc's options, and adds ours.

#include "build/cc/rust.h"

#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <fstream>
#include <string_view>

namespace nophook {

namespace {

using Words = std::vector<std::string>;

// In the files that `@FILE` names, each line is an argument.
Words expanded(const Words &arguments) {
  Words words;
  for (const std::string &argument : arguments) {
    std::ifstream file(argument.starts_with("@") ? argument.substr(1) : "");
    if (!argument.starts_with("@") || !file) {
      words.push_back(argument);
      continue;
    }
    for (std::string line; std::getline(file, line);)
      words.push_back(line);
  }
  return words;
}

class RustcReader {
public:
  explicit RustcReader(const Words &words) : words_(words) {
    line_.is_aarch64 =
        llvm::Triple(llvm::sys::getDefaultTargetTriple()).getArch() == llvm::Triple::aarch64;
  }

  RustLine read() {
    for (at_ = 0; at_ < words_.size(); at_++)
      read_word();
    return line_;
  }

private:
  // Finds the value of an option, which stands behind `=`, or is the next word.
  bool is_option(std::string_view name, std::string_view *value) {
    const std::string_view word = words_[at_];
    if (!word.starts_with(name))
      return false;
    *value = word.substr(name.size());
    const bool is_short = name.size() == 2;
    if (value->empty() && at_ + 1 < words_.size())
      *value = words_[++at_];
    else if (!is_short && !value->starts_with("="))
      return false;
    else if (value->starts_with("="))
      value->remove_prefix(1);
    return true;
  }

  void read_word() {
    std::string_view value;
    const std::string &word = words_[at_];
    if (word == "-" || !word.starts_with("-"))
      line_.makes_code = true;
    else if (word == "-g")
      line_.has_types = true;
    else if (is_option("-C", &value) || is_option("--codegen", &value))
      read_codegen(value);
    else if (is_option("-Z", &value))
      line_.has_sites |= value.starts_with("patchable-function-entry");
    else if (is_option("--crate-type", &value))
      line_.is_for_build |= value == "proc-macro";
    else if (is_option("--crate-name", &value))
      line_.is_for_build |= value.starts_with("build_script_");
    else if (is_option("--target", &value))
      read_target(value);
    else
      skip_value();
  }

  void read_codegen(std::string_view value) {
    constexpr std::string_view kLevel = "debuginfo=";
    if (!value.starts_with(kLevel))
      return;
    value.remove_prefix(kLevel.size());
    line_.has_types = value == "2" || value == "full";
    line_.has_no_debug_info = value == "0" || value == "none";
  }

  void read_target(std::string_view target) {
    line_.is_aarch64 = target.starts_with("aarch64-");
    line_.can_trace = (line_.is_aarch64 || target.starts_with("x86_64-")) &&
                      target.find("linux-gnu") != std::string_view::npos &&
                      target.find("x32") == std::string_view::npos;
  }

  // Skips the value of another option, which is no source.
  void skip_value() {
    static constexpr std::string_view kOptions[] = {"--cfg",
                                                    "--check-cfg",
                                                    "-L",
                                                    "-l",
                                                    "--edition",
                                                    "--emit",
                                                    "-o",
                                                    "--print",
                                                    "-A",
                                                    "--allow",
                                                    "-W",
                                                    "--warn",
                                                    "-D",
                                                    "--deny",
                                                    "-F",
                                                    "--forbid",
                                                    "--extern",
                                                    "--sysroot",
                                                    "--out-dir",
                                                    "--error-format",
                                                    "--color",
                                                    "--json",
                                                    "--remap-path-prefix",
                                                    "--cap-lints",
                                                    "--explain",
                                                    "--diagnostic-width"};
    if (std::ranges::find(kOptions, words_[at_]) != std::end(kOptions))
      at_++;
  }

  const Words &words_;
  RustLine line_;
  size_t at_ = 0;
};

} // namespace

RustLine read_rust_line(const Words &arguments) {
  const Words words = expanded(arguments);
  return RustcReader(words).read();
}

Words traceable(const Words &arguments, const RustLine &line, const std::string &linkers) {
  Words words;
  if (!line.has_sites)
    words.push_back(line.is_aarch64 ? "-Zpatchable-function-entry=1"
                                    : "-Zpatchable-function-entry=5");
  words.insert(words.end(), arguments.begin(), arguments.end());
  if (!line.has_types && !line.has_no_debug_info)
    words.push_back("-Cdebuginfo=2"); // behind the user's flags: the last one counts
  // In front of the folder that rustup's rustc names for its own lld (1.90 and later): the compiler
  // that links takes the first one. `-Clink-arg` would come behind it.
  words.push_back("-Zpre-link-arg=-B" + linkers);
  return words;
}

} // namespace nophook
