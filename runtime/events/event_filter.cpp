// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses an event's filter to tests that jump.
//
// A part of an expression has two open ends: the targets of its jumps if it is true, and if it is
// false. Until these are known, open ends are chains through the tests' own jumps.

#include "events/event_filter.h"

#include "events/scanner.h"
#include "ops/glob.h"

#include <errno.h>

namespace nophook {

namespace {
constexpr uint32_t kMaxTests = 64;
constexpr uint32_t kMaxDepth = 32;
} // namespace

class EventFilter::Parser {
public:
  Parser(const char *text, uint64_t bytes, FindField find, void *context, EventFilter *filter)
      : in_(text, bytes), find_(find), context_(context), filter_(*filter) {}

  ParseError parse() {
    Part all = either(0);
    in_.skip_blanks();
    if (!error_ && !in_.is_end())
      fail(in_.peek() == ')' ? "Unbalanced parenthesis" : "Expression not terminated properly");
    if (!error_) {
      land(all.if_true, kYes);
      land(all.if_false, kNo);
    }
    return error_;
  }

private:
  // The open ends of a part, as chains of tests: number + 1 of a test, times two, and 1 for its
  // if_true.
  struct Part {
    uint16_t if_true = 0, if_false = 0;
  };

  void fail(const char *reason) {
    if (!error_)
      error_ = {reason, (uint32_t)in_.at()};
  }

  uint16_t &end_of(uint16_t end) {
    Test &test = filter_.tests_[end / 2 - 1u];
    return end & 1 ? test.if_true : test.if_false;
  }
  void land(uint16_t end, uint16_t at) {
    while (end) {
      uint16_t next = end_of(end);
      end_of(end) = at;
      end = next;
    }
  }
  uint16_t join(uint16_t one, uint16_t other) {
    if (!one)
      return other;
    uint16_t last = one;
    while (end_of(last))
      last = end_of(last);
    end_of(last) = other;
    return one;
  }
  uint16_t next_test() const { return (uint16_t)filter_.tests_.size(); }

  // A || B: B if A is false.
  Part either(uint32_t depth) {
    Part part = both(depth);
    for (in_.skip_blanks(); !error_ && in_.skip("||"); in_.skip_blanks()) {
      land(part.if_false, next_test());
      Part more = both(depth);
      if (!error_)
        part = {join(part.if_true, more.if_true), more.if_false};
    }
    return part;
  }
  // A && B: B if A is true.
  Part both(uint32_t depth) {
    Part part = one(depth);
    for (in_.skip_blanks(); !error_ && in_.skip("&&"); in_.skip_blanks()) {
      land(part.if_true, next_test());
      Part more = one(depth);
      if (!error_)
        part = {more.if_true, join(part.if_false, more.if_false)};
    }
    return part;
  }
  Part one(uint32_t depth) {
    if (depth == kMaxDepth)
      fail("Too many levels of parenthesis");
    in_.skip_blanks();
    if (error_)
      return {};
    if (in_.skip('!')) {
      Part part = one(depth + 1);
      return {part.if_false, part.if_true};
    }
    if (!in_.skip('('))
      return test();
    Part part = either(depth + 1);
    if (!error_ && !in_.skip(')'))
      fail("Unbalanced parenthesis");
    return part;
  }

  // FIELD OPERATOR VALUE
  Part test() {
    Test test = {};
    uint64_t length = in_.length_of(is_name_part);
    const EventField *field = length ? find_(context_, in_.here(), length) : nullptr;
    if (!field) {
      fail(length ? "Field not found" : "No field name found");
      return {};
    }
    if (next_test() == kMaxTests)
      fail("Too many predicates");
    if (error_)
      return {};
    test.field = *field;
    in_.go_to(in_.at() + length);
    in_.skip_blanks();
    operation(&test);
    in_.skip_blanks();
    if (!error_)
      value(&test);
    filter_.wants_comm_ = filter_.wants_comm_ || field->is_comm;
    if (!error_ && !filter_.tests_.push(test))
      fail("no memory for a filter");
    if (error_)
      return {};
    auto end = (uint16_t)(next_test() * 2);
    return {(uint16_t)(end | 1), end};
  }

