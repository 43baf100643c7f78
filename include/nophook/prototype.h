// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: a function's parameters and return value, their types, and where the values are.
//
// Written by:  the compiler plugin, from debug info and IR, for the convention that the
//              optimized function has.
// Read by:     `nophook list` and all readers that show arguments. Nothing in the event path.
//
// Section `__ftrace_proto` is a row of records, 4-byte aligned, without gaps. Each begins with
// a head with its length, so that a reader can skip kinds that it does not know:
//
//      nophook_prototype   one for each different prototype, found by its id, whose low half
//                          stands in struct nophook_args (nophook/args.h)
//      nophook_type        one for each different type, found by its id
//      nophook_import      one for each function that an object calls and does not define
//
// Records name no function of the module; they differ by their content. Equal records of several
// objects are merged (COMDAT; a ThinLTO link may leave equal copies). Names are strings ending in 0
// in section `__ftrace_str`, where the linker merges them.
//
// A *link* is an int32; 0 means none. That to a string is the distance from its own address. That
// to a type is the low half of the type's id, which is odd. So nothing is relocated when the
// program is loaded, and no record refers to another one by a symbol: of equal records the linker
// keeps one object's, and `objcopy --localize-hidden` hides that from the other objects. If two
// types have the same half, a reader uses neither.
//
// Records of the first version have the distance to a type in its place, which is a multiple of 4.
// A reader takes both.
//
//      head:   31        24 23                     0
//              +-----------+------------------------+
//              |  record   | bytes, with this word  |
//              +-----------+------------------------+
//
// The place of a value, on entry before the first instruction or on return after the last one:
//
//      place:  31            16 15        8 7   4 3     0
//              +---------------+-----------+-----+-------+
//              | stack offset  |  number   |flags| where |
//              +---------------+-----------+-----+-------+
//
// A stack offset counts from the first byte behind the return address. All is little-endian.
// A place that is not known exactly is PLACE_UNKNOWN, never a guess.

#ifndef NOPHOOK_PROTOTYPE_H
#define NOPHOOK_PROTOTYPE_H

#include <stdint.h>

// enum nophook_record; a version of the format is a new number.
#define NOPHOOK_RECORD_LINKED_PROTOTYPE 1 // the first version
#define NOPHOOK_RECORD_LINKED_TYPE 2
#define NOPHOOK_RECORD_IMPORT 3
#define NOPHOOK_RECORD_PROTOTYPE 4
#define NOPHOOK_RECORD_TYPE 5
#define NOPHOOK_HEAD(record, bytes) ((uint32_t)(record) << 24 | (uint32_t)(bytes))
#define NOPHOOK_HEAD_RECORD(head) ((head) >> 24)
#define NOPHOOK_HEAD_BYTES(head) ((head) & 0xffffffu)

enum nophook_where {
  NOPHOOK_PLACE_UNKNOWN = 0,
  NOPHOOK_PLACE_NOWHERE = 1,    // it has no data: void, an empty class
  NOPHOOK_PLACE_REMOVED = 2,    // it was removed from the signature by the optimizer
  NOPHOOK_PLACE_GENERAL = 3,    // register of DWARF number `number`, from its lowest byte on
  NOPHOOK_PLACE_SSE = 4,        // xmm, ymm, zmm or (AArch64) v `number`, from its lowest byte on
  NOPHOOK_PLACE_X87 = 5,        // st(number)
  NOPHOOK_PLACE_STACK = 6,      // at the stack offset
  NOPHOOK_PLACE_AT_GENERAL = 7, // in memory; the address is in the general register
  NOPHOOK_PLACE_AT_STACK = 8,   // in memory; the address is at the stack offset
  NOPHOOK_PLACE_PIECES = 9,     // in `number` pieces, the next ones of the record
};

// The function does not use the value, or this piece: a caller in the same file may pass anything.
#define NOPHOOK_PLACE_UNUSED 1

#define NOPHOOK_PLACE(where, flags, number, stack)                                                 \
  ((uint32_t)(where) | (uint32_t)(flags) << 4 | (uint32_t)(number) << 8 | (uint32_t)(stack) << 16)
#define NOPHOOK_PLACE_WHERE(place) ((place) & 15u)
#define NOPHOOK_PLACE_FLAGS(place) ((place) >> 4 & 15u)
#define NOPHOOK_PLACE_NUMBER(place) ((place) >> 8 & 255u)
#define NOPHOOK_PLACE_OFFSET(place) ((place) >> 16)

// Calling conventions, bits 24 to 31 of a prototype's flags.
enum nophook_convention {
  NOPHOOK_CONVENTION_C = 0,
  NOPHOOK_CONVENTION_FAST = 1, // the optimizer's choice for local functions; C's registers
  NOPHOOK_CONVENTION_COLD = 2,
  NOPHOOK_CONVENTION_PRESERVE_MOST = 3,
  NOPHOOK_CONVENTION_PRESERVE_ALL = 4,
  NOPHOOK_CONVENTION_PRESERVE_NONE = 5,
  NOPHOOK_CONVENTION_REGCALL = 6,
  NOPHOOK_CONVENTION_VECTORCALL = 7,
  NOPHOOK_CONVENTION_SWIFT = 8,
  NOPHOOK_CONVENTION_SWIFT_TAIL = 9,
  NOPHOOK_CONVENTION_TAIL = 10,
  NOPHOOK_CONVENTION_GHC = 11,
  NOPHOOK_CONVENTION_WIN64 = 12,
  NOPHOOK_CONVENTION_OTHER = 255,
};

