// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stack tracer's files, as the kernel shows them.

#include "base/lock.h"
#include "sites/symbols.h"
#include "tracefs/control_file.h"
#include "tracers/named_settings.h"
#include "tracers/stack_tracer.h"

namespace nophook {
namespace {

// The symbol around an address, which is found while symbols are visited.
struct Around {
  uint64_t address;
  Text<256> name;
  uint64_t start, bytes;
};

void take(void *context, const char *name, uint64_t start, uint64_t bytes) {
  auto &around = *static_cast<Around *>(context);
  if (around.bytes || around.address < start || around.address - start >= bytes)
    return;
  around.name.add(name);
  around.start = start;
  around.bytes = bytes;
}

// Adds `name+0x12/0x40` for a return address, or the address.
void add_symbol(ControlText &text, uint64_t address) {
  Around around = {address - 1, {}, 0, 0};
  for (const Module *m = first_module(); m && !around.bytes; m = m->next) {
    if (!m->loaded || !in_text(m, around.address, 1))
      continue;
    Status status = visit_symbols(m, take, &around);
    (void)status; // without symbols there is no name
  }
  Text<320> place;
  if (around.bytes)
    place.add(around.name.c_str()).add("+").hex(address - around.start).add("/").hex(around.bytes);
  else
    place.hex(address);
  text.add(place.c_str());
}

void add_right(ControlText &text, uint64_t value, uint64_t width) {
  Text<24> digits;
  digits.number(value);
  for (uint64_t i = digits.size(); i < width; i++)
    text.add(" ");
  text.add(digits.c_str());
}

Status read_stack(FileTarget, ControlText &text) {
  RuntimeLock lock;
  DeepestStack stack = deepest_stack();
  text.add("        Depth    Size   Location    (").number(stack.count).add(" entries)\n");
  text.add("        -----    ----   --------\n");
  if (!stack.count && !stack_tracer_is_on())
    text.add("#\n#  Stack tracer disabled\n#\n"
             "# To enable the stack tracer: echo 1 > sys/kernel/stack_tracer_enabled\n#\n");
  for (uint32_t i = 0; i < stack.count; i++) {
    uint64_t depth = stack.top - stack.steps[i].low;
    uint64_t next = i + 1 < stack.count ? stack.top - stack.steps[i + 1].low : 0;
    add_right(text, i, 3);
    text.add(") ");
    add_right(text, depth, 8);
    text.add("   ");
    add_right(text, depth - next, 5);
    text.add("   ");
    add_symbol(text, stack.steps[i].address);
    text.add("\n");
  }
  return {};
}

Status read_most(FileTarget, ControlText &text) {
  RuntimeLock lock;
  text.number(deepest_stack().bytes).add("\n");
  return {};
}

Status write_most(FileTarget, const char *value, uint64_t bytes) {
  uint64_t depth;
  NOPHOOK_TRY(read_decimal(value, bytes, &depth));
  RuntimeLock lock;
  reset_deepest_stack(depth);
  return {};
}

Status read_enabled(FileTarget, ControlText &text) {
  RuntimeLock lock;
  text.add(stack_tracer_is_on() ? "1\n" : "0\n");
  return {};
}

Status write_enabled(FileTarget, const char *value, uint64_t bytes) {
  uint64_t number;
  NOPHOOK_TRY(read_decimal(value, bytes, &number));
  return switch_stack_tracer(number != 0);
}

const ControlFile kFiles[] = {
    {.path = "stack_max_size", .scope = SettingScope::kTop, .read = read_most, .write = write_most},
    {.path = "stack_trace", .scope = SettingScope::kTop, .read = read_stack},
    {.path = "sys/kernel/stack_tracer_enabled",
     .scope = SettingScope::kTop,
     .read = read_enabled,
     .write = write_enabled},
};

} // namespace

ControlFiles stack_files() {
  return {kFiles, kFiles + sizeof kFiles / sizeof *kFiles};
}

} // namespace nophook
