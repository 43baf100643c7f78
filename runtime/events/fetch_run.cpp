// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the steps of an argument; every address is read by the kernel, which knows whether it is
// mapped.

#include "arch/callback_path.h"
#include "arch/vectors.h"
#include "base/own_name.h"
#include "base/safe_read.h"
#include "base/syscall.h"
#include "events/fetch.h"
#include "ops/thread.h"

namespace nophook {
namespace {

constexpr uint32_t kMaxTextBytes = 256;
constexpr uint32_t kCommBytes = 16;

bool read_all(uint64_t address, void *to, uint32_t bytes) {
  return safe_read(this_thread()->tid, address, to, bytes) == (long)bytes;
}

// Stores a text with its final 0, which is counted. The word in the argument's place has its length
// and its offset.
bool store_text(uint64_t address, uint8_t *place, RecordRoom *to) {
  uint32_t most = to->room - to->used;
  most = most < kMaxTextBytes ? most : kMaxTextBytes;
  auto *text = reinterpret_cast<char *>(to->record + to->used);
  long read = most ? safe_read(this_thread()->tid, address, text, most) : 0;
  uint32_t got = read > 0 ? (uint32_t)read : 0, length = 0;
  while (length < got && text[length])
    length++;
  if (got && length == got)
    text[--length] = 0; // a longer text is cut
  uint32_t word = to->used | (got ? length + 1 : 0) << 16;
  copy_bytes(place, &word, sizeof word);
  to->used += got ? length + 1 : 0;
  return got;
}

bool store_own_text(const FetchArgument &argument, uint8_t *place, RecordRoom *to) {
  char comm[kCommBytes + 1] = {};
  const char *text = comm;
  uint32_t length = 0;
  if (argument.steps[0].what == FetchStep::kComm) {
    read_own_name(comm);
    length = (uint32_t)text_length(comm);
  } else {
    text = argument.text.c_str() + argument.steps[0].value;
    while (text[length] && text[length] != '"')
      length++;
  }
  uint32_t left = to->room - to->used;
  if (!left)
    return false;
  length = length < left ? length : left - 1;
  uint32_t word = to->used | (length + 1) << 16;
  copy_bytes(place, &word, sizeof word);
  copy_bytes(to->record + to->used, text, length);
  to->record[to->used + length] = 0;
  to->used += length + 1;
  return true;
}

// Stores the elements of an array one behind the other; an array of texts has their addresses.
bool store_array(const FetchArgument &argument, uint64_t address, uint8_t *place, RecordRoom *to) {
  const ValueType &type = *argument.type;
  if (!type.is_text)
    return read_all(address, place, argument.stored_bytes());
  bool good = true;
  for (uint32_t i = 0; i < argument.count; i++) {
    uint64_t text = 0;
    bool is_there = read_all(address + 8 * uint64_t{i}, &text, sizeof text);
    good = is_there && store_text(text, place + i * type.bytes, to) && good;
  }
  return good;
}

} // namespace

uint64_t fetch_first(const FetchArgument &argument, const ftrace_regs *regs) {
  const FetchStep &step = argument.steps[0];
  uint8_t vector[16];
  uint64_t value = 0;
  switch (step.what) {
  case FetchStep::kRegister:
    return regs->general.at((uint64_t)step.value);
  case FetchStep::kVector:
    read_vector_register((uint32_t)step.value, sizeof vector, vector);
    copy_bytes(&value, vector, sizeof value);
    return value;
  case FetchStep::kStackPointer:
    return regs->general.entry_sp();
  case FetchStep::kImmediate:
    return (uint64_t)step.value;
  default:
    return 0;
  }
}

bool fetch_rest(const FetchArgument &argument, uint64_t first, RecordRoom *to) {
  uint8_t *place = to->record + argument.offset;
  for (uint32_t i = 0; i < argument.stored_bytes(); i++)
    place[i] = 0;
  FetchStep::What begins = argument.steps[0].what;
  if (begins == FetchStep::kComm || begins == FetchStep::kText)
    return store_own_text(argument, place, to);
  uint64_t value = first;
  uint32_t last = argument.step_count - 1u;
  for (uint32_t i = 1; i < last; i++)
    if (!read_all(value + (uint64_t)argument.steps[i].value, &value, sizeof value))
      return false;
  if (last) {
    uint64_t address = value + (uint64_t)argument.steps[last].value;
    if (argument.count)
      return store_array(argument, address, place, to);
    if (argument.type->is_text)
      return store_text(address, place, to);
    value = 0;
    if (!read_all(address, &value, argument.type->bytes))
      return false;
  }
  if (argument.bits)
    value = value >> argument.low & ((uint64_t{1} << argument.bits) - 1);
  copy_bytes(place, &value, argument.type->bytes);
  return true;
}

} // namespace nophook
