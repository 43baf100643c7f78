// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fib N: calls of all depths, most of them short.

#include <stdlib.h>

__attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(int count, char **arguments) { return fib(atoi(arguments[count - 1])) == 1; }
