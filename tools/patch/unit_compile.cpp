// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/unit_compile.h"

#include "build/cc/compiler.h"

#include <algorithm>
#include <filesystem>

namespace nophook {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

bool is_launcher(const std::string &word) {
  const std::string name = fs::path(word).filename();
  return name == "ccache" || name == "sccache" || name == "distcc" || name == "icecc";
}

// The options that choose the output and its place; ours replace them.
constexpr const char *kOutputs[] = {"-c", "-S", "-E", "-MD", "-MMD", "-MP", "-MG", "-M", "-MM"};
constexpr const char *kOutputsWithValue[] = {"-o",  "-MF", "-MT",
                                             "-MQ", "-MJ", "--serialize-diagnostics"};

Words without_outputs(const Unit &unit) {
  Words words;
  size_t i = 0;
  while (i < unit.words.size() && is_launcher(unit.words[i]))
    i++; // a launcher such as a cache does not know overlays
  for (; i < unit.words.size(); i++) {
    const std::string &word = unit.words[i];
    if (std::ranges::find(kOutputs, word) != std::end(kOutputs))
      continue;
    if (std::ranges::find(kOutputsWithValue, word) != std::end(kOutputsWithValue)) {
      i++;
      continue;
    }
    if ((word.starts_with("-o") && word.size() > 2 && !word.starts_with("-objc")) ||
        word.starts_with("-MF") || word.starts_with("-MT") || word.starts_with("-MQ") ||
        word.starts_with("-MJ") || word.starts_with("-save-temps") || word.starts_with("-Wp,-M"))
      continue;
    words.push_back(word);
  }
  return words;
}

// Appends flags in front of a `--`, behind which all words are files.
void append(const Words &flags, Words *words) {
  words->insert(std::ranges::find(*words, "--"), flags.begin(), flags.end());
}

bool has_word(const Unit &unit, std::initializer_list<const char *> wanted) {
  return std::ranges::any_of(unit.words, [&](const std::string &word) {
    return std::ranges::find(wanted, word) != wanted.end();
  });
}

} // namespace

std::string refusal_of(const Unit &unit) {
  Words words;
  std::ranges::copy_if(unit.words, std::back_inserter(words),
                       [](const std::string &word) { return !is_launcher(word); });
  if (const char *chosen = std::getenv("NOPHOOK_CC"); chosen && words.size() > 1 &&
                                                      fs::path(words[0]).filename() == "nophook" &&
                                                      !gcc_in({chosen}).empty())
    return "is compiled by gcc (NOPHOOK_CC), and a patch by clang: gcc's functions may rely on "
           "registers that others leave alone (-fipa-ra); build the program by nophook cc with "
           "clang";
  if (const std::string gcc = gcc_in(words);
      !gcc.empty() && words[0].find("nophook") == std::string::npos)
    return "is compiled by " + gcc +
           ", and a patch by clang: gcc's functions may rely on registers that others leave alone "
           "(-fipa-ra); build the program by nophook cc";
  bool has_lto = false;
  for (const std::string &word : unit.words)
    has_lto = word == "-flto" || word.starts_with("-flto=") || (has_lto && word != "-fno-lto");
  if (has_lto)
    return "is compiled with -flto: the linker makes its code, so the object does not show what a "
           "change changes; build the program without";
  const std::string extension = fs::path(unit.file).extension();
  if (extension == ".s" || extension == ".S")
    return "is assembly, which cannot be taken apart";
  return {};
}

std::vector<std::string> compile_command(const Unit &unit, const Words &flags,
                                         const std::string &output) {
  Words words = without_outputs(unit);
  append(flags, &words);
  append({"-w", "-Wno-unused-command-line-argument", "-c", "-o", output}, &words);
  return words;
}

std::vector<std::string> dependencies_command(const Unit &unit, const Words &flags) {
  Words words = without_outputs(unit);
  append(flags, &words);
  append({"-w", "-Wno-unused-command-line-argument", "-M"}, &words);
  return words;
}

std::vector<std::string> dependencies_in(const std::string &rule, const std::string &directory) {
  std::vector<std::string> files;
  std::string word;
  const auto add = [&] {
    if (!word.empty() && !word.ends_with(':'))
      files.push_back((fs::path(directory) / word).lexically_normal());
    word.clear();
  };
  for (size_t i = 0; i < rule.size(); i++) {
    if (rule[i] == '\\' && i + 1 < rule.size()) {
      if (rule[++i] == '\n')
        add();
      else
        word += rule[i];
    } else if (rule[i] == ' ' || rule[i] == '\n') {
      add();
    } else {
      word += rule[i] == '$' && i + 1 < rule.size() && rule[i + 1] == '$' ? rule[i++] : rule[i];
    }
  }
  add();
  return files;
}

bool is_cxx(const Unit &unit) {
  const std::string extension = fs::path(unit.file).extension();
  for (const char *cxx : {".cc", ".cpp", ".cxx", ".c++", ".C", ".CC", ".cp", ".hpp", ".inl"})
    if (extension == cxx)
      return true;
  return has_word(unit, {"c++"}) && extension != ".c";
}

bool is_pic(const Unit &unit) {
  bool is_pic = true; // clang's default on Linux is -fPIE
  for (const std::string &word : unit.words) {
    if (word == "-fPIC" || word == "-fpic" || word == "-fPIE" || word == "-fpie")
      is_pic = true;
    if (word == "-fno-PIC" || word == "-fno-pic" || word == "-fno-PIE" || word == "-fno-pie")
      is_pic = false;
  }
  return is_pic;
}

} // namespace nophook
