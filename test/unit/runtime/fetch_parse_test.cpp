// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of events made by text: the steps of each form, and the errors in all others, with
// their places.

#include "arch/callback_path.h"
#include "events/fetch.h"

#include "guarded_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace nophook;

namespace {

bool find_symbol(const char *name, uint64_t *address) {
  *address = 0x1000;
  return std::string_view(name) == "counter";
}
constexpr FetchScope kEntry = {false, nullptr, nullptr, find_symbol},
                     kReturn = {true, nullptr, nullptr, find_symbol};

struct Parsed {
  FetchArgument argument = {};
  ParseError error;
};

Parsed parse(std::string_view text, const FetchScope &scope = kEntry) {
  GuardedText guarded(text);
  Parsed parsed;
  parsed.error = parse_argument(guarded.data(), guarded.size(), 0, scope, &parsed.argument);
  return parsed;
}

// The steps as `What:value`, or the error's reason.
std::string steps(std::string_view text, const FetchScope &scope = kEntry) {
  Parsed parsed = parse(text, scope);
  if (parsed.error)
    return parsed.error.reason;
  constexpr const char *kWhat[] = {"register",  "vector", "sp",   "stack",
                                   "immediate", "comm",   "text", "follow"};
  std::string line;
  for (uint32_t i = 0; i < parsed.argument.step_count; i++)
    line += (i ? " " : "") + std::string(kWhat[parsed.argument.steps[i].what]) + ":" +
            std::to_string(parsed.argument.steps[i].value);
  return line;
}

std::string type(std::string_view text) {
  Parsed parsed = parse(text);
  return parsed.error ? parsed.error.reason : parsed.argument.type->name;
}

void refused(std::string_view text, uint32_t at, const char *reason,
             const FetchScope &scope = kEntry) {
  Parsed parsed = parse(text, scope);
  ASSERT_TRUE(parsed.error) << text;
  EXPECT_STREQ(parsed.error.reason, reason) << text;
  EXPECT_EQ(parsed.error.at, at) << text;
}

} // namespace

TEST(FetchParse, FirstSteps) {
  const auto &known = Arch::Regs::kNames[1];
  EXPECT_EQ(steps("%" + std::string(known.text)), "register:" + std::to_string(known.offset));
  EXPECT_EQ(steps("$arg1"), "register:" + std::to_string(Arch::Regs::kArguments[0]));
  EXPECT_EQ(steps("$retval", kReturn), "register:" + std::to_string(Arch::Regs::kResult));
  EXPECT_EQ(steps("$stack"), "sp:0");
  EXPECT_EQ(steps("$stack3"), "sp:0 follow:24");
  EXPECT_EQ(steps("$comm"), "comm:0");
  EXPECT_EQ(steps("$COMM"), "comm:0");
  EXPECT_EQ(steps("\\-7"), "immediate:-7");
  EXPECT_EQ(steps("\\0x10"), "immediate:16");
  EXPECT_EQ(steps("a=\\\"b c\""), "text:2");
  EXPECT_EQ(steps("@0x20"), "immediate:32 follow:0");
  EXPECT_EQ(steps("@counter"), "immediate:4096 follow:0");
  EXPECT_EQ(steps("@counter+8"), "immediate:4104 follow:0");
  EXPECT_EQ(steps("@counter-8"), "immediate:4088 follow:0");
}

TEST(FetchParse, FollowsAddresses) {
  EXPECT_EQ(steps("+8($stack)"), "sp:0 follow:8");
  EXPECT_EQ(steps("-8(+0x10($stack))"), "sp:0 follow:16 follow:-8");
  EXPECT_EQ(steps("+u4($stack)"), "sp:0 follow:4");
}

TEST(FetchParse, AsManyStepsAsThereIsRoomFor) {
  auto nested = [](uint32_t levels) {
    std::string text = "\\1";
    for (uint32_t i = 0; i < levels; i++)
      text = "+0(" + text + ")";
    return text;
  };
  EXPECT_EQ(parse(nested(kMaxFetchSteps - 1)).error.reason, nullptr); // 62 bytes
  EXPECT_STREQ(parse(nested(kMaxFetchSteps)).error.reason, "Argument expression is too long");
  std::string stack = "$stack1"; // two steps in seven bytes
  for (uint32_t i = 0; i < 14; i++)
    stack = "+0(" + stack + ")";
  EXPECT_STREQ(parse(stack).error.reason, nullptr); // 16 steps, 63 bytes
}

TEST(FetchParse, Names) {
  EXPECT_STREQ(parse("$stack").argument.name.c_str(), "arg1");
  EXPECT_STREQ(parse("depth=$stack").argument.name.c_str(), "depth");
  EXPECT_STREQ(parse("depth=$stack").argument.text.c_str(), "$stack");
  EXPECT_STREQ(parse(std::string(31, 'n') + "=$comm").error.reason, nullptr);
  refused(std::string(32, 'n') + "=$comm", 0, "Argument name is too long");
  refused("=$comm", 0, "Argument name is not specified");
  refused("1a=$comm", 0, "Argument name must follow the same rules as C identifiers");
  refused("a-b=$comm", 0, "Argument name must follow the same rules as C identifiers");
}

