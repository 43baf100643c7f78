// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a command line with clang's tables, as the driver would.

#include "build/cc/command_line.h"

#include "machine/machine.h"

#include "build/cc/clang_options.h"

#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/Path.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

namespace nophook {

namespace {

using llvm::StringRef;
using llvm::opt::Arg;
using llvm::opt::InputArgList;

// The type that the driver takes an input for; TY_INVALID goes to the linker.
types::ID type_of(StringRef path, types::ID language) {
  StringRef extension = llvm::sys::path::extension(path);
  if (language != types::TY_INVALID || extension.empty())
    return language;
  return types::lookupTypeForExtension(extension.drop_front());
}

// Whether the driver makes an object of an input of this type.
bool is_source(types::ID type) {
  return type != types::TY_INVALID && !types::isLLVMIR(type) &&
         llvm::is_contained(types::getCompilationPhases(type), clang::driver::phases::Assemble);
}

// Whether the driver makes nothing of the source that recordmcount could read.
bool stops_before_objects(const InputArgList &arguments) {
  return arguments.hasArg(options::OPT_S, options::OPT_E, options::OPT_M, options::OPT_MM) ||
         arguments.hasArg(options::OPT_fsyntax_only);
}

// Whether an option ends the run before the link; the driver has no table of these.
bool stops_before_link(const InputArgList &arguments) {
  return arguments.hasArg(options::OPT_Action_Group, options::OPT_M, options::OPT_MM,
                          options::OPT__analyze, options::OPT_emit_ast) ||
         arguments.hasArg(options::OPT_fmodule_header, options::OPT_fmodule_header_EQ,
                          options::OPT_print_supported_cpus, options::OPT_rewrite_legacy_objc);
}

void read_linker_word(StringRef word, bool *relocatable, CommandLine *line) {
  *relocatable |= word == "-r" || word == "-i" || word == "--relocatable";
  line->packs_relocations |=
      word.contains("pack-relative-relocs") || word.contains("pack-dyn-relocs");
  line->has_runtime |= word.contains("nophook_register_module") ||
                       llvm::sys::path::filename(word).starts_with("libnophook.") ||
                       word == "nophook"; // -lnophook
  line->has_module |= is_module_object(word);
}

// Whether the linker runs: for any input or linker's option, unless something stops it.
void read_inputs(const InputArgList &arguments, CommandLine *line) {
  types::ID language = types::TY_INVALID;
  bool relocatable = arguments.hasArg(options::OPT_r), has_linkable = false;
  const bool makes_objects = arguments.hasArg(options::OPT_c) && !stops_before_objects(arguments);
  auto input = [&](StringRef path) {
    line->has_inputs = true;
    read_linker_word(path, &relocatable, line);
    types::ID type = type_of(path, language);
    bool is_header = type != types::TY_INVALID && types::onlyPrecompileType(type);
    has_linkable |= !is_header;
    line->precompiles |= is_header && !stops_before_objects(arguments);
    line->skips_front_end |= type != types::TY_INVALID && types::isLLVMIR(type);
    if (!is_source(type) || stops_before_objects(arguments))
      return;
    line->has_sources = true;
    line->has_languages |= type != types::TY_Asm && type != types::TY_PP_Asm;
    if (makes_objects)
      line->objects.push_back((llvm::sys::path::stem(path) + ".o").str());
  };
  for (const Arg *arg : arguments) {
    if (arg->getOption().matches(options::OPT_x))
      language = types::lookupTypeForTypeSpecifier(arg->getValue());
    else if (arg->getOption().matches(options::OPT_INPUT))
      input(arg->getValue());
    else if (arg->getOption().matches(options::OPT__DASH_DASH))
      for (const char *path : arg->getValues())
        input(path);
    else if (arg->getOption().hasFlag(options::LinkerInput)) {
      line->has_inputs = has_linkable = true;
      for (const char *word : arg->getValues())
        read_linker_word(word, &relocatable, line);
    } else if (arg->getOption().matches(options::OPT_z) || arg->getOption().matches(options::OPT_u))
      read_linker_word(arg->getValue(), &relocatable, line);
  }
  line->runs_linker = has_linkable && !stops_before_link(arguments);
  line->links = line->runs_linker && !relocatable;
  if (const Arg *output = arguments.getLastArg(options::OPT_o); output && !line->objects.empty())
    line->objects = {output->getValue()};
}

// A cross gcc has its target in front of its name: aarch64-linux-gnu-gcc-12.
llvm::Triple target_of(StringRef gcc, const llvm::Triple &host) {
  StringRef name = llvm::sys::path::filename(gcc);
  llvm::Triple triple(llvm::Triple::normalize(name.substr(0, name.rfind("-g"))));
  return triple.getArch() == llvm::Triple::UnknownArch ? host : triple;
}

void read_target(const InputArgList &arguments, StringRef gcc, CommandLine *line) {
  llvm::Triple host(llvm::sys::getDefaultTargetTriple()), triple = target_of(gcc, host);
  bool is_named = triple != host;
  if (const Arg *target = arguments.getLastArg(options::OPT_target)) {
    triple = llvm::Triple(llvm::Triple::normalize(target->getValue()));
    is_named = true;
  }
  if (const Arg *width = arguments.getLastArg(options::OPT_m64, options::OPT_m32, options::OPT_mx32,
                                              options::OPT_m16)) {
    bool wide = width->getOption().matches(options::OPT_m64);
    triple = wide ? triple.get64BitArchVariant() : triple.get32BitArchVariant();
  }
  line->machine = machine_of_arch(llvm::Triple::getArchTypeName(triple.getArch()));
  line->can_trace = line->machine && !triple.isX32() &&
                    triple.getEnvironment() != llvm::Triple::GNUILP32 && triple.isOSBinFormatELF();
  line->can_link = line->can_trace && triple.isOSLinux();
  if (line->can_link && triple.getArch() != host.getArch())
    line->target = line->machine->arch.str() + "-linux-gnu";
  if (!line->can_link && is_named)
    line->foreign_target = triple.str();
  line->is_large = arguments.getLastArgValue(options::OPT_mcmodel_EQ) == "large";
  // clang-cl and similar drivers have other options.
  StringRef mode = arguments.getLastArgValue(options::OPT_driver_mode, "gcc");
  line->can_trace &= mode == "gcc" || mode == "g++" || mode == "cpp";
}

void read_linker(const InputArgList &arguments, CommandLine *line) {
  const Arg *chosen = arguments.getLastArg(options::OPT_fuse_ld_EQ, options::OPT_ld_path_EQ);
  if (const Arg *path = arguments.getLastArg(options::OPT_ld_path_EQ))
    chosen = path; // the driver prefers this one
  if (!chosen)
    return;
  line->linker_name = chosen->getValue();
  StringRef name = llvm::sys::path::filename(line->linker_name);
  if (name.contains("lld"))
    line->linker = Linker::kLld;
  else if (name.contains("gold") || name.contains("mold"))
    line->linker = Linker::kWithoutScripts;
}

// Reads options of ours that are given already: by nophook_instrument(), or by a Makefile that
// asked pkg-config.
void read_own_options(const InputArgList &arguments, CommandLine *line) {
  for (const Arg *arg : arguments.filtered(options::OPT_fplugin_EQ))
    line->has_plugin |= llvm::sys::path::filename(arg->getValue()) == "NophookPass.so";
  for (const Arg *arg : arguments.filtered(options::OPT_fplugin_arg)) {
    StringRef option = arg->getValue();
    if (option.consume_front("nophook-include=") || option.consume_front("nophook-exclude="))
      line->lists.push_back(option.str());
  }
}

// Removes gcc's options with a word behind them that clang does not have: the word would be taken
// for a file.
void remove_options_of_gcc(llvm::SmallVectorImpl<const char *> *words) {
  static constexpr StringRef kOptions[] = {"-aux-info", "-dumpbase", "-dumpbase-ext", "-wrapper"};
  for (size_t i = 0; i < words->size();)
    if (llvm::is_contained(kOptions, StringRef((*words)[i])))
      words->erase(words->begin() + i, words->begin() + std::min(i + 2, words->size()));
    else
      i++;
}

llvm::SmallVector<const char *, 64> expand(const std::vector<std::string> &arguments,
                                           llvm::BumpPtrAllocator *allocator) {
  llvm::SmallVector<const char *, 64> words;
  for (const std::string &argument : arguments)
    words.push_back(argument.c_str());
  // A file that cannot be read stays a word, and an unknown option is no reason to stop: the
  // compiler will report both.
  llvm::cl::ExpansionContext context(*allocator, llvm::cl::TokenizeGNUCommandLine);
  llvm::consumeError(context.expandResponseFiles(words));
  return words;
}

} // namespace

bool is_module_object(std::string_view path) {
  const StringRef name = llvm::sys::path::filename(path);
  return name == "nophook_module.o" || name == "nophook_module_by_name.o";
}

CommandLine read_command_line(const std::vector<std::string> &arguments, const std::string &gcc) {
  llvm::BumpPtrAllocator allocator;
  llvm::SmallVector<const char *, 64> words = expand(arguments, &allocator);
  if (!gcc.empty())
    remove_options_of_gcc(&words);
  unsigned missing_index = 0, missing_count = 0;
  InputArgList parsed = getDriverOptTable().ParseArgs(words, missing_index, missing_count,
                                                      llvm::opt::Visibility(options::ClangOption));
  CommandLine line;
  read_inputs(parsed, &line);
  read_target(parsed, gcc, &line);
  read_linker(parsed, &line);
  read_own_options(parsed, &line);
  line.skips_front_end |= parsed.hasArg(options::OPT_save_temps, options::OPT_save_temps_EQ);
  line.is_shared = parsed.hasArg(options::OPT_shared);
  line.has_lto =
      parsed.hasFlag(options::OPT_flto, options::OPT_flto_EQ, options::OPT_fno_lto, false);
  line.has_pipe = parsed.hasArg(options::OPT_pipe);
  line.is_static = parsed.hasArg(options::OPT_static, options::OPT_static_pie);
  return line;
}

std::vector<std::string> without_pipe(const std::vector<std::string> &arguments) {
  llvm::BumpPtrAllocator allocator;
  std::vector<std::string> kept;
  for (const char *word : expand(arguments, &allocator))
    if (StringRef(word) != "-pipe")
      kept.push_back(word);
  return kept;
}

std::string linked_file(const std::vector<std::string> &arguments) {
  std::string file = "a.out";
  for (size_t i = 0; i < arguments.size(); i++) {
    const std::string &word = arguments[i];
    if (word.starts_with("@"))
      return "";
    if (word == "-o" && i + 1 < arguments.size())
      file = arguments[++i];
    else if (word.starts_with("-o") && word.size() > 2)
      file = word.substr(2);
  }
  return file;
}

} // namespace nophook
