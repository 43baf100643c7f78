// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: where a linked file keeps its traceable sites.
//
// Written by:  the compiler plugin and recordmcount (sections), the linker script
//              (bounds), the module object (note).
// Read by:     the runtime in the traced process, `nophook list`, `nophook record`.
//
// A *site* is the one instruction at the entry of a function that the runtime may
// overwrite: a 5-byte NOP, in front of the prologue and behind `endbr64` if there is
// one. What recordmcount makes of a 6-byte call has a prefix without meaning in front,
// `67`, which stays: the site is the five bytes behind it. The sites of gcc's -pg without
// -mfentry are behind the prologue (NOPHOOK_REASON_AFTER_PROLOGUE, nophook/args.h).
//
// The *table* is an array of 8-byte absolute addresses, one for each site, in any order,
// relocated like any other data. Its name in objects is `__mcount_loc` (LLVM 22 and later,
// recordmcount) or `__patchable_function_entries` (LLVM 19, gcc); the linker script gathers
// both into one output section named `__mcount_loc`.
//
// How a reader finds the table in a file that may be stripped of section headers,
// relocated, static or shared: the module object puts an ELF note into the file, which
// a PT_NOTE program header points at. Its descriptor holds the distances from the note
// to the tables, so it needs no relocation:
//
//      PT_NOTE --> name "Nophook", type NOPHOOK_NOTE_TYPE
//                  struct nophook_note   mcount_start ----> __start_mcount_loc
//                                        mcount_stop  ----> __stop_mcount_loc
//                                        args_start   ----> __start_ftrace_args
//                                        args_stop    ----> __stop_ftrace_args
//                                        proto_start  ----> __start_ftrace_proto
//                                        proto_stop   ----> __stop_ftrace_proto
//                                        kept_calls   ----> nophook_kept_calls
//                                        life         ----> nophook_life
//
// A distance is taken from the field that holds it: address = (char *)&field + field.
// The bounds are weak and hidden. Without the linker script they are 0, and the computed
// address is 0 (or the load base): a reader accepts a table only if start < stop, both lie
// in one PT_LOAD segment of the same file, and the size is a multiple of the entry size.
//
// Plain C, usable from C++ and, for the constants, from assembly.

#ifndef NOPHOOK_SITE_H
#define NOPHOOK_SITE_H

// Version of this contract, the note's ELF type. Raised when struct nophook_note changes
// its meaning; a longer descriptor with the same beginning keeps the version.
#define NOPHOOK_NOTE_TYPE 1
#define NOPHOOK_NOTE_NAME "Nophook"

// Sections, as they are named in objects and in linked files.
#define NOPHOOK_MCOUNT_SECTION "__mcount_loc"
#define NOPHOOK_PFE_SECTION "__patchable_function_entries"
#define NOPHOOK_ARGS_SECTION "__ftrace_args"
#define NOPHOOK_PROTO_SECTION "__ftrace_proto"
#define NOPHOOK_STRING_SECTION "__ftrace_str"

// The same tables in a file that keeps its descriptors aside (`descriptors=file`): sections that
// are not loaded, which move with the debug information. Distances in them count from section
// addresses as the section header tells them.
#define NOPHOOK_SIDE_ARGS_SECTION ".debug_nophook_args"
#define NOPHOOK_SIDE_PROTO_SECTION ".debug_nophook_proto"
#define NOPHOOK_SIDE_STRING_SECTION ".debug_nophook_str"
// In objects they have other names, as stripping debug info from an object must leave them.
#define NOPHOOK_SIDE_ARGS_INPUT ".nophook.args"
#define NOPHOOK_SIDE_PROTO_INPUT ".nophook.proto"
#define NOPHOOK_SIDE_STRING_INPUT ".nophook.str"

// Bytes of a site: one instruction, `nopl 0x8(%rax,%rax,1)` as clang emits it
// (0f 1f 44 00 08) or `nopl 0x0(%rax,%rax,1)` as gas and the kernel do (0f 1f 44 00 00).
#define NOPHOOK_SITE_BYTES 5

#ifndef __ASSEMBLER__

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Descriptor of the note. Every field is a distance from its own address, in bytes.
struct nophook_note {
  int64_t mcount_start; // first entry of the site table
  int64_t mcount_stop;  // one past the last entry
  int64_t args_start;   // first struct nophook_args (include/nophook/args.h)
  int64_t args_stop;    // one past the last one
  // A descriptor of NOPHOOK_NOTE_MIN_BYTES, as the first of them were, ends here.
  int64_t proto_start; // first record of include/nophook/prototype.h
  int64_t proto_stop;  // one past the last one
  // And here, before there were kept calls.
  int64_t
      kept_calls; // struct nophook_kept_calls; 0, or nowhere in the file, without nophook_mcount.o
  // And here, before a runtime could come later than the module.
  int64_t life; // struct nophook_life
};
// What a descriptor has that ends in front of `life`.
#define NOPHOOK_NOTE_KEPT_CALLS_BYTES 56

// How a module and a runtime that came after it find each other when the module goes. The words lie
// in the module's data, so they come and go with it.
//
// The destructor exchanges `leaves`, then reads `unregister`; the runtime writes `unregister`, then
// reads `leaves`, each with a full barrier in between. So either the destructor calls the runtime,
// or the runtime sees that the module is on its way out and leaves it alone.
struct nophook_life {
  uint64_t leaves; // 1: the destructor has begun
  // What the destructor calls if its weak reference has found no runtime; null until one comes.
  void (*unregister)(const struct nophook_note *note);
};

// Static tracing: sites that are calls of a function in the module itself, which returns at once
// unless `on` is set, and else goes to `hook` with everything as the call has left it. The
// runtime writes `hook` before it ever sets `on`.
struct nophook_kept_calls {
  uint64_t on;
  uint64_t hook;
  int64_t code;        // distance from this field to the function
  uint64_t code_bytes; // its names, mcount, _mcount and __fentry__, are all at its start
  uint64_t is_static;  // not 0: never to be turned into NOPs (the link defined nophook_static)
};

// What every note of this version has at least: readers ask for this, not for sizeof.
#define NOPHOOK_NOTE_MIN_BYTES 32

// The module object's constructor and destructor call these if the runtime is there
// (the references are weak). `note` is the descriptor in the module's own note.
//
// Thread safety: any thread; the dynamic loader calls them. They never patch text and
// allocate nothing unless tracing is on. Signal safety: none. Fork: no restriction.
void nophook_register_module(const struct nophook_note *note);
void nophook_unregister_module(const struct nophook_note *note);

#ifdef __cplusplus
}
#endif

#endif // __ASSEMBLER__
#endif // NOPHOOK_SITE_H
