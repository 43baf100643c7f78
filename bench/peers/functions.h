// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that each tool traces. functions.cpp is compiled as the tool wants it, loop.cpp as
// always.

#pragma once

long leaf(long n);
long deep(long depth); // calls itself `depth` times
int numbers(int a, long b, const void *c);
void thrower(int n); // throws n through three frames
