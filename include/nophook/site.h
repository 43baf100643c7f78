// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: the places of the traceable sites in a linked file.
//
// Written by:  the compiler plugin and recordmcount (sections), the linker script
//              (bounds), the module object (note).
// Read by:     the runtime in the traced process, `nophook list`, `nophook record`.
//
// A *site* is the one instruction at the entry of a function that the runtime may
// overwrite: a 5-byte NOP, in front of the prologue and behind `endbr64` if there is
// one. recordmcount turns a 6-byte call into such a NOP with a prefix in front, `67`, which
// has no effect and stays: the site is the five bytes behind it. The sites of gcc's -pg without
// -mfentry are behind the prologue (NOPHOOK_REASON_AFTER_PROLOGUE, nophook/args.h). On AArch64 a
// site is one NOP of 4 bytes, behind `bti`; a second NOP behind it stays.
//
// There are two tables. An entry names the start of a function or its site, in any order; an
// address may be in both tables, and more than once.
//
//   __mcount_rel  struct nophook_site: the distance to a function. It needs no relocation, so a
//                 program with many functions starts as fast as without them. The compiler plugin
//                 writes it (LLVM 22 and later).
//   __mcount_loc  8-byte addresses, relocated like any other data, as the kernel's table has them.
//   In
//                 objects it is named so (recordmcount; the plugin for medium and large code
//                 models) or `__patchable_function_entries` (LLVM 19, gcc).
//
// The compiler writes addresses whenever it makes a site. Where the plugin writes distances, it has
// them named `.nophook.addresses`, which the linker script drops.
//
// A reader must find the table in any file: stripped of section headers, relocated, static or
// shared. So the module object puts an ELF note into the file, to which a PT_NOTE program
// header points. Its descriptor holds the distances from the note
// to the tables, so it needs no relocation:
//
//      PT_NOTE --> name "Nophook", type NOPHOOK_NOTE_TYPE
//                  struct nophook_note   mcount_start ----> __start_mcount_loc
//                                        mcount_stop  ----> __stop_mcount_loc
//                                        args_start   ----> __start_ftrace_args
//                                        args_stop    ----> __stop_ftrace_args
//                                        proto_start  ----> __start_ftrace_proto
//                                        proto_stop   ----> __stop_ftrace_proto
//                                        static_calls ----> nophook_static_calls
//                                        life         ----> nophook_life
//                                        rel_start    ----> __start_mcount_rel
//                                        rel_stop     ----> __stop_mcount_rel
//
// A distance is taken from the field that holds it: address = (char *)&field + field.
// gold and mold read no script: nophook_module_by_name.o takes __start___mcount_loc and the like
// instead, which they make themselves.
// The bounds are weak and hidden. Without the linker script they are 0, and the computed
// address is 0 (or the load base); on AArch64 the distance is 0, as its ABI says for weak
// references. A reader accepts a table only if the distance of its start is not 0, start < stop,
// both lie in one PT_LOAD segment of the same file, and the size is a multiple of the entry size.
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
#define NOPHOOK_REL_SECTION "__mcount_rel"
#define NOPHOOK_ADDRESSES_SECTION ".nophook.addresses" // dropped by the linker script
#define NOPHOOK_ARGS_SECTION "__ftrace_args"
#define NOPHOOK_PROTO_SECTION "__ftrace_proto"
#define NOPHOOK_STRING_SECTION "__ftrace_str"

// The same tables in a file with separate descriptors (`descriptors=file`): sections that are not
// loaded and move with the debug information. Distances in them count from the addresses in the
// section headers.
#define NOPHOOK_SIDE_ARGS_SECTION ".debug_nophook_args"
#define NOPHOOK_SIDE_PROTO_SECTION ".debug_nophook_proto"
#define NOPHOOK_SIDE_STRING_SECTION ".debug_nophook_str"
// In objects they have other names, so that stripping debug info from an object leaves them.
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
  int64_t mcount_start; // first entry of the table of addresses
  int64_t mcount_stop;  // one past the last entry
  int64_t args_start;   // first struct nophook_args (include/nophook/args.h)
  int64_t args_stop;    // one past the last one
  // A descriptor of NOPHOOK_NOTE_MIN_BYTES, as in the first version, ends here.
  int64_t proto_start; // first record of include/nophook/prototype.h
  int64_t proto_stop;  // one past the last one
  // Descriptors from before static calls end here.
  int64_t static_calls; // struct nophook_static_calls; 0, or nowhere in the file, without
                        // nophook_mcount.o
  // Descriptors from before a runtime could arrive later than the module end here.
  int64_t life; // struct nophook_life
  // Descriptors from before the table of distances end here.
  int64_t rel_start; // first struct nophook_site
  int64_t rel_stop;  // one past the last one
};
// The length of a descriptor that ends in front of `life`.
#define NOPHOOK_NOTE_KEPT_CALLS_BYTES 56

// An entry of the table of distances.
struct nophook_site {
  int32_t distance; // from this field to the function's first instruction
  uint32_t bytes;   // size of the function's code
};

// If a runtime is loaded after a module, the module's destructor finds it by these words. They lie
// in the module's data, so they come and go with it.
//
// The destructor exchanges `leaves`, then reads `unregister`. The runtime writes `unregister`, then
// reads `leaves`. Each has a full barrier in between. So either the destructor calls the runtime,
// or the runtime sees that the module is being unloaded and leaves it alone.
struct nophook_life {
  uint64_t leaves; // 1: the destructor has begun
  // The destructor calls this if its weak reference has found no runtime; null until one arrives.
  void (*unregister)(const struct nophook_note *note);
};

// Static tracing: sites that are calls of a function in the module itself. While `on` is 0, the
// function returns at once; else it jumps to `hook`, with stack and registers as at the call. The
// runtime writes `hook` before it ever sets `on`.
struct nophook_static_calls {
  uint64_t on;
  uint64_t hook;
  int64_t code;        // distance from this field to the function
  uint64_t code_bytes; // its names, mcount, _mcount and __fentry__, are all at its start
  uint64_t is_static;  // not 0: never to be turned into NOPs (the link defined nophook_static)
};

// The least length of a note of this version: readers check this, not sizeof.
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
