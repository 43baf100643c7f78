// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// recordmcount: gives the objects of any compiler the shape of the plugin's.
//
// Errors go to standard error as `recordmcount: FILE: PLACE: PROBLEM`, one for each file that
// fails; the other files are recorded nevertheless. Exit status: 0 done or nothing to do, 1 a file
// failed, 2 usage.

#include "archive.h"
#include "arguments.h"
#include "input_file.h"
#include "interrupt.h"
#include "progress.h"
#include "record.h"
#include "replace_file.h"
#include "sort.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"

namespace nophook::recordmcount {
namespace {

using llvm::Error;
using llvm::Expected;

// The result for one file.
struct Outcome : Counts {
  bool changed = false;
  std::string list;  // lines for --list
  std::string error; // empty: no error

  void add(const Record &record, const std::string &prefix) {
    *this += record;
    for (const ListedSite &site : record.list)
      list += prefix + site.place + " " + (site.function.empty() ? "?" : site.function) + "\n";
  }
};

llvm::StringRef text_of(const std::vector<uint8_t> &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

class Recorder {
public:
  explicit Recorder(const Arguments &arguments) : arguments_(arguments) {}

  Error record(const std::string &path, Outcome &outcome) const {
    const std::string &target = arguments_.output.empty() ? path : arguments_.output;
    if (std::string problem = input_problem(path); !problem.empty())
      return error_in(path, problem);
    // The file is read, not mapped: threads would wait for each other at the one address space.
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/true,
                                              /*IsVolatile=*/true);
    if (!buffer)
      return error_in(path, "cannot be read: " + buffer.getError().message());
    if (arguments_.sort)
      return sort(path, target, **buffer, outcome);
    const std::string prefix = arguments_.files.size() > 1 ? path + ": " : "";
    return is_archive((*buffer)->getBuffer()) ? archive(path, target, **buffer, prefix, outcome)
                                              : object(path, target, **buffer, prefix, outcome);
  }

private:
  Error sort(const std::string &path, const std::string &target, const llvm::MemoryBuffer &buffer,
             Outcome &outcome) const {
    auto sorted = sort_table(buffer.getBuffer());
    if (!sorted)
      return error_in(path, llvm::toString(sorted.takeError()));
    outcome.objects++;
    outcome.sites += sorted->sites;
    return write(path, target, sorted->image ? text_of(*sorted->image) : buffer.getBuffer(),
                 sorted->image.has_value(), outcome);
  }

  Error object(const std::string &path, const std::string &target, const llvm::MemoryBuffer &buffer,
               const std::string &prefix, Outcome &outcome) const {
    auto result = record_object(buffer.getBuffer(), arguments_.record);
    if (!result)
      return error_in(path, llvm::toString(result.takeError()));
    outcome.add(*result, prefix);
    return write(path, target, result->image ? text_of(*result->image) : buffer.getBuffer(),
                 result->image.has_value(), outcome);
  }

  Error archive(const std::string &path, const std::string &target,
                const llvm::MemoryBuffer &buffer, const std::string &prefix,
                Outcome &outcome) const {
    ArchiveEdits edits;
    edits.whole = target != path; // -o writes one file
    edits.member =
        [&](llvm::MemoryBufferRef member) -> Expected<std::unique_ptr<llvm::MemoryBuffer>> {
      auto result = record_object(member.getBuffer(), arguments_.record);
      if (!result)
        return result.takeError();
      outcome.add(*result, prefix + "(" + member.getBufferIdentifier().str() + ") ");
      if (!result->image)
        return nullptr;
      return llvm::MemoryBuffer::getMemBufferCopy(text_of(*result->image),
                                                  member.getBufferIdentifier());
    };
    edits.replace_file = [&](const std::string &member, llvm::StringRef bytes) -> Error {
      Outcome of_member;
      return write(member, member, bytes, /*changed=*/true, of_member);
    };
    auto edited = edit_archive(buffer.getMemBufferRef(), edits);
    if (!edited)
      return error_in(path, llvm::toString(edited.takeError()));
    return write(path, target, *edited ? (*edited)->getBuffer() : buffer.getBuffer(),
                 *edited != nullptr, outcome);
  }

  Error write(const std::string &path, const std::string &target, llvm::StringRef bytes,
              bool changed, Outcome &outcome) const {
    outcome.changed = changed;
    if (arguments_.dry_run || (!changed && target == path))
      return Error::success();
    return replace_file(target, path, bytes, {target == path, arguments_.fsync});
  }

  const Arguments &arguments_;
};

void print(const Arguments &arguments, const std::vector<Outcome> &outcomes) {
  Counts all;
  size_t changed = 0, failed = 0;
  for (size_t i = 0; i < outcomes.size(); i++) {
    const Outcome &one = outcomes[i];
    llvm::outs() << one.list;
    if (!one.error.empty()) {
      failed++;
      continue;
    }
    if (arguments.verbose)
      llvm::outs() << arguments.files[i] << ": " << one.sites << " sites, " << one.new_sites
                   << " new" << (one.changed ? "" : ", unchanged") << "\n";
    changed += one.changed;
    all += one;
  }
  if (arguments.quiet)
    return;
  if (arguments.sort) {
    llvm::outs() << "recordmcount: " << all.sites << " sites; " << changed << " of "
                 << outcomes.size() << " files " << (arguments.dry_run ? "would be " : "")
                 << "sorted" << (failed ? ", " + std::to_string(failed) + " failed" : "") << "\n";
    return;
  }
  llvm::outs() << "recordmcount: " << all.sites << " sites in " << all.objects << " objects, "
               << all.new_sites << " new; " << changed << " of " << outcomes.size() << " files "
               << (arguments.dry_run ? "would change" : "changed");
  if (all.described)
    llvm::outs() << ", " << all.described << " functions described (" << all.entry_only
                 << " entry only)";
  if (all.repaired_tables)
    llvm::outs() << ", " << all.repaired_tables << " tables of the compiler repaired";
  if (failed)
    llvm::outs() << ", " << failed << " failed";
  llvm::outs() << "\n";
  if (all.unnamed_nops)
    llvm::outs() << "recordmcount: " << all.unnamed_nops
                 << " functions have a NOP that no table names: compile them with -mrecord-mcount"
                    " as well as -mnop-mcount\n";
}

int run(const Arguments &arguments) {
  std::vector<Outcome> outcomes(arguments.files.size());
  {
    const Recorder recorder(arguments);
    const Interrupts interrupts;
    Progress progress(arguments.files.size());
    const unsigned jobs =
        std::min<size_t>(arguments.jobs ? arguments.jobs : ~0u, arguments.files.size());
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(jobs));
    for (size_t i = 0; i < arguments.files.size(); i++)
      pool.async([&, i] {
        if (interrupts.any())
          return;
        if (Error error = recorder.record(arguments.files[i], outcomes[i]))
          outcomes[i].error = llvm::toString(std::move(error));
        progress.done_one();
      });
    pool.wait();
  }
  bool failed = false;
  for (const Outcome &outcome : outcomes) {
    if (outcome.error.empty())
      continue;
    llvm::errs() << "recordmcount: " << outcome.error << "\n";
    failed = true;
  }
  print(arguments, outcomes);
  return failed ? 1 : 0;
}

} // namespace
} // namespace nophook::recordmcount

int main(int argc, char **argv) {
  using namespace nophook::recordmcount;
  Arguments arguments;
  if (std::optional<int> status = parse(argc, argv, &arguments))
    return *status;
  return run(arguments);
}
