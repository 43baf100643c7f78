// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// main of the generated program where nothing is traced: it ends at once, so that its whole
// life is start-up, or (any argument) it waits until its standard input ends, so that
// a test can inspect it.

#include <unistd.h>

long run_all(long x);

__attribute__((no_instrument_function)) int main(int argc, char **argv) {
  (void)argv;
  if (argc == 1)
    return 0;
  char byte;
  if (argc == 2)
    return read(0, &byte, 1) != 0;
  return run_all(argc) == 0; // never meant to run: keeps the functions in the program
}
