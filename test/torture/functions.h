// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the torture calls: each counts that its body ran, in its own thread. They
// are compiled with the plugin, and nothing else of the program is. A signal handler that comes
// into an increment loses none: it is atomic.

#pragma once

#include <setjmp.h>

#define COUNT(number)                                                                              \
  ((void)__atomic_fetch_add(&(number), 1, __ATOMIC_RELAXED)) // before is not asked

constexpr unsigned long kLargestArgument = 50; // limit of a first argument
constexpr unsigned kChildSeconds = 200;        // time in which a forked child has ended
[[noreturn]] void wrong_argument(const char *function, long argument); // the program's

extern "C" {
extern constinit thread_local long bodies; // how many ran in this thread
extern long library_bodies[4];             // and of each library's in all threads

long leaf(long a);
long recursive(long depth); // depth + 1 bodies
long stack_arguments(long a, long b, long c, long d, long e, long f, long g, long h, long i);
double doubles(double a, float b, int c);
long variadic(int count, ...);
long tail_call(long rounds); // rounds + 1 bodies, in constant stack
long thrower(long depth);    // depth + 1 bodies, then an exception
void jumper(jmp_buf *back, long depth);
long around(long depth, long (*inside)());     // depth + 1 bodies around it
long nested(long depth) __attribute__((weak)); // nested.c, where there is gcc
void in_handler();
long redirected(long a);  // a + 1, or in its place
long replacement(long a); // a + 1000
long modified(long a);    // callbacks say where it continues
long direct(long a);
long unwatched(long a);  // not counted, and left out where all are seen: its site goes on and off
long in_library(long a); // library.cpp; its constructor and destructor are bodies, too
}
