// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page's server: HTTP on 127.0.0.1, for one user.
//
// Other users of the machine can reach the port, and any web page in the user's browser can send
// requests to it. So an address without the random token is answered by 403, and so is a request
// whose Host is not ours (a foreign name that resolves to 127.0.0.1) or whose Origin is another
// page's. No answer may be read by, or be a part of, a page of another origin.

#pragma once

#include "base/result.h"
#include "view/api.h"

#include <chrono>
#include <functional>

struct mg_connection;
struct mg_context;

namespace nophook {

class HttpServer {
public:
  struct Request {
    std::string path; // behind the token: "main.js", "api/rows"; "" is the page
    std::string query;
  };
  // Called by several threads at once.
  using Answer = std::function<ViewAnswer(const Request &)>;

  // `port` 0: any.
  static Result<std::unique_ptr<HttpServer>> start(uint16_t port, Answer answer);
  ~HttpServer();

  std::string url() const;

  // True: at least one page has been opened, and none has been open for `time`.
  bool is_left(std::chrono::milliseconds time) const;

private:
  HttpServer() = default;
  static int handle(mg_connection *connection, void *self);
  int answer(mg_connection *connection);
  int keep_alive(mg_connection *connection);

  Answer answer_;
  mg_context *context_ = nullptr;
  std::string token_;
  int port_ = 0;
  std::atomic<int> pages_{0};
  std::atomic<bool> was_opened_{false}, ends_{false};
  std::atomic<int64_t> left_at_{0}; // steady clock, ms
};

} // namespace nophook
