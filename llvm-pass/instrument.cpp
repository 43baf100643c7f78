// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instruments a module, with nearly no change, and that is the point.
//
// The back end already knows how to put NOPs in front of a prologue, behind `endbr64`, and
// to list their addresses in a section that shares the function's COMDAT group and link
// order: `patchable-function-entry`. So the pass sets attributes, at the very end of the
// optimizer, where they cannot disturb inlining. It also runs on modules that it has seen
// before (two plugin options, LTO): existing attributes are left alone.
//
// LTO: before the link, signatures are not final. When everything is local, argument
// promotion may turn six pointers into eighteen values and so move arguments to the stack. A
// descriptor that was written before would make the runtime call through without a copy. So
// functions get only their site before the link. They get their descriptor if the plugin is in
// the link, too (lld: -Wl,--load-pass-plugin=NophookPass.so). Otherwise they are traced by entry
// events.

#include "instrument.h"
#include "classify.h"
#include "conventions.h"
#include "descriptor.h"
#include "extract.h"
#include "hoisted_calls.h"
#include "imports.h"
#include "ir_cpu.h"
#include "loops.h"
#include "marks.h"
#include "nophook/site.h"
#include "prototype_writer.h"
#include "remarks.h"
#include "select.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <mutex>

namespace nophook {
namespace {

constexpr llvm::StringLiteral kEntryAttribute = "patchable-function-entry";
constexpr llvm::StringLiteral kSectionAttribute = "patchable-function-entry-section";

// The value of the attribute for a site; empty: none for this target.
llvm::StringRef site_units(const llvm::Triple &triple) {
  const IrCpu *cpu = triple.isOSBinFormatELF() ? ir_cpu(triple) : nullptr;
  return cpu ? cpu->site_units(triple) : "";
}

void report(llvm::Module &module, const llvm::Twine &message) {
  module.getContext().emitError("nophook: " + message);
}

// Whether the function is compiled with -pg, with or without -mfentry: clang leaves the call to the
// back end, behind our NOP. Then each function would be counted by gprof and traced by us, from two
// places.
bool is_profiled(const llvm::Function &function) {
  return function.hasFnAttribute("fentry-call") ||
         function.getFnAttribute("instrument-function-entry-inlined")
             .getValueAsString()
             .contains("mcount");
}

// The back end lists the site's address in a section of its own. A loader relocates addresses one
// by one, so distances take their place, but for the code models that may need 8 bytes for them.
void add_to_table(llvm::Function &function, bool has_wide_addresses) {
  if (!kHasEntrySection)
    return;
  if (has_wide_addresses) {
    function.addFnAttr(kSectionAttribute, NOPHOOK_MCOUNT_SECTION);
    return;
  }
  function.addFnAttr(kSectionAttribute, NOPHOOK_ADDRESSES_SECTION);
  attach_distance(function);
}

// Adds the site, at an even address, since the runtime can change a site without a signal only if
// its first two bytes are in one word (docs/design/text_poke.md). Functions are at even addresses
// except with -Os and -Oz.
void add_site(llvm::Function &function, llvm::StringRef units) {
  function.addFnAttr(kEntryAttribute, units);
  if (function.getAlign().valueOrOne() < llvm::Align(2))
    function.setAlignment(llvm::Align(2));
}

// The return address shows the dynamic linker which module calls it. After a tail call that is
// function_graph's address, and RTLD_NEXT would search behind the runtime.
void forbid_tail_calls_to_loader(llvm::Module &module) {
  for (const char *name :
       {"dlsym", "dlvsym", "dlopen", "dlmopen", "dlclose", "dladdr", "dladdr1"}) {
    llvm::Function *callee = module.getFunction(name);
    if (!callee)
      continue;
    for (llvm::User *user : callee->users()) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      if (call && call->getCalledOperand() == callee && !call->isMustTailCall() &&
          call->getFunction()->hasFnAttribute(kEntryAttribute))
        call->setTailCallKind(llvm::CallInst::TCK_NoTail);
    }
  }
}

// Medium and large code models make the first field 8 bytes long: another format.
bool has_wide_addresses(const llvm::Module &module) {
  const std::optional<llvm::CodeModel::Model> model = module.getCodeModel();
  return model && *model >= llvm::CodeModel::Medium;
}

// The choice at the compilation also holds in the link, which has no options.
Descriptors descriptors_of(llvm::Function &function, Descriptors chosen, bool is_before_link) {
  if (function.hasFnAttribute(kDescriptorsKey))
    return parse_descriptors(function.getFnAttribute(kDescriptorsKey).getValueAsString())
        .value_or(chosen);
  if (is_before_link && chosen != Descriptors::kOn)
    function.addFnAttr(kDescriptorsKey, text_of(chosen));
  return chosen;
}

// Whether this process is the one that compiles the module, not the one that links it. A compiled
// module has a mark, which it keeps in the file; but the pass may run twice when compiling, so
// modules that were marked here are remembered.
bool is_compiled_here(llvm::Module &module) {
  static std::mutex mutex;
  static llvm::DenseSet<const llvm::Module *> marked_here;
  const std::lock_guard lock(mutex);
  if (module.getNamedMetadata(kCompiledMark))
    return marked_here.contains(&module);
  module.getOrInsertNamedMetadata(kCompiledMark);
  marked_here.insert(&module);
  return true;
}

// Whether LTO is still to come, for pipelines in which LLVM does not show it: modules for LTO bear
// a flag, but they keep it in the link, and ThinLTO runs the same pipeline there as at the
// compilation.
bool is_before_lto(llvm::Module &module, Lto lto) {
  if (lto != Lto::kUnknown)
    return lto == Lto::kBefore;
  return (module.getModuleFlag("ThinLTO") || module.getModuleFlag("EnableSplitLTOUnit")) &&
         is_compiled_here(module);
}

// Writes the facts about a unit that a live patch needs and that its object does not contain.
void write_facts(llvm::Module &module, const std::string &path) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (!error) {
    write_loops(module, out);
    write_conventions(module, out);
    write_hoisted_calls(module, out);
    out.close();
    error = out.error();
    out.clear_error();
  }
  if (error)
    report(module, "facts: can't write file '" + path + "': " + error.message());
}

} // namespace

