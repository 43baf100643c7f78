// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The head of an HTTP/1.1 request (RFC 9112), as much of it as a page on 127.0.0.1 needs: the first
// line, Host and Origin. The bytes come from any process of the machine.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace nophook {

// The most bytes of a head. A page may name thousands of threads in a question.
constexpr size_t kMostHeadBytes = 64 << 10;

struct HttpHead {
  enum State {
    kPart,  // more bytes are needed
    kWhole, // the fields below are set
    kBad,   // no request, or too long
  };
  State state = kPart;
  std::string method;
  std::string path;  // not decoded; begins with a slash
  std::string query; // behind the first question mark
  std::optional<std::string> host, origin;
};

HttpHead parse_head(std::string_view bytes);

} // namespace nophook