enum nophook_prototype_flags {
  NOPHOOK_PROTOTYPE_VARIADIC = 1 << 0,      // more arguments may follow
  NOPHOOK_PROTOTYPE_NO_SOURCE = 1 << 1,     // made from the IR alone, without debug info
  NOPHOOK_PROTOTYPE_HAS_NEST = 1 << 2,      // a hidden argument in r10, x15
  NOPHOOK_PROTOTYPE_RETURNS_TWICE = 1 << 3, // it may return twice, as setjmp
  NOPHOOK_PROTOTYPE_NEVER_RETURNS = 1 << 4, // it never returns, as abort
  NOPHOOK_PROTOTYPE_CAN_UNWIND = 1 << 5,    // an exception may pass through it
  NOPHOOK_PROTOTYPE_READS_CALLER = 1 << 6,  // it reads its return address or outer frames
};

// Return value first among the pieces, then the parameters in their order.
struct nophook_prototype {
  uint32_t head;
  uint32_t id_low; // hash of the content: equal ids, equal prototypes
  uint32_t id_high;
  uint32_t flags;
  uint16_t parameters;
  uint16_t pieces;
  int32_t result; // link to its type; 0: void
  uint32_t result_place;
  // struct nophook_parameter[parameters], struct nophook_piece[pieces]
};

struct nophook_parameter {
  int32_t name;
  int32_t type; // link to its type; 0: unknown
  uint32_t place;
};

// Bytes [at, at + bytes) of a value. Never PLACE_PIECES again.
struct nophook_piece {
  uint32_t place;
  uint16_t at;
  uint16_t bytes;
};

enum nophook_kind {
  NOPHOOK_KIND_OPAQUE = 0,  // bytes of no known meaning
  NOPHOOK_KIND_INTEGER = 1, // an integer of unknown sign: there is no debug info
  NOPHOOK_KIND_SIGNED = 2,
  NOPHOOK_KIND_UNSIGNED = 3,
  NOPHOOK_KIND_BOOL = 4,
  NOPHOOK_KIND_CHAR = 5,    // a character of 1, 2 or 4 bytes
  NOPHOOK_KIND_POINTER = 6, // `element`, if there is one, can be shown instead
  NOPHOOK_KIND_REFERENCE = 7,
  NOPHOOK_KIND_C_STRING = 8, // pointer to char
  NOPHOOK_KIND_STRING = 9,   // two members: address and length of the text
  NOPHOOK_KIND_FLOAT = 10,   // IEEE 754 binary of 2, 4, 8 or 16 bytes
  NOPHOOK_KIND_BFLOAT = 11,
  NOPHOOK_KIND_X87 = 12,     // 10 bytes, padded
  NOPHOOK_KIND_COMPLEX = 13, // two `element`s
  NOPHOOK_KIND_VECTOR = 14,  // a vector of `element`s
  NOPHOOK_KIND_ARRAY = 15,   // an array of `element`s
  NOPHOOK_KIND_ENUM = 16,    // values of the integer `element`; members: enumerators
  NOPHOOK_KIND_STRUCT = 17,  // members: fields; structs and classes
  NOPHOOK_KIND_UNION = 18,
  // A choice of several structures, with a number that selects one (Rust's enum). Members: first
  // the number, of the integer `element`; then two for each case: an enumerator with its name and
  // its number, and its structure.
  NOPHOOK_KIND_VARIANT = 19,
};

// Not all members are listed: there are more than NOPHOOK_MAX_MEMBERS.
#define NOPHOOK_TYPE_MORE 1
// The last case of a variant is that of all other numbers.
#define NOPHOOK_TYPE_DEFAULT 2

// The limits of the plugin's lists of members, of fields within fields, of parameters.
#define NOPHOOK_MAX_MEMBERS 256
#define NOPHOOK_MAX_DEPTH 8
#define NOPHOOK_MAX_PARAMETERS 255

// Behind the members: the id, in two words. The first version has none.
#define NOPHOOK_TYPE_ID_BYTES 8
#define NOPHOOK_IS_TYPE_ID(link) ((link) & 1)

struct nophook_type {
  uint32_t head;
  uint8_t kind;
  uint8_t flags;
  uint16_t members;
  uint32_t bytes; // size of a value; 0xffffffff: more
  int32_t name;   // as in the source
  int32_t element;
  // struct nophook_member[members]
};

// A field: `low` its first bit, `high` its bits, from the lowest bit of the first byte on.
// An enumerator: its value in two halves, and no type.
// An integer that does not use all bits of its bytes (_BitInt) has one member, without a type:
// the bits it uses. The other bits of a register mean nothing.
struct nophook_member {
  int32_t name;
  int32_t type;
  uint32_t low;
  uint32_t high;
};

// The knowledge that an object has of a function which it does not define. Objects may know
// different things: then there are several records of one name.
struct nophook_import {
  uint32_t head;
  int32_t name;       // as linked
  uint32_t call;      // as in struct nophook_args
  uint32_t prototype; // low half of a nophook_prototype's id; 0: there is none
  uint32_t flags;
};

enum nophook_import_flags {
  NOPHOOK_IMPORT_CALLED = 1 << 0,
  NOPHOOK_IMPORT_ADDRESS_TAKEN = 1 << 1, // the object uses it otherwise than in calls
};

#endif // NOPHOOK_PROTOTYPE_H