llvm::PreservedAnalyses InstrumentPass::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  if (!options_.facts.empty())
    write_facts(module, options_.facts);
  if (options_.extract) {
    if (lto_ == Lto::kMerged || is_before_lto(module, lto_))
      report(module, "extract: link-time optimization (-flto) is not supported");
    else if (extract(module, *options_.extract))
      instrument(module);
    return llvm::PreservedAnalyses::none();
  }
  return instrument(module);
}

llvm::PreservedAnalyses InstrumentPass::instrument(llvm::Module &module) {
  const llvm::Triple triple = target_triple(module);
  const llvm::StringRef units = site_units(triple);
  const Selector selector(module, options_, units, lto_ != Lto::kMerged);
  llvm::SmallVector<llvm::Function *> selected;
  for (llvm::Function &function : module) {
    if (function.isDeclarationForLinker())
      continue;
    const Selection selection = selector.select(function);
    if (selection.kind == Selection::kIn) {
      selected.push_back(&function);
      continue;
    }
    remark_no_site(function, selection);
    if (selection.kind == Selection::kLeftOut && !is_never_traced(function))
      function.addFnAttr(kSkipKey, kSkipValue);
    if (is_always_traced(function))
      warn_no_site(function, selection);
  }
  if (selected.empty())
    return llvm::PreservedAnalyses::all();

  if (units.empty()) {
    report(module, "no tracing for target '" + triple.str() +
                       "': only x86-64 and AArch64 with ELF are supported");
    return llvm::PreservedAnalyses::all();
  }
  if (llvm::any_of(selected, [](llvm::Function *function) { return is_profiled(*function); })) {
    report(module, "-pg instruments the same functions for gprof: leave it out");
    return llvm::PreservedAnalyses::all();
  }
  const Classifier classifier(module);
  if (!classifier.error().empty()) {
    report(module, classifier.error());
    return llvm::PreservedAnalyses::all();
  }
  const bool is_before_link = is_before_lto(module, lto_);
  const bool is_wide = has_wide_addresses(module);
  const bool may_describe = !is_before_link && !is_wide;

  Prototypes loaded(module, classifier.machine(), descriptor_sections(/*in_file=*/false));
  Prototypes aside(module, classifier.machine(), descriptor_sections(/*in_file=*/true));
  bool is_loaded = false, is_aside = false;
  for (llvm::Function *function : selected) {
    const bool is_new = !function->hasFnAttribute(kEntryAttribute);
    if (is_new) {
      add_site(*function, units);
      add_to_table(*function, is_wide);
    }
    const Descriptors where = descriptors_of(*function, options_.descriptors, is_before_link);
    is_loaded |= where == Descriptors::kOn;
    is_aside |= where == Descriptors::kFile;
    if (may_describe && where != Descriptors::kOff && !has_descriptor(*function)) {
      const Classification classification = classifier.classify(*function);
      const uint32_t flags =
          classifier.looks_at_caller(*function) ? NOPHOOK_PROTOTYPE_READS_CALLER : 0;
      const bool in_file = where == Descriptors::kFile;
      const uint32_t prototype = (in_file ? aside : loaded).add(*function, flags);
      attach_descriptor(*function, classification, prototype, descriptor_sections(in_file).args);
      remark_site(*function, classification);
    } else if (is_new) {
      remark_site(*function, is_before_link ? "how is decided in the LTO link"
                                            : "entry only, without descriptors");
    }
  }
  // Code with a loaded descriptor has a loaded record of its imports (nophook/got_uses.h).
  if (may_describe && (is_loaded || is_aside))
    add_imports(module, classifier, is_loaded ? loaded : aside);
  loaded.finish();
  aside.finish();
  forbid_tail_calls_to_loader(module);
  return llvm::PreservedAnalyses::none();
}

void InstrumentPass::printPipeline(llvm::raw_ostream &out,
                                   llvm::function_ref<llvm::StringRef(llvm::StringRef)>) {
  out << "nophook";
  print_parameters(options_, out);
}

} // namespace nophook
