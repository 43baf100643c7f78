// The runtime's instructions equal those of LLVM's assembler, at each edge of each immediate; one step beyond, both
// refuse. An instruction that the runtime recognizes, it recognizes with any operand.
//
// RUN: %clangxx -std=c++20 -O1 -Wall -Wextra -Werror -I%runtime_source %s -o %t
// RUN: %t texts > %t.s && %mc %t.s -o %t.o && %objcopy -O binary -j .text %t.o %t.bin
// RUN: %t compare < %t.bin | FileCheck %s
// CHECK: {{[1-9][0-9][0-9][0-9]}} instructions, 0 differ
// RUN: %t beyond > %t.beyond.s && not %mc %t.beyond.s -o %t.o 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND-COUNT-14: error: expected label or encodable integer pc offset
// BEYOND-NOT: error:
//
// The comparison can fail: edges that are one step too near, and another operand.
// RUN: sed 's/^b #134217724$/b #134217720/; s/^adrp x16, #-4294967296$/adrp x16, #0/; s/^blr x30$/br x30/' %t.s > %t.wrong.s
// RUN: %mc %t.wrong.s -o %t.o && %objcopy -O binary -j .text %t.o %t.bin
// RUN: not %t compare < %t.bin | FileCheck %s --check-prefix=WRONG
// WRONG-DAG: b #134217724: 15ffffff, and not 15fffffe
// WRONG-DAG: adrp x16, #-4294967296: 90800010, and not 90000010
// WRONG-DAG: blr x30: not recognized
// WRONG: instructions, {{[1-9]}}
#include "arch/aarch64/encode.h"

#include <cstdio>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

using Encode = nophook::AArch64Encode;
using std::to_string;

