// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value or an error that knows its place.
//
// The command prints an error exactly once, in main, as `nophook: FILE: PLACE: PROBLEM`. So
// a function that finds a problem returns it with its place, and its callers pass it on without
// printing. C++20 has no std::expected, and exceptions would hide which calls can fail.

#pragma once

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <variant>

namespace nophook {

// Exit statuses of the command.
constexpr int kExitOk = 0;
constexpr int kExitFailure = 1;
constexpr int kExitUsage = 2;
constexpr int kExitTimeout = 3; // for verbs that wait, at the end of their time
// The status of a verb that passes a program's status on, where the program could not be started:
// as in shells, env and timeout.
constexpr int kExitNotExecutable = 126;
constexpr int kExitNoProgram = 127;

struct Error {
  std::string file;    // may be empty
  std::string place;   // within the file: a section, an offset; may be empty
  std::string problem; // one line without a full stop
  int exit_status = kExitFailure;

  std::string text() const {
    std::string line;
    for (const std::string *part : {&file, &place})
      if (!part->empty())
        line += *part + ": ";
    return line + problem;
  }
};

inline Error error_at(std::string file, std::string problem) {
  return {std::move(file), "", std::move(problem)};
}

// An error whose problem is errno's text. Call it before anything else may change errno.
inline Error system_error(std::string file, const char *action) {
  int number = errno;
  std::string problem = std::strerror(number);
  return {std::move(file), "", std::string(action) + ": " + problem};
}

struct Nothing {};

template <class T = Nothing> class [[nodiscard]] Result {
public:
  Result()
    requires std::is_default_constructible_v<T>
      : value_(T{}) {}
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : value_(std::move(error)) {}

  bool ok() const { return value_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T &operator*() { return std::get<0>(value_); }
  const T &operator*() const { return std::get<0>(value_); }
  T *operator->() { return &std::get<0>(value_); }
  const T *operator->() const { return &std::get<0>(value_); }
  Error &error() { return std::get<1>(value_); }
  const Error &error() const { return std::get<1>(value_); }

private:
  std::variant<T, Error> value_;
};

} // namespace nophook

// Leaves the function with the error of `expression` if it has one.
#define NOPHOOK_TRY(expression)                                                                    \
  do {                                                                                             \
    if (auto &&result_of_try = (expression); !result_of_try.ok())                                  \
      return std::move(result_of_try.error());                                                     \
  } while (0)
