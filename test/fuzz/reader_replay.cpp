// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The corpus without libFuzzer: each file as it is, completed, and in a number of mutations, the
// same every time.
//
//   fuzz_recording_replay MUTATIONS FILE…
//   fuzz_buffer_replay MUTATIONS FILE…
//
// An input for which something does not hold is left in fuzz_failed.

#include "foundation/file.h"
#include "reader_fuzz.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace {

std::vector<uint8_t> input;

void keep_input(int signal) {
  int fd = open("fuzz_failed", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  nophook::write_all(fd, input.data(), input.size());
  std::signal(signal, SIG_DFL);
  raise(signal);
}

} // namespace

int main(int argc, char **argv) {
  const unsigned mutations = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
  unsigned tried = 0;
  for (int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE})
    std::signal(signal, keep_input);
  for (int i = 2; i < argc; i++) {
    auto file = nophook::MappedFile::open(argv[i]);
    if (!file) {
      fprintf(stderr, "fuzz: %s\n", file.error().text().c_str());
      return 1;
    }
    const std::vector<uint8_t> seed = nophook::join_input(nophook::split_input(file->bytes()));
    input.assign(file->bytes().begin(), file->bytes().end());
    for (unsigned n = 0; n <= mutations + 1; n++) {
      nophook::check_input(input);
      tried++;
      std::mt19937 random(n);
      auto change = [&](uint8_t *bytes, size_t size, size_t max_size) {
        return nophook::change_words(bytes, size, max_size, random);
      };
      input = seed;
      for (unsigned change_count = 0; n && change_count <= n % 4; change_count++)
        input = nophook::mutate_input(input, random, change);
    }
  }
  printf("%d files, %u inputs tried\n", argc > 2 ? argc - 2 : 0, tried);
  return 0;
}
