// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The corpus without libFuzzer: each file, and a number of mutations of it, the same every time.
//
//   fuzz_elf_replay MUTATIONS FILE…
//   fuzz_binary_replay MUTATIONS FILE…
//
// An image for which something does not hold is left in fuzz_elf_failed.o.

#include "elf_fuzz.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

static std::vector<char> image;

static void keep_image(int) {
  std::ofstream("fuzz_elf_failed.o", std::ios::binary).write(image.data(), image.size());
}

int main(int argc, char **argv) {
  const unsigned mutations = argc > 1 ? atoi(argv[1]) : 0;
  unsigned tried = 0, written = 0;
  signal(SIGABRT, keep_image);
  for (int i = 2; i < argc; i++) {
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) {
      fprintf(stderr, "fuzz_elf_replay: %s: cannot be read\n", argv[i]);
      return 1;
    }
    const std::vector<char> seed{std::istreambuf_iterator<char>(file), {}};
    for (unsigned n = 0; n <= mutations; n++) {
      image = seed;
      image.resize(seed.size() + 256);
      auto *bytes = reinterpret_cast<uint8_t *>(image.data());
      size_t size = seed.size();
      for (unsigned change = 0; n && change <= n % 3; change++)
        size = nophook::mutate_image(bytes, size, image.size(), n * 4 + change);
      image.resize(size);
      written += nophook::check_image(reinterpret_cast<uint8_t *>(image.data()), size);
      tried++;
    }
  }
  printf("%u files, %u images tried, %u recorded\n", argc > 2 ? argc - 2 : 0, tried, written);
  return 0;
}
