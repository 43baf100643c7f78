// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: the facts that the tracer needs before it may call through a function, and the
// prototype (nophook/prototype.h) that describes the arguments.
//
// Written by:  the compiler plugin (as `!pcsections` metadata, so that the address and
//              size are PC-relative, the entry dies with its function and shares its
//              COMDAT group, and nothing takes the function's address); recordmcount, from
//              debug info and code.
// Read by:     the runtime when it builds a function_graph thunk, `nophook list`.
//
// One entry of section `__ftrace_args`, 16 bytes, 4-byte aligned:
//
//      0  int32   pc            function start - address of this field (before endbr64)
//      4  uint32  size          bytes of the function's code
//      8  uint32  call          bit picture below
//      12 uint32  prototype     low half of a nophook_prototype's id; 0: there is none
//
//      call:  31            16 15              6 5     2 1    0
//             +---------------+-----------------+-------+------+
//             |   version     | stack bytes / 8 | reason| how  |
//             +---------------+-----------------+-------+------+
//
// The site of the entry is the first one in [start, start + size): the NOP follows the
// start directly or behind `endbr64`. A site without an entry is CALL_ENTRY_ONLY.
//
// Entries keep their 16 bytes and the place of their version for ever: a link may mix objects
// of several versions in one table, and a reader skips entries that it does not know. That is also
// why an entry has half an id of the prototype and not its address (the metadata cannot hold a
// distance: its place has no name). If two prototypes have the same half, a reader uses neither.
//
// Why a function cannot be called through: function_graph's frame stands between caller
// and body (docs/design/graph_frame.md). The body then finds another return address and,
// if it has arguments on the stack, finds them shifted by the frame.

#ifndef NOPHOOK_ARGS_H
#define NOPHOOK_ARGS_H

#include <stdint.h>

// Version of this contract. A reader treats entries of another version as absent.
// 1 had the stack bytes where the prototype is.
#define NOPHOOK_ARGS_VERSION 2

// How function_graph may trace the function.
enum nophook_call {
  NOPHOOK_CALL_ENTRY_ONLY = 0, // record the entry, then leave the function alone
  NOPHOOK_CALL_THROUGH = 1,    // call the body, record its exit
  NOPHOOK_CALL_COPY = 2,       // the same, with a copy of the stack arguments
};

// The reason why a function is CALL_ENTRY_ONLY; 0 otherwise.
enum nophook_call_reason {
  NOPHOOK_REASON_NONE = 0,
  NOPHOOK_REASON_VARIADIC = 1,       // the extent of its stack arguments is unknown
  NOPHOOK_REASON_CALLEE_POPS = 2,    // tailcc, swifttailcc, fastcc under -tailcallopt
  NOPHOOK_REASON_RETURNS_TWICE = 3,  // setjmp-like: returns through a dead frame
  NOPHOOK_REASON_RETURN_ADDRESS = 4, // reads its own return address or outer frames
  NOPHOOK_REASON_CONVENTION = 5,     // a calling convention the frame cannot honour
  NOPHOOK_REASON_STACK_SIZE = 6,     // more stack arguments than NOPHOOK_COPY_MAX_BYTES
  // Never in the file: readers report it for a function without a descriptor.
  NOPHOOK_REASON_NO_DESCRIPTOR = 7,
  NOPHOOK_REASON_AFTER_PROLOGUE = 8, // the site is not at the entry (gcc -pg without -mfentry)
  NOPHOOK_REASON_UNKNOWN_CODE = 9,   // its code does not show what it reads on the stack
  NOPHOOK_REASON_LAST = 9,
};

// The most bytes that are copied for a call; with more, the function is CALL_ENTRY_ONLY.
#define NOPHOOK_COPY_MAX_BYTES 4096

struct nophook_args {
  int32_t pc;
  uint32_t size;
  uint32_t call;
  uint32_t prototype;
};

// `stack_bytes`: bytes of stack arguments to copy, a multiple of 8; 0 unless CALL_COPY.
#define NOPHOOK_ARGS_CALL(how, reason, stack_bytes)                                                \
  ((uint32_t)(how) | (uint32_t)(reason) << 2 | (uint32_t)(stack_bytes) / 8 << 6 |                  \
   (uint32_t)NOPHOOK_ARGS_VERSION << 16)
#define NOPHOOK_ARGS_HOW(call) ((call) & 3u)
#define NOPHOOK_ARGS_REASON(call) ((call) >> 2 & 15u)
#define NOPHOOK_ARGS_STACK_BYTES(call) (((call) >> 6 & 0x3ffu) * 8)
#define NOPHOOK_ARGS_CALL_VERSION(call) ((call) >> 16)

#endif // NOPHOOK_ARGS_H
