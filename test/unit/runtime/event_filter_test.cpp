// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters of events: the records that they match, errors in their texts, and their longest text.

#include "events/event_filter.h"

#include "guarded_text.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>

using namespace nophook;

namespace {

struct Record {
  uint32_t count = 7;
  int16_t level = -2;
  uint8_t flags = 5;
  uint8_t unused = 0;
  uint32_t name = 16u | 7u << 16; // seven bytes at 16
  uint32_t gone = 90u | 9u << 16; // behind the record
  char text[8] = "foobar";
};
static_assert(offsetof(Record, text) == 16);

EventField field(const char *name, uint32_t offset, uint32_t bytes, bool is_signed,
                 bool is_text = false, bool is_comm = false) {
  EventField made = {{}, offset, bytes, is_signed, is_text, is_comm};
  made.name.add(name);
  return made;
}

const EventField *find(void *, const char *name, uint64_t bytes) {
  static const EventField fields[] = {
      field("count", 0, 4, false),       field("level", 4, 2, true),
      field("flags", 6, 1, false),       field("name", 8, 4, false, true),
      field("gone", 12, 4, false, true), field("COMM", 0, 16, false, false, true)};
  for (const EventField &known : fields)
    if (std::string_view(name, bytes) == known.name.c_str())
      return &known;
  return nullptr;
}

ParseError parse(EventFilter *filter, std::string_view text) {
  GuardedText guarded(text);
  return filter->parse(guarded.data(), guarded.size(), find, nullptr);
}

bool matches(std::string_view text) {
  EventFilter filter;
  ParseError error = parse(&filter, text);
  EXPECT_FALSE(error) << text << ": " << error.reason;
  Record record;
  return filter.matches(reinterpret_cast<const uint8_t *>(&record), sizeof record, "worker");
}

void refused(std::string_view text, uint32_t at, const char *reason) {
  EventFilter filter;
  ParseError error = parse(&filter, text);
  ASSERT_TRUE(error) << text;
  EXPECT_STREQ(error.reason, reason) << text;
  EXPECT_EQ(error.at, at) << text;
}

} // namespace

TEST(EventFilter, Numbers) {
  for (const char *yes :
       {"count == 7", "count!=8", "count<8", "count <= 7", "count > 6", "count>=0x7", "level == -2",
        "level < 0", "level<-1", "flags & 4", "flags == 5"})
    EXPECT_TRUE(matches(yes)) << yes;
  for (const char *no : {"count == 8", "count != 7", "count < 7", "count <= 6", "count > 7",
                         "count >= 8", "level > 0", "flags & 2"})
    EXPECT_FALSE(matches(no)) << no;
}

// A number is as wide as the field: -1 is the largest number of an unsigned field.
TEST(EventFilter, NumbersAreAsWideAsTheField) {
  EXPECT_TRUE(matches("count < -1"));
  EXPECT_TRUE(matches("flags == 0x105"));
  EXPECT_TRUE(matches("level == 0xfffe"));
}

TEST(EventFilter, Texts) {
  for (const char *yes :
       {"name == foobar", "name == \"foobar\"", "name == 'foobar'", "name != foo",
        "name ~ \"foo*\"", "name ~ *bar", "COMM == worker", "COMM ~ 'w?rk*'", "gone == \"\""})
    EXPECT_TRUE(matches(yes)) << yes;
  for (const char *no : {"name == foo", "name ~ bar", "COMM != worker", "gone ~ ?*"})
    EXPECT_FALSE(matches(no)) << no;
}

TEST(EventFilter, AndBindsBeforeOr) {
  EXPECT_TRUE(matches("count == 7 || count == 8 && count == 9"));
  EXPECT_FALSE(matches("(count == 7 || count == 8) && count == 9"));
  EXPECT_TRUE(matches("count == 8 && count == 9 || count == 7"));
  EXPECT_TRUE(matches("!(count == 8) && !(level == 1)"));
  EXPECT_FALSE(matches("!(count == 8 || level == -2)"));
  EXPECT_TRUE(matches("!!(count==7)&&((flags&1))"));
}

// All values of three parts are compared with the language's own operators.
TEST(EventFilter, JumpsAreRight) {
  for (int bits = 0; bits < 8; bits++) {
    bool a = bits & 1, b = bits & 2, c = bits & 4;
    std::string A = a ? "count==7" : "count==0", B = b ? "level<0" : "level>0",
                C = c ? "flags&1" : "flags&2";
    EXPECT_EQ(matches(A + "||" + B + "&&" + C), a || (b && c)) << bits;
    EXPECT_EQ(matches("(" + A + "||" + B + ")&&" + C), (a || b) && c) << bits;
    EXPECT_EQ(matches("!(" + A + "&&" + B + ")||" + C), !(a && b) || c) << bits;
    EXPECT_EQ(matches("!(!" + A + "||!(" + B + "&&!" + C + "))"), !(!a || !(b && !c))) << bits;
  }
}

TEST(EventFilter, KnowsWhetherItAsksForTheThread) {
  EventFilter filter;
  EXPECT_FALSE(parse(&filter, "count == 1 || COMM == a"));
  EXPECT_TRUE(filter.wants_comm());
  EXPECT_FALSE(parse(&filter, "count == 1"));
  EXPECT_FALSE(filter.wants_comm());
}

TEST(EventFilter, WhatIsWrongAndWhere) {
  refused("", 0, "No field name found");
  refused("== 5", 0, "No field name found");
  refused("size == 5", 0, "Field not found");
  refused("count", 5, "Invalid operator");
  refused("count = 5", 6, "Invalid operator");
  refused("count && 5", 6, "Invalid operator");
  refused("count ==", 8, "Expected number");
  refused("count == x", 9, "Expected number");
  refused("count == 18446744073709551616", 9, "Number too big");
  refused("count == 5x", 10, "Illegal integer value");
  refused("count ~ 5", 7, "Illegal operation for field type");
  refused("name < a", 6, "Illegal operation for field type");
  refused("COMM & a", 6, "Illegal operation for field type");
  refused("name == \"foo", 12, "Missing quote");
  refused("(count == 5", 11, "Unbalanced parenthesis");
  refused("count == 5)", 10, "Unbalanced parenthesis");
  refused("count == 5 level == 1", 11, "Expression not terminated properly");
  refused("count == 5 ||", 13, "No field name found");
  refused("name == " + std::string(64, 'a'), 8, "Filter string is too long");
}

TEST(EventFilter, Limits) {
  auto tests = [](int count) {
    std::string text = "count==7";
    for (int i = 1; i < count; i++)
      text += "&&count==7";
    return text;
  };
  EXPECT_TRUE(matches(tests(64)));
  refused(tests(65), 64 * 10, "Too many predicates");
  auto nested = [](int depth) {
    return std::string((size_t)depth, '(') + "count==7" + std::string((size_t)depth, ')');
  };
  EXPECT_TRUE(matches(nested(31)));
  refused(nested(32), 32, "Too many levels of parenthesis");
  refused(std::string(40, '!') + "count==7", 32, "Too many levels of parenthesis");
  EXPECT_FALSE(matches("name == " + std::string(63, 'a')));
}

// Each prefix of a good text is read without a read behind its end.
TEST(EventFilter, EndsWhereTheTextEnds) {
  constexpr std::string_view kText =
      "!(count >= 0x10 && name ~ \"f*\") || level == -12 && COMM != 'a b' || flags & 1";
  for (size_t bytes = 0; bytes <= kText.size(); bytes++) {
    EventFilter filter;
    EXPECT_LE(parse(&filter, kText.substr(0, bytes)).at, bytes) << bytes;
  }
}
