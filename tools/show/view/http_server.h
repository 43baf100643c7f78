// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page's server: HTTP on 127.0.0.1, for one user.
//
// Other users of the machine can reach the port, and any web page in the user's browser can send
// requests to it. So an address without the random token is answered by 403, and so is a request
// whose Host is not ours (a foreign name that resolves to 127.0.0.1) or whose Origin is another
// page's. No answer may be read by, or be a part of, a page of another origin.
//
// A browser is started with an address, and every user reads the arguments of all processes. So
// this address has no token: it redirects to the page, but only a connection of the server's own
// user, and only until a page has been opened.
//
// With a thread for each connection, 200 connections that send nothing make the page unreachable.
// Here one thread reads the heads of all connections, none of which it waits for, and refuses what
// has no token. The oldest connection goes when too many wait. Only requests with the token get one
// of the threads that answer. A page that is open is a connection without a thread.

#pragma once

#include "foundation/file.h"
#include "show/view/api.h"
#include "show/view/http_head.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <thread>

namespace nophook {

class HttpServer {
public:
  struct Request {
    std::string path; // behind the token: "main.js", "api/rows"; "" is the page
    std::string query;
  };
  // The function that answers a request. Several threads may call it at once.
  using Answer = std::function<ViewAnswer(const Request &)>;

  // Starts a server on a port; 0: any port.
  static Result<std::unique_ptr<HttpServer>> start(uint16_t port, Answer answer);
  ~HttpServer();

  std::string url() const;         // the address with the token
  std::string opening_url() const; // the address for the arguments of a browser

  // True: at least one page has been opened, and no page has been open for `time`.
  bool is_left(std::chrono::milliseconds time) const;

private:
  using Clock = std::chrono::steady_clock;

  struct Connection {
    FileDescriptor fd;
    Clock::time_point
        until; // when it is closed, if its head is not whole; when a page is written to
    std::string bytes;
  };
  struct Asked {
    FileDescriptor fd;
    Request request;
    bool opening;  // a request for opening_url()
    bool has_body; // GET, not HEAD
  };

  HttpServer() = default;
  void run();
  void accept_all();
  // False: the connection has been closed, or is with another thread.
  bool read_head(Connection &connection);
  void take(FileDescriptor fd, const HttpHead &head);
  bool beat(Connection &page);
  void answer_all();
  void answer_one(Asked asked);

  Answer answer_;
  FileDescriptor listener_, wake_;
  std::string token_, opening_;
  int port_ = 0;
  std::list<Connection> waiting_; // connections without a whole head, the oldest first
  std::list<Connection> pages_;   // connections of open pages
  std::atomic<size_t> open_pages_{0};
  std::atomic<bool> was_opened_{false}, ends_{false};
  std::atomic<int64_t> left_at_{0}; // in ms of the steady clock

  std::mutex asked_lock_; // for the two below
  std::deque<Asked> asked_;
  std::condition_variable has_asked_;
  std::vector<std::thread> threads_;
};

} // namespace nophook
