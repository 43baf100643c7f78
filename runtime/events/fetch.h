// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetch arguments of events made by text: the meaning of `+0($arg1):string` is worked out once, and
// carried out at each call.
//
// Grammar, types and what is stored are those of the kernel's Documentation/trace/fprobetrace.rst
// and kprobetrace.rst. An argument is a row of steps: the first one makes eight bytes from the
// call's registers, each other one takes them for an address.

#pragma once

#include "base/bytes.h"

#include <nophook/prototype.h>

struct ftrace_regs;

namespace nophook {

class PrototypeTable;

constexpr uint32_t kMaxArguments = 128;
constexpr uint32_t kMaxArrayElements = 64;
constexpr uint32_t kMaxFetchSteps = 16;
constexpr uint32_t kMaxArgumentName = 31;
constexpr uint32_t kMaxArgumentText = 63;

// The storage of a value, and its description in formats.
struct ValueType {
  const char *name;  // the type's name behind the colon
  const char *field; // type of the field in a format file
  const char *print; // format of printf in a format file
  // Size of an element; a text has a word of 4 bytes in its place (nophook/kernel_events.h)
  uint8_t bytes;
  bool is_signed;
  bool is_text;
};
// The type with this name; null: there is none.
const ValueType *find_type(const char *name, uint64_t bytes);

struct FetchStep {
  enum What : uint8_t {
    kRegister,     // general register at byte `value` of Arch::Regs
    kVector,       // the lowest eight bytes of vector register `value`
    kStackPointer, // the stack pointer at the function's entry
    kStack,        // eight bytes `value` bytes behind the stack pointer
    kImmediate,    // `value`
    kComm,         // the thread's name; the only step
    kText,         // the argument's own text in quotes; the only step
    kFollow,       // eight bytes at the address so far + `value`; the last one: the value itself
  };
  What what;
  int64_t value;
};

struct FetchArgument {
  Text<kMaxArgumentName + 1> name;
  Text<kMaxArgumentText + 1> text; // the argument as it was written, without the name
  const ValueType *type;
  uint16_t count;      // elements of an array; 0: it is no array
  uint16_t offset;     // offset in the record
  uint8_t low, bits;   // lowest bit and number of bits of a bit field; bits 0: it is none
  bool is_at_entry;    // for a return probe: its first step is made when the call begins
  uint8_t entry_index; // for these: its number among them
  uint8_t step_count;
  FetchStep steps[kMaxFetchSteps];

  uint32_t stored_bytes() const { return type->bytes * (count ? count : 1u); }
};

// The error of a text, and its place there.
struct ParseError {
  const char *reason = nullptr; // the kernel's sentence; null: there is no error
  uint32_t at = 0;
  explicit operator bool() const { return reason; }
};

// The function and the symbols that an argument may name.
struct FetchScope {
  bool is_return;
  const PrototypeTable *table;        // null: the function's arguments have no names
  const nophook_prototype *prototype; // prototype of the function; null likewise
  // Finds the address of a symbol of the program; false: there is none.
  bool (*find_symbol)(const char *name, uint64_t *address);
};

// The name of a parameter of the prototype; null: it has none.
const char *parameter_name(const FetchScope &scope, uint32_t number);

// Parses `[NAME=]FETCH[:TYPE]`, `bytes` long; `index` is its number, for one without a name. Errors
// have places in `text`.
ParseError parse_argument(const char *text, uint64_t bytes, uint32_t index, const FetchScope &scope,
                          FetchArgument *argument);

// Makes the first step: eight bytes of the call. `regs` as for capture (capture/capture.h).
uint64_t fetch_first(const FetchArgument &argument, const ftrace_regs *regs);

// The room for texts: behind all arguments.
struct RecordRoom {
  uint8_t *record; // the record, from its first byte on
  uint32_t used;
  uint32_t room;
};

// Makes the other steps, and stores the value into the record. False: memory could not be read, and
// 0s, or an empty text, are stored. In callbacks.
bool fetch_rest(const FetchArgument &argument, uint64_t first, RecordRoom *to);

} // namespace nophook
