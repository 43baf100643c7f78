// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// recordmcount: gives the objects of any compiler the shape of the plugin's.
//
// Errors go to standard error as `recordmcount: FILE: PLACE: PROBLEM`, one for each file that
// fails; the other files are recorded nevertheless. Exit status: 0 done or nothing to do, 1 a file
// failed, 2 usage.

#include "interrupt.h"
#include "progress.h"
#include "record_file.h"

#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"

namespace nophook::recordmcount {
namespace {

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
    const Interrupts interrupts;
    Progress progress(arguments.files.size());
    const unsigned jobs =
        std::min<size_t>(arguments.jobs ? arguments.jobs : ~0u, arguments.files.size());
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(jobs));
    for (size_t i = 0; i < arguments.files.size(); i++)
      pool.async([&, i] {
        if (interrupts.any())
          return;
        outcomes[i] = record_file(arguments, arguments.files[i]);
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
