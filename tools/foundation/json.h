// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON, as much of it as the command writes and reads.
//
// nlohmann's library keeps a tree of values, and its templates cost each file that uses it two
// seconds of compilation. The command only ever writes lines, from front to back, and reads objects
// whose values are texts, numbers and flags. So a Json is text from the beginning, and json.cpp
// alone includes the library, for reading and for values that are hard to write.

#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nophook {

// A value that is being written. Bytes that are no UTF-8 become U+FFFD.
class Json {
public:
  struct Member;

  Json() : text_("null") {}
  Json(bool value) : text_(value ? "true" : "false") {}
  Json(int32_t value) : Json((int64_t)value) {}
  Json(uint32_t value) : Json((uint64_t)value) {}
  Json(int64_t value);
  Json(uint64_t value);
  Json(double value);
  Json(std::string_view value);
  Json(const std::string &value) : Json(std::string_view(value)) {}
  Json(const char *value) : Json(std::string_view(value)) {}
  Json(std::initializer_list<Member> members); // an object
  static Json object() { return Json('{', '}'); }
  static Json list() { return Json('[', ']'); }

  // Adds a member to an object; a name that is added twice is there twice.
  Json &add(std::string_view name, const Json &value);
  // Adds a value to a list.
  Json &push(const Json &value);

  std::string text() const;

  // A character that a text has as it is.
  static bool is_plain(char c) { return c >= ' ' && c < 0x7f && c != '"' && c != '\\'; }

private:
  Json(char open, char close) : text_(1, open), close_(close) {}
  void append_text(std::string_view value);
  void append(const Json &value);

  std::string text_;
  char close_ = 0; // bracket that closes an object or list; 0: another value
};

struct Json::Member {
  const char *name;
  Json value;
};

// The texts, numbers, flags and lists of texts of an object that was read.
class JsonFields {
public:
  // False: `text` is no object.
  bool read(std::string_view text);

  // The value of a member. Empty, 0, false: there is none, or it is of another kind.
  std::string text(const std::string &name) const;
  int64_t number(const std::string &name) const;
  bool flag(const std::string &name) const;
  std::vector<std::string> texts(const std::string &name) const; // texts of a list

private:
  std::map<std::string, std::variant<std::string, int64_t, bool, std::vector<std::string>>> fields_;
};

} // namespace nophook
