// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that keeps its own tree of calls, for same_tree.py to compare with the recorded one:
// the program knows better than any decoder what it has called. Each traced function reports its
// beginning and its end; nothing here is traced, and a line is one store to memory that fork
// children share, so that the order of a thread's lines is that of its events. C and C++.
//
//      static void work(int n) { TREE; ... }               C++: a destructor marks the end
//      static void work(int n) { tree_in(__func__); ... tree_out(); }
//      tree_to(depth)                                      longjmp: deeper calls are over

#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define UNTRACED __attribute__((no_instrument_function, unused))
#define SEEN __attribute__((noinline, used))

enum { kTreeLines = 100000, kTreeDepth = 64 };

struct tree_line {
  int tid;
  int depth;
  char what; // '+' begins, '-' ends
  const char *name;
};

// The open calls of a thread or a fiber.
struct tree_stack {
  int depth;
  const char *names[kTreeDepth];
};

static struct tree_line *tree_lines;
static int *tree_count;
static __thread struct tree_stack tree_of_thread;
static __thread struct tree_stack *tree_of_fiber;

__attribute__((constructor)) UNTRACED static void tree_begin(void) {
  char *memory = (char *)mmap(NULL, kTreeLines * sizeof(struct tree_line) + 4096,
                              PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    abort();
  tree_count = (int *)memory;
  tree_lines = (struct tree_line *)(memory + 4096);
}

UNTRACED static struct tree_stack *tree_now(void) {
  return tree_of_fiber ? tree_of_fiber : &tree_of_thread;
}

UNTRACED static void tree_add(char what, int depth, const char *name) {
  int at = __atomic_fetch_add(tree_count, 1, __ATOMIC_RELAXED);
  if (at >= kTreeLines || depth < 0 || depth >= kTreeDepth)
    abort();
  struct tree_line line = {gettid(), depth, what, name};
  tree_lines[at] = line;
}

UNTRACED static void tree_in(const char *name) {
  struct tree_stack *stack = tree_now();
  tree_add('+', stack->depth, name);
  stack->names[stack->depth++] = name;
}

UNTRACED static void tree_out(void) {
  struct tree_stack *stack = tree_now();
  stack->depth--;
  tree_add('-', stack->depth, stack->names[stack->depth]);
}

UNTRACED static int tree_depth(void) {
  return tree_now()->depth;
}

UNTRACED static void tree_to(int depth) {
  while (tree_depth() > depth)
    tree_out();
}

// To be called in a fork child, whose trace begins with this call.
UNTRACED static void tree_forked(void) {
  tree_now()->depth = 0;
}

// Prints the tree at the end of main. Other threads and children have ended.
UNTRACED static int tree_print(void) {
  for (int i = 0; i < *tree_count; i++)
    printf("%d %c %d %s\n", tree_lines[i].tid, tree_lines[i].what, tree_lines[i].depth,
           tree_lines[i].name);
  return 0;
}

#ifdef __cplusplus
struct TreeCall {
  UNTRACED explicit TreeCall(const char *name) { tree_in(name); }
  UNTRACED ~TreeCall() { tree_out(); }
};
#define TREE TreeCall tree_call_(__func__)
#endif
