// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds inputs among a linker's words by their first bytes.

#include "build/cc/linker_line.h"

#include "machine/machine.h"
#include "machine/own_cpu.h"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace nophook {

namespace {

using llvm::StringRef;

enum class FileKind { kOther, kObject, kArchive, kThinArchive };

FileKind kind_of(const std::string &path) {
  // Only regular files are opened: the bytes of a FIFO are the linker's.
  struct stat status;
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return FileKind::kOther;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return FileKind::kOther;
  char head[20] = {};
  const ssize_t bytes = ::pread(fd, head, sizeof head, 0);
  ::close(fd);
  const StringRef begin(head, std::max<ssize_t>(bytes, 0));
  if (begin.starts_with("!<arch>\n"))
    return FileKind::kArchive;
  if (begin.starts_with("!<thin>\n"))
    return FileKind::kThinArchive;
  const bool is_elf = begin.size() >= 18 && begin.starts_with(StringRef(llvm::ELF::ElfMagic, 4));
  const bool is_64 = is_elf && begin[llvm::ELF::EI_CLASS] == llvm::ELF::ELFCLASS64;
  return is_64 && begin[16] == llvm::ELF::ET_REL && begin[17] == 0 ? FileKind::kObject
                                                                   : FileKind::kOther;
}

// Whether the next word of an option is a file, or may look like one, that must stay as it is.
bool takes_a_file(StringRef word) {
  static constexpr StringRef kOptions[] = {"o",
                                           "output",
                                           "Map",
                                           "R",
                                           "just-symbols",
                                           "out-implib",
                                           "T",
                                           "script",
                                           "dT",
                                           "plugin",
                                           "plugin-opt",
                                           "dependency-file",
                                           "reproduce",
                                           "soname",
                                           "h",
                                           "rpath",
                                           "rpath-link",
                                           "undefined",
                                           "u",
                                           "entry",
                                           "e",
                                           "dynamic-linker",
                                           "I",
                                           "version-script",
                                           "dynamic-list",
                                           "filter",
                                           "F",
                                           "auxiliary",
                                           "f",
                                           "init",
                                           "fini",
                                           "defsym",
                                           "wrap",
                                           "y",
                                           "trace-symbol",
                                           "z",
                                           "A",
                                           "G",
                                           "a",
                                           "sysroot",
                                           "Ttext",
                                           "Tdata",
                                           "Tbss",
                                           "Ttext-segment",
                                           "section-start",
                                           "retain-symbols-file"};
  if (!word.consume_front("--"))
    word.consume_front("-");
  return llvm::is_contained(kOptions, word);
}

class Reader {
public:
  explicit Reader(LinkerLine &out) : out_(out), words_(out.words) {}

  void read() {
    set_target();
    collect_folders();
    for (at_ = 0; at_ < words_.size(); at_++)
      read_word(words_[at_]);
    line().links = line().runs_linker = line().has_inputs && !is_relocatable_;
  }

private:
  CommandLine &line() { return out_.line; }

  // Collects the folders: the linker searches all of them for each library, also those named later.
  void collect_folders() {
    for (size_t i = 0; i < words_.size(); i++) {
      StringRef word = words_[i];
      if ((word == "-L" || word == "--library-path") && i + 1 < words_.size())
        folders_.push_back(words_[++i]);
      else if (word.consume_front("-L") || word.consume_front("--library-path="))
        folders_.push_back(word.str());
      line().is_static |= word == "-static" || word == "--static" || word == "-static-pie";
    }
    is_static_ = line().is_static;
  }

