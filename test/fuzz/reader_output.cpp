// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a verb in this process with its standard output in memory. Its notes go to standard
// error, which libFuzzer closes for us (-close_fd_mask=2).

#include "foundation/file.h"
#include "reader_fuzz.h"

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace nophook {

void demand(bool holds, const std::string &what) {
  if (holds)
    return;
  std::fprintf(stderr, "fuzz: %s\n", what.c_str());
  std::abort();
}

bool check_verb(Verb verb, const std::vector<std::string> &arguments) {
  static const int kMemory = memfd_create("output", MFD_CLOEXEC);
  static const int kOutput = ::dup(1);
  demand(::ftruncate(kMemory, 0) == 0 && ::lseek(kMemory, 0, SEEK_SET) == 0, "no memory");
  ::dup2(kMemory, 1);
  (void)verb(arguments); // a refusal is an answer, too
  ::dup2(kOutput, 1);
  std::string text((size_t)::lseek(kMemory, 0, SEEK_CUR), 0);
  demand(::pread(kMemory, text.data(), text.size(), 0) == (ssize_t)text.size(), "no output");
  bool json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    std::string_view line(text.data() + at, end - at);
    if (json)
      demand(nlohmann::json::accept(line), "no JSON: " + std::string(line));
    demand(printable(line) == line, "no line of text: " + std::string(line));
  }
  return !text.empty();
}

} // namespace nophook