  void operation(Test *test) {
    constexpr struct {
      const char *text;
      Test::What what;
    } kOperations[] = {{"==", Test::kEqual},       {"!=", Test::kNotEqual},
                       {"<=", Test::kLessOrEqual}, {">=", Test::kMoreOrEqual},
                       {"<", Test::kLess},         {">", Test::kMore},
                       {"&", Test::kAnd},          {"~", Test::kGlob}};
    for (const auto &operation : kOperations) {
      if (in_.peek() == '&' && in_.peek(1) == '&')
        break;
      if (!in_.skip(operation.text))
        continue;
      test->what = operation.what;
      bool is_text = test->field.is_text || test->field.is_comm;
      bool fits_text =
          test->what == Test::kEqual || test->what == Test::kNotEqual || test->what == Test::kGlob;
      if (is_text ? !fits_text : test->what == Test::kGlob)
        fail("Illegal operation for field type");
      return;
    }
    fail("Invalid operator");
  }

  void value(Test *test) {
    char quote = in_.peek();
    if (test->field.is_text || test->field.is_comm) {
      bool is_quoted = quote == '"' || quote == '\'';
      if (is_quoted)
        in_.next();
      uint64_t length = in_.length_of([&](char c) {
        return is_quoted ? c != quote : !is_blank(c) && c != ')' && c != '&' && c != '|';
      });
      if (length >= 64)
        return fail("Filter string is too long");
      test->text.add(in_.here(), length);
      in_.go_to(in_.at() + length);
      if (is_quoted && !in_.skip(quote))
        fail("Missing quote");
      return;
    }
    bool is_negative = in_.skip('-');
    if (!in_.number(&test->number))
      return fail(is_digit(in_.peek()) ? "Number too big" : "Expected number");
    if (is_negative)
      test->number = 0 - test->number;
    if (is_name_part(in_.peek()))
      fail("Illegal integer value");
  }

  Scanner in_;
  FindField find_;
  void *context_;
  EventFilter &filter_;
  ParseError error_;
};

ParseError EventFilter::parse(const char *text, uint64_t bytes, FindField find, void *context) {
  tests_.clear();
  wants_comm_ = false;
  return Parser(text, bytes, find, context, this).parse();
}

bool EventFilter::holds(const Test &test, const uint8_t *record, uint32_t bytes, const char *comm) {
  const EventField &field = test.field;
  if (field.is_comm || field.is_text) {
    const char *text = comm;
    if (field.is_text) {
      uint32_t word;
      copy_bytes(&word, record + field.offset, sizeof word);
      bool is_there = word >> 16 && (word & 0xffff) + (word >> 16) <= bytes;
      text = is_there ? reinterpret_cast<const char *>(record) + (word & 0xffff) : "";
    }
    if (test.what == Test::kGlob)
      return glob_match(test.text.c_str(), text);
    bool same = text_length(text) == test.text.size() &&
                equal_bytes(text, test.text.c_str(), test.text.size());
    return same == (test.what == Test::kEqual);
  }
  if (field.bytes - 1u >= sizeof(uint64_t)) // the field is no number
    return false;
  uint64_t value = 0;
  copy_bytes(&value, record + field.offset, field.bytes);
  uint32_t unused = 64 - 8 * field.bytes;
  // A number is cut to the field's size: -1 is the largest number of an unsigned field.
  uint64_t number = test.number << unused >> unused;
  bool is_less = value < number;
  if (field.is_signed)
    is_less = (int64_t)(value << unused) < (int64_t)(number << unused);
  switch (test.what) {
  case Test::kEqual:
    return value == number;
  case Test::kNotEqual:
    return value != number;
  case Test::kLess:
    return is_less;
  case Test::kLessOrEqual:
    return is_less || value == number;
  case Test::kMore:
    return !is_less && value != number;
  case Test::kMoreOrEqual:
    return !is_less;
  default:
    return value & number;
  }
}

bool EventFilter::matches(const uint8_t *record, uint32_t bytes, const char *comm) const {
  uint16_t at = tests_.empty() ? kYes : 0;
  while (at != kYes && at != kNo) { // all jumps lead forwards
    const Test &test = tests_[at];
    at = holds(test, record, bytes, comm) ? test.if_true : test.if_false;
  }
  return at == kYes;
}

void EventFilter::swap(EventFilter &other) {
  tests_.swap(other.tests_);
  bool wants_comm = wants_comm_;
  wants_comm_ = other.wants_comm_;
  other.wants_comm_ = wants_comm;
}

} // namespace nophook
