// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event's filter: `count > 5 && (name ~ "foo*" || !(flags & 4))`, made a row of comparisons that
// jump, so that it is judged in a callback without a stack and without looking at a comparison
// twice.
//
// Source of the semantics: the kernel's Documentation/trace/events.rst, "Event filtering".

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "events/fetch.h"

namespace nophook {

// A field of a record, as it stands in its format.
struct EventField {
  Text<32> name;
  uint32_t offset;
  uint32_t bytes; // 1, 2, 4, 8
  bool is_signed;
  bool is_text; // the word of one
  bool is_comm; // none of the record's: the thread's name
};

constexpr uint32_t kMaxFilterText = 256;

class EventFilter {
public:
  EventFilter() = default;
  EventFilter(const EventFilter &) = delete;
  EventFilter &operator=(const EventFilter &) = delete;

  // `find(context, name, bytes)`: the field of that name, or null.
  using FindField = const EventField *(*)(void *context, const char *name, uint64_t bytes);
  ParseError parse(const char *text, uint64_t bytes, FindField find, void *context);

  // In callbacks. `record` is whole, `comm` the thread's name.
  bool matches(const uint8_t *record, uint32_t bytes, const char *comm) const;
  bool wants_comm() const { return wants_comm_; }

  void swap(EventFilter &other);

private:
  struct Test {
    enum What : uint8_t {
      kEqual,
      kNotEqual,
      kLess,
      kLessOrEqual,
      kMore,
      kMoreOrEqual,
      kAnd,
      kGlob
    };
    EventField field;
    What what;
    uint64_t number;
    Text<64> text;
    uint16_t if_true, if_false; // the next test, or kYes, kNo
  };
  static constexpr uint16_t kYes = 0xffff, kNo = 0xfffe;

  class Parser;
  static bool holds(const Test &test, const uint8_t *record, uint32_t bytes, const char *comm);

  Array<Test> tests_;
  bool wants_comm_ = false;
};

} // namespace nophook
