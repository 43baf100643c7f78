// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handler of LLVM's fatal errors.

#include "foundation/damaged_file.h"

#include "foundation/file.h"

#include <cstdio>
#include <fmt/format.h>
#include <llvm/Support/ErrorHandling.h>
#include <unistd.h>

namespace nophook {
namespace {

thread_local std::string g_path;

// Prints the error. Nothing can be trusted after it, so the command ends as by any other error.
void on_fatal_error(void *, const char *reason, bool) {
  const std::string path = g_path.empty() ? "a file of the program" : printable(g_path);
  fmt::print(stderr, "nophook: {}: is damaged: {}\n", path, printable(reason));
  std::fflush(stderr);
  ::_exit(kExitFailure);
}

} // namespace

void report_damaged_files() {
  llvm::install_fatal_error_handler(on_fatal_error);
}

void name_read_file(const std::string &path) {
  g_path = path;
}

} // namespace nophook
