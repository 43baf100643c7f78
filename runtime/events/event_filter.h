// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event's filter, such as `count > 5 && (name ~ "foo*" || !(flags & 4))`. It is translated to a
// row of comparisons that jump, so that a callback judges it without a stack and makes no
// comparison twice.
//
// Source of the semantics: the kernel's Documentation/trace/events.rst, "Event filtering".

#pragma once

#include "base/memory.h"
#include "base/status.h"
#include "events/fetch.h"

namespace nophook {

// A field of a record, as its format describes it.
struct EventField {
  Text<32> name;
  uint32_t offset;
  uint32_t bytes; // size: 1, 2, 4 or 8 bytes
  bool is_signed;
  bool is_text; // whether it is the word of a text
  bool is_comm; // whether it is the thread's name, which is not in the record
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

  // Whether the filter accepts the record, in callbacks. `record` is whole, `comm` the thread's
  // name.
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