  void read_word(const std::string &text) {
    const StringRef word = text;
    if (!word.starts_with("-")) {
      line().has_inputs = true;
      see_own(word);
      add(text, kind_of(text));
      return;
    }
    StringRef value = at_ + 1 < words_.size() ? StringRef(words_[at_ + 1]) : StringRef();
    const StringRef name = word.drop_front(word.starts_with("--") ? 2 : 1);
    if (name == "r" || name == "i" || name == "relocatable" || name == "Ur")
      is_relocatable_ = true;
    else if (name == "shared" || name == "Bshareable")
      line().is_shared = true;
    else if (name == "Bstatic" || name == "dn" || name == "non_shared")
      is_static_ = true;
    else if (name == "Bdynamic" || name == "dy" || name == "call_shared")
      is_static_ = line().is_static;
    else if (word == "-m")
      set_emulation(value);
    else if (word.starts_with("-m") && word.contains("elf"))
      set_emulation(word.drop_front(2));
    else if (word == "-b" || word == "--format")
      is_binary_ = value == "binary";
    else if (word.starts_with("--format="))
      is_binary_ = word.ends_with("=binary");
    else if (word == "-l" || word == "--library")
      library(value, at_ + 1);
    else if (word.starts_with("-l") || word.starts_with("--library="))
      library(word.starts_with("-l") ? word.drop_front(2) : word.drop_front(10), at_);
    see_own(word);
    if (word == "-m" || word == "-b" || word == "--format" || word == "-L" ||
        word == "--library-path" || word == "-l" || word == "--library" || takes_a_file(word)) {
      see_own(value);
      at_++;
    }
  }

  // Notes our own flags, which `nophook cc` or a Makefile may have given already.
  void see_own(StringRef word) {
    const StringRef name = llvm::sys::path::filename(word);
    line().has_module |= is_module_object(word);
    line().has_runtime |= word.contains("nophook_register_module") ||
                          name.starts_with("libnophook.") || word == "-lnophook";
    line().packs_relocations |=
        word.contains("pack-relative-relocs") || word.contains("pack-dyn-relocs");
  }

  void add(const std::string &path, FileKind kind) {
    if (kind != FileKind::kOther && !is_binary_)
      out_.inputs.push_back({at_, path, kind != FileKind::kObject, kind == FileKind::kThinArchive});
  }

  void library(StringRef name, size_t word) {
    line().has_inputs = true;
    if (word != at_) // the case of `-l NAME` in two words
      return;
    const bool is_exact = name.consume_front(":");
    for (const std::string &folder : folders_) {
      const std::string begin = folder + "/" + (is_exact ? "" : "lib") + name.str();
      if (!is_exact && !is_static_ && llvm::sys::fs::exists(begin + ".so"))
        return;
      const std::string path = is_exact ? begin : begin + ".a";
      if (llvm::sys::fs::exists(path))
        return add(path, kind_of(path));
    }
  }

  void set_emulation(StringRef name) {
    machine_ = machine_of_emulation(name);
    set_target();
  }

  void set_target() {
    line().can_trace = line().can_link = machine_;
    line().machine = machine_;
    line().target =
        machine_ && machine_->number != kOwnProcessor ? machine_->arch.str() + "-linux-gnu" : "";
  }

  LinkerLine &out_;
  const std::vector<std::string> &words_;
  std::vector<std::string> folders_;
  const Machine *machine_ = find_machine(kOwnProcessor);
  size_t at_ = 0;
  bool is_relocatable_ = false, is_static_ = false, is_binary_ = false;
};

} // namespace

Linker linker_of(const std::string &path) {
  llvm::SmallString<128> real;
  if (llvm::sys::fs::real_path(path, real))
    real = path;
  for (StringRef name : {llvm::sys::path::filename(real), llvm::sys::path::filename(path)}) {
    if (name.contains("gold") || name.contains("mold"))
      return Linker::kWithoutScripts;
    if (name.contains("lld"))
      return Linker::kLld;
  }
  return Linker::kGnu;
}

LinkerLine read_linker_line(const std::vector<std::string> &arguments, const std::string &linker) {
  LinkerLine result;
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *, 64> words;
  for (const std::string &argument : arguments) {
    words.push_back(argument.c_str());
    result.has_response_file |= argument.starts_with("@");
  }
  // A response file that cannot be read stays a word: the linker reports it.
  llvm::cl::ExpansionContext context(allocator, llvm::cl::TokenizeGNUCommandLine);
  llvm::consumeError(context.expandResponseFiles(words));
  result.words.assign(words.begin(), words.end());
  result.line.linker = linker_of(linker);
  result.line.linker_name = linker;
  Reader(result).read();
  return result;
}

} // namespace nophook