namespace {

struct Line {
  std::string text;
  std::function<bool(const uint8_t *bytes)> is_right; // judges the assembler's output for it
};
std::vector<Line> lines;
std::set<std::string> beyond; // lines that the assembler must refuse
int differ;

uint32_t word_at(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

void expect(const std::string &text, uint64_t written) {
  lines.push_back({text, [=](const uint8_t *bytes) {
                     if (word_at(bytes) != written)
                       printf("%s: %08lx, and not %08x\n", text.c_str(), (unsigned long)written, word_at(bytes));
                     return word_at(bytes) == written;
                   }});
}

void recognize(const std::string &text, bool (*is_recognized)(const uint8_t *bytes), bool expected = true) {
  lines.push_back({text, [=](const uint8_t *bytes) {
                     if (is_recognized(bytes) != expected)
                       printf("%s: %srecognized\n", text.c_str(), expected ? "not " : "");
                     return is_recognized(bytes) == expected;
                   }});
}

void check(bool is_so, const char *what, int64_t number) {
  if (!is_so)
    differ += fprintf(stderr, "%s: %ld\n", what, (long)number) > 0;
}

// 0, the edges of a signed field of `bits`, each power of two, and the steps beside these.
std::vector<int64_t> edges(int bits, int64_t step) {
  std::set<int64_t> steps;
  for (int bit = 0; bit < bits; bit++)
    for (int64_t beside : {-1, 0, 1})
      for (int64_t sign : {-1, 1})
        steps.insert(sign * (int64_t{1} << bit) + beside);
  std::vector<int64_t> inside;
  for (int64_t number : steps)
    if (number >= -(int64_t{1} << (bits - 1)) && number < int64_t{1} << (bits - 1))
      inside.push_back(number * step);
  return inside;
}

bool is_call(const uint8_t *bytes) {
  return Encode::is_call_insn(Encode::read_insn(bytes));
}
bool is_branch(const uint8_t *bytes) {
  return Encode::is_branch_insn(Encode::read_insn(bytes));
}
bool is_pad(const uint8_t *bytes) {
  return Encode::skip_landing_pad(bytes) == 4;
}

constexpr int64_t kFrom = 0x400000000000; // a site, and a page's begin

void branches() {
  for (int64_t distance : edges(26, 4)) {
    const uint64_t to = kFrom + distance;
    check(Encode::reaches(kFrom, to), "must reach", distance);
    expect("b #" + to_string(distance), Encode::encode_jump(kFrom, to));
    expect("b #" + to_string(distance), Encode::encode_branch(true, kFrom, to));
    expect("bl #" + to_string(distance), Encode::encode_call(kFrom, to));
    check(Encode::target_of(kFrom, Encode::encode_jump(kFrom, to)) == to, "b goes elsewhere", distance);
    check(Encode::target_of(kFrom, Encode::encode_call(kFrom, to)) == to, "bl goes elsewhere", distance);
    for (auto *recognized : {is_branch, is_call, Encode::ends_with_call})
      recognize("bl #" + to_string(distance), recognized);
    recognize("b #" + to_string(distance), is_branch);
    recognize("b #" + to_string(distance), is_call, false);
  }
  for (int64_t distance : {0x8000000l, -0x8000004l, 0x10000000l, -0x10000000l, 1l, 2l, -0x7fffffel}) {
    check(!Encode::reaches(kFrom, kFrom + distance), "must not reach", distance);
    beyond.insert("b #" + to_string(distance));
    beyond.insert("bl #" + to_string(distance));
  }
}

// The instructions of a thunk or a stub. Its slot is in the same mapping, which lies within reach of B.
void thunk(uint64_t at, uint64_t slot, int64_t to_body) {
  uint8_t out[Encode::kThunkBytes];
  const auto pages = (int64_t)((slot >> 12) - (at >> 12)) * 4096;
  auto slot_is_loaded = [&](int first) {
    expect("adrp x16, #" + to_string(pages), word_at(out + first * 4));
    expect("ldr x16, [x16, #" + to_string(slot % 4096) + "]", word_at(out + first * 4 + 4));
  };
  Encode::write_thunk(out, at - 4, 7, slot, at - 4 + THUNK_BODY + to_body);
  expect("adr x17, #0", word_at(out));
  slot_is_loaded(1);
  expect("br x16", word_at(out + 12));
  expect("b #" + to_string(to_body), word_at(out + THUNK_BODY));
  expect(".word 7", word_at(out + THUNK_ID));
  Encode::write_stub(out, at, slot);
  slot_is_loaded(0);
  const char *const rest[] = {"tbnz w16, #0, #8", "br x16", "sub x16, x16, #1", "ret x16", "brk #0", "brk #0"};
  for (int i = 2; i < 8; i++)
    expect(rest[i - 2], word_at(out + i * 4));
}

void thunks() {
  for (int64_t pages : edges(21, 4096))
    for (uint64_t at : {uint64_t{4}, uint64_t{4092}})
      thunk(kFrom + at, kFrom + pages + 8, 64);
  for (uint64_t offset = 0; offset < 4096; offset += 8)
    thunk(kFrom + 4, kFrom + 4096 + offset, 64);
  for (int64_t distance : edges(26, 4))
    thunk(kFrom + 4, kFrom + 4096, distance);
  // Without a body nothing goes there.
  uint8_t out[Encode::kThunkBytes];
  Encode::write_thunk(out, kFrom, 7, kFrom + 4096, 0);
  expect("brk #0", word_at(out + THUNK_BODY));
}

void fixed() {
  expect("nop", Encode::kNopClang);
  recognize("nop", Encode::is_site_nop);
  for (int hint = 1; hint < 128; hint++)
    recognize("hint #" + to_string(hint), Encode::is_site_nop, false);
  for (const char *pad : {"bti c", "bti j", "bti jc"})
    recognize(pad, is_pad);
  for (const char *other : {"bti", "nop", "paciasp", "pacibsp", "yield", "csdb"})
    recognize(other, is_pad, false);
  for (int bit = 0; bit < 16; bit++)
    recognize("brk #" + to_string(1 << bit), Encode::is_trap);
  for (const char *trap : {"brk #0", "brk #5", "brk #0xffff"})
    recognize(trap, Encode::is_trap);
  for (const char *other : {"hlt #0", "svc #0", "udf #0", "dcps1"})
    recognize(other, Encode::is_trap, false);
  for (int i = 0; i <= 30; i++) {
    const std::string x = "x" + to_string(i);
    for (const char *name : {"blr ", "blraaz ", "blrabz "})
      recognize(name + x, Encode::ends_with_call);
    for (const char *name : {"blraa ", "blrab "}) {
      recognize(name + x + ", x0", Encode::ends_with_call);
      recognize(name + x + ", sp", Encode::ends_with_call);
    }
    for (const char *name : {"br ", "braaz ", "brabz ", "ret "})
      recognize(name + x, Encode::ends_with_call, false);
  }
  for (const char *other : {"b.eq #0", "cbz x0, #4", "tbnz x0, #3, #4", "bc.ne #8"})
    recognize(other, is_branch, false);
}

} // namespace

int main(int, char **arguments) {
  const std::string verb = arguments[1];
  branches();
  thunks();
  fixed();
  if (verb == "texts")
    for (const Line &line : lines)
      puts(line.text.c_str());
  if (verb == "beyond")
    for (const std::string &text : beyond)
      puts(text.c_str());
  if (verb != "compare")
    return 0;
  uint8_t bytes[4];
  size_t words = 0;
  for (; fread(bytes, sizeof bytes, 1, stdin) == 1 && words < lines.size(); words++)
    differ += !lines[words].is_right(bytes);
  check(words == lines.size(), "not as many words as instructions", (int64_t)words);
  printf("%zu instructions, %d differ\n", words, differ);
  return differ != 0;
}
