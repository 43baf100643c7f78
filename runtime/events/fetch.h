// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetch arguments of events made by text: what `+0($arg1):string` means, worked out once, and
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

// How a value is stored, and how formats describe it.
struct ValueType {
  const char *name;  // behind the colon
  const char *field; // in a format file
  const char *print; // the same
  uint8_t bytes;     // of an element; a text has a word of 4 in its place (nophook/kernel_events.h)
  bool is_signed;
  bool is_text;
};
const ValueType *find_type(const char *name, uint64_t bytes); // null: there is none

struct FetchStep {
  enum What : uint8_t {
    kRegister,     // general register at byte `value` of Arch::Regs
    kVector,       // the lowest eight bytes of vector register `value`
    kStackPointer, // of the function's entry
    kStack,        // eight bytes `value` bytes behind the stack pointer
    kImmediate,    // `value`
    kComm,         // the thread's name; alone
    kText,         // the argument's own text in quotes; alone
    kFollow,       // eight bytes at the address so far + `value`; the last one: the value itself
  };
  What what;
  int64_t value;
};

struct FetchArgument {
  Text<kMaxArgumentName + 1> name;
  Text<kMaxArgumentText + 1> text; // as it was written, without the name
  const ValueType *type;
  uint16_t count;      // of an array's elements; 0: it is none
  uint16_t offset;     // in the record
  uint8_t low, bits;   // of a bit field; bits 0: it is none
  bool is_at_entry;    // of a return probe: its first step is made when the call begins
  uint8_t entry_index; // then: which one of these
  uint8_t step_count;
  FetchStep steps[kMaxFetchSteps];

  uint32_t stored_bytes() const { return type->bytes * (count ? count : 1u); }
};

// What is wrong with a text and where in it.
struct ParseError {
  const char *reason = nullptr; // the kernel's sentence; null: nothing is
  uint32_t at = 0;
  explicit operator bool() const { return reason; }
};

// What an argument may speak of, of one function.
struct FetchScope {
  bool is_return;
  const PrototypeTable *table;        // null: the function's arguments have no names
  const nophook_prototype *prototype; // the same
  // The address of a symbol of the program's; false: there is none.
  bool (*find_symbol)(const char *name, uint64_t *address);
};

// The name of one of the prototype's parameters; null: it has none.
const char *parameter_name(const FetchScope &scope, uint32_t number);

// `[NAME=]FETCH[:TYPE]`, `bytes` long; `index` is its number, for one without a name. Errors are at
// places in `text`.
ParseError parse_argument(const char *text, uint64_t bytes, uint32_t index, const FetchScope &scope,
                          FetchArgument *argument);

// Eight bytes of the call: the first step. `regs` as capture (capture/capture.h) has them.
uint64_t fetch_first(const FetchArgument &argument, const ftrace_regs *regs);

// Where texts go: behind all arguments.
struct RecordRoom {
  uint8_t *record; // from its first byte on
  uint32_t used;
  uint32_t room;
};

// The other steps; stores into the record. False: memory could not be read, and 0s, or an empty
// text, are stored. In callbacks.
bool fetch_rest(const FetchArgument &argument, uint64_t first, RecordRoom *to);

} // namespace nophook
