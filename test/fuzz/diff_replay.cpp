// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The corpus without libFuzzer: each diff as it is, and in a number of mutations, the same every
// time.
//
//   fuzz_diff_replay MUTATIONS FILE…
//
// A diff for which something does not hold is the end of the output.

#include "diff_fuzz.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

int main(int argc, char **argv) {
  const unsigned mutations = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
  unsigned tried = 0, read = 0;
  for (int i = 2; i < argc; i++) {
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) {
      fprintf(stderr, "fuzz_diff_replay: %s: cannot be read\n", argv[i]);
      return 1;
    }
    const std::string seed{std::istreambuf_iterator<char>(file), {}};
    for (unsigned n = 0; n <= mutations; n++, tried++) {
      std::mt19937 random(n);
      std::string text = seed;
      for (unsigned changes = 0; n && changes <= n % 4; changes++)
        text = nophook::mutate_diff(text, random);
      read += nophook::check_diff(text);
    }
  }
  printf("%d files, %u diffs tried, %u read\n", argc > 2 ? argc - 2 : 0, tried, read);
  return 0;
}