TEST(FetchParse, Types) {
  EXPECT_EQ(type("$stack"), "x64");
  EXPECT_EQ(type("$comm"), "string");
  for (const char *name : {"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "x8", "x16", "x32",
                           "x64", "char", "symbol", "symstr"})
    EXPECT_EQ(type(std::string("$stack:") + name), name);
  for (const char *name : {"string", "ustring"})
    EXPECT_EQ(type(std::string("+0($stack):") + name), name);
  refused("$stack:", 7, "Unknown type is specified");
  refused("$stack:u7", 7, "Unknown type is specified");
  refused("$stack:u8x", 7, "Unknown type is specified");
  refused("$stack:u8 ", 9, "Unknown type is specified");
  refused("$stack:string", 7, "String accepts only memory argument");
  refused("$comm:u8", 6, "$comm and immediate-string only accepts string type");
}

TEST(FetchParse, Arrays) {
  Parsed parsed = parse("+0($stack):u16[64]");
  ASSERT_FALSE(parsed.error);
  EXPECT_EQ(parsed.argument.count, 64);
  EXPECT_EQ(parsed.argument.stored_bytes(), 128u);
  refused("+0($stack):u16[65]", 15, "Array number is too big");
  refused("+0($stack):u16[0]", 15, "Invalid array size");
  refused("+0($stack):u16[]", 15, "Invalid array size");
  refused("+0($stack):u16[4", 14, "Array is not closed");
  refused("+0($stack):u16[4]x", 17, "Array has wrong suffix");
  refused("$stack:u16[4]", 10, "String accepts only memory argument");
}

TEST(FetchParse, BitFields) {
  Parsed parsed = parse("$stack:b4@28/32");
  ASSERT_FALSE(parsed.error);
  EXPECT_STREQ(parsed.argument.type->name, "u32");
  EXPECT_EQ(parsed.argument.bits, 4);
  EXPECT_EQ(parsed.argument.low, 28);
  EXPECT_FALSE(parse("$stack:b63@1/64").error);
  for (const char *field : {"b0@0/32", "b64@0/64", "b4@29/32", "b1@32/32", "b4@0/24", "b4@0",
                            "b4/32", "b4@0/32x", "b4@0/1000", "b4@18446744073709551615/32"})
    refused(std::string("$stack:") + field, 7, "Invalid bitfield");
}

TEST(FetchParse, WhatIsWrongAndWhere) {
  refused("", 0, "No argument expression");
  refused("a=", 2, "No argument expression");
  refused("?", 0, "Invalid fetch argument");
  refused("$stack)", 6, "Invalid fetch argument");
  refused("$nothing", 0, "Invalid $-valiable specified");
  refused("$", 0, "Invalid $-valiable specified");
  refused("$arg0", 4, "Invalid argument number");
  refused("$arg129", 4, "Invalid argument number");
  refused("$arg", 4, "Invalid argument number");
  refused("$arg1->next", 0, "Invalid $-valiable specified");
  refused("$stack2048", 6, "Invalid stack number");
  EXPECT_EQ(steps("$stack2047"), "sp:0 follow:16376");
  refused("$retval", 0, "$retval is not available on probe");
  refused("$retval.next", 8, "Non pointer structure/union argument is not supported.", kReturn);
  refused("$retval->next", 9, "This is not a pointer to union/structure.", kReturn);
  refused("%none", 1, "Invalid register name or number");
  refused("%", 1, "Invalid register name or number");
  refused("@nowhere", 1, "Invalid memory address");
  refused("@", 1, "Invalid memory address");
  refused("@counter+", 9, "Invalid memory address");
  refused("\\x", 1, "Invalid immediate value");
  refused("a=\\\"b", 3, "String is not closed with '\"'");
  refused("+x($stack)", 1, "Invalid dereference offset");
  refused("+8$stack", 2, "Dereference needs a brace");
  refused("+8($stack", 9, "Dereference brace is not closed");
  refused("+8($comm)", 0, "$comm can not be dereferenced");
  refused("name", 0, "No BTF entry for this probe point");
  refused("a=" + std::string(64, '1'), 2, "Argument expression is too long");
}

// Each prefix of a good argument is read without a read behind its end.
TEST(FetchParse, EndsWhereTheTextEnds) {
  for (std::string_view text : {"name=-8(+u0x10(@counter+12)):u16[12]", "a=\\\"b c\":string",
                                "b=$stack12:b4@28/32", "$retval:s64", "\\-0x12:x8", "%di:char"})
    for (size_t bytes = 0; bytes <= text.size(); bytes++) {
      Parsed parsed = parse(text.substr(0, bytes), kReturn);
      EXPECT_LE(parsed.error.at, bytes) << text.substr(0, bytes);
    }
}
