// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: the counts of the function profiler.
//
// Written by:  the traced process, while its functions run: NAME.prof beside NAME.buf
//              (nophook/buffer.h), which has the functions of ids.
// Read by:     `nophook record`, or any reader that finds the file after a crash.
//
// The file is a row of blocks, one for each thread, each a multiple of 4096 bytes. The first block
// without the magic is the end. A thread that calls functions of a library that was loaded later
// begins another block, so readers add up the blocks of a thread. Another thread may take over the
// block of a thread that has ended: then its tid is 0, and it has the counts of several threads.
//
//   +----------------------+ 0
//   | nophook_profile      | 64 bytes
//   +----------------------+
//   | nophook_counts [ids] | by function id
//   +----------------------+
//
// Times are ticks of the time-stamp counter. A call is a hit when it begins, and has a time when it
// returns. Calls that end in another way (exceptions, longjmp, the end of the thread), tail calls,
// and those of functions that are not called through are hits without a time. The tracer hits
// counts hits only.

#ifndef NOPHOOK_PROFILE_H
#define NOPHOOK_PROFILE_H

#define NOPHOOK_PROFILE_MAGIC 0x464f5250484f4e01 // "\1NOHPROF", little endian

#ifndef __ASSEMBLER__

#include <stdint.h>

struct nophook_counts {
  uint64_t hits;
  uint64_t total; // ticks of calls that have returned, with callees. A call inside a call of the
                  // same function is already in the time of the outer one
  uint64_t self;  // ticks of the same calls without callees
  uint64_t square_low; // sum of the squares of the times of all of them, in two halves
  uint64_t square_high;
  uint64_t sum; // ticks of all calls: calls inside others count again
};

struct nophook_profile {
  uint64_t magic; // written last
  uint32_t bytes; // size of the block
  int32_t tid;
  uint32_t ids;
  uint32_t entry_bytes; // sizeof(struct nophook_counts); a later version may append
  uint64_t reserved[3];
  char comm[16]; // the thread's name when the block was begun
};

#ifdef __cplusplus
static_assert(sizeof(nophook_profile) == 64);
static_assert(sizeof(nophook_counts) == 48);
#endif

#endif // __ASSEMBLER__
#endif // NOPHOOK_PROFILE_H
