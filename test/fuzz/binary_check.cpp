// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An executable of any bytes, through what reads tables of sites and symbols: the calls that it
// makes of libraries, and the probes that are made of it for other tracers.

#include "elf_fuzz.h"
#include "reader_fuzz.h"
#include "verbs.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace nophook {

void demand(bool holds, const llvm::Twine &what) {
  demand(holds, what.str());
}

bool check_image(const uint8_t *bytes, size_t size) {
  static const int kFile = memfd_create("binary", MFD_CLOEXEC);
  static const std::string kPath = "/proc/self/fd/" + std::to_string(kFile);
  demand(::ftruncate(kFile, 0) == 0 && ::pwrite(kFile, bytes, size, 0) == (ssize_t)size,
         std::string("no memory"));
  check_verb(list_verb, {"--calls", "--json", kPath});
  return check_verb(export_verb, {"--uprobes", "--returns", kPath});
}

} // namespace nophook
