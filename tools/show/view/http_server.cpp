// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread reads heads; other threads answer.

#include "show/view/http_server.h"

#include "foundation/json.h"
#include "show/view/peer_user.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

namespace nophook {

namespace {

using namespace std::chrono_literals;

constexpr const char *kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
constexpr unsigned kThreads = 8; // threads that answer; a browser has six connections
constexpr size_t kMostWaiting = 256, kMostPages = 64;
constexpr std::chrono::milliseconds kHeadTime = 60s, kBeatTime = 500ms;
constexpr time_t kSendSeconds = 10; // most time in which a client takes nothing

int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Result<std::string> make_token() {
  uint8_t bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return system_error("getrandom", "failed");
  std::string text;
  for (uint8_t byte : bytes)
    text += fmt::format("{:02x}", byte);
  return text;
}

const char *reason(int status) {
  return status == 200   ? "OK"
         : status == 302 ? "Found"
         : status == 400 ? "Bad Request"
         : status == 403 ? "Forbidden"
         : status == 404 ? "Not Found"
         : status == 405 ? "Method Not Allowed"
         : status == 503 ? "Service Unavailable"
                         : "Error";
}

// Sends a short text. A client that has gone needs no answer. A descriptor that does not block
// takes a short text at once: nothing has been written to it before.
void send_text(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t n = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return;
    text.remove_prefix((size_t)n);
  }
}

// Whether the other end has closed a connection that has something to read.
bool has_gone(int fd) {
  char bytes[256];
  const ssize_t n = ::recv(fd, bytes, sizeof bytes, 0);
  return n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
}

void send_answer(int fd, const ViewAnswer &answer, bool body, const std::string &location = "") {
  std::string text =
      fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}"
                  "Connection: close\r\nCache-Control: no-store\r\n"
                  "Content-Security-Policy: {}\r\nX-Content-Type-Options: nosniff\r\n"
                  "Referrer-Policy: no-referrer\r\n"
                  "Cross-Origin-Resource-Policy: same-origin\r\n"
                  "Cross-Origin-Opener-Policy: same-origin\r\n\r\n",
                  answer.status, reason(answer.status), answer.type, answer.body.size(),
                  location.empty() ? "" : "Location: " + location + "\r\n", kPolicy);
  if (body)
    text += answer.body;
  send_text(fd, text);
  ::shutdown(fd, SHUT_WR);
}

} // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::start(uint16_t port, Answer answer) {
  auto token = make_token(), opening = make_token();
  NOPHOOK_TRY(token);
  NOPHOOK_TRY(opening);
  std::unique_ptr<HttpServer> server(new HttpServer());
  server->answer_ = std::move(answer);
  server->token_ = *token;
  server->opening_ = *opening;
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t bytes = sizeof address;
  auto *where = reinterpret_cast<sockaddr *>(&address);
  server->listener_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  server->wake_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const int fd = server->listener_.get(), on = 1;
  // Connections of an earlier command may still be ending.
  (void)::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd, where, sizeof address) || ::listen(fd, SOMAXCONN) ||
      ::getsockname(fd, where, &bytes) || !server->wake_.valid())
    return error_at(fmt::format("127.0.0.1:{}", port),
                    "the page cannot be served here: is another program using the port?");
  server->port_ = ntohs(address.sin_port);
  server->threads_.emplace_back([raw = server.get()] { raw->run(); });
  for (unsigned i = 0; i < kThreads; i++)
    server->threads_.emplace_back([raw = server.get()] { raw->answer_all(); });
  return server;
}

HttpServer::~HttpServer() {
  {
    std::lock_guard guard(asked_lock_);
    ends_ = true;
  }
  has_asked_.notify_all();
  if (wake_.valid())
    // It fails only if the counter is full, and then the thread is awake.
    (void)::eventfd_write(wake_.get(), 1);
  for (std::thread &thread : threads_)
    thread.join();
}

std::string HttpServer::url() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port_, token_);
}

std::string HttpServer::opening_url() const {
  return fmt::format("http://127.0.0.1:{}/open/{}", port_, opening_);
}

bool HttpServer::is_left(std::chrono::milliseconds time) const {
  return was_opened_ && !open_pages_ && now_ms() - left_at_ >= time.count();
}

// Reads heads, refuses requests, and keeps pages open.
void HttpServer::run() {
  while (!ends_) {
    std::vector<pollfd> ready = {{wake_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}};
    auto until = Clock::now() + 1h;
    for (const std::list<Connection> *list : {&waiting_, &pages_})
      for (const Connection &connection : *list) {
        ready.push_back({connection.fd.get(), POLLIN, 0});
        until = std::min(until, connection.until);
      }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (::poll(ready.data(), ready.size(), (int)std::max<int64_t>(left.count(), 0)) < 0)
      continue;
    size_t at = 2;
    const size_t waiting = waiting_.size();
    auto go_on = [&](std::list<Connection> &list, size_t count, auto keeps) {
      for (auto it = list.begin(); count; count--) {
        const bool has_bytes = ready[at++].revents != 0;
        it = keeps(*it, has_bytes) ? std::next(it) : list.erase(it);
      }
    };
    const size_t pages = pages_.size();
    go_on(waiting_, waiting, [&](Connection &connection, bool has_bytes) {
      return (!has_bytes || read_head(connection)) && Clock::now() < connection.until;
    });
    go_on(pages_, pages, [&](Connection &page, bool has_bytes) {
      return (!has_bytes || !has_gone(page.fd.get())) && (Clock::now() < page.until || beat(page));
    });
    if (open_pages_ > pages_.size())
      left_at_ = now_ms(); // before open_pages_, for is_left()
    open_pages_ = pages_.size();
    if (ready[1].revents)
      accept_all();
  }
}

void HttpServer::accept_all() {
  for (size_t i = 0; i < kMostWaiting; i++) { // then the waiting connections have their turn
    FileDescriptor fd(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    const bool is_full = !fd.valid() && (errno == EMFILE || errno == ENFILE);
    if (!fd.valid() && (!is_full || waiting_.empty())) {
      if (is_full) // other threads have them and close them
        std::this_thread::sleep_for(10ms);
      return;
    }
    if (is_full || waiting_.size() >= kMostWaiting)
      waiting_.pop_front();
    if (!fd.valid())
      continue;
    waiting_.push_back({std::move(fd), Clock::now() + kHeadTime, ""});
    // The head has often arrived already.
    if (!read_head(waiting_.back()))
      waiting_.pop_back();
  }
}

bool HttpServer::read_head(Connection &connection) {
  char part[4096];
  for (;;) {
    ssize_t n = ::recv(connection.fd.get(), part, sizeof part, 0);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && errno == EAGAIN)
      return true;
    if (n <= 0)
      return false;
    connection.bytes.append(part, (size_t)n);
    HttpHead head = parse_head(connection.bytes);
    if (head.state == HttpHead::kPart)
      continue;
    take(std::move(connection.fd), head);
    return false;
  }
}

// Handles a request whose head is complete.
void HttpServer::take(FileDescriptor fd, const HttpHead &head) {
  const std::string own = fmt::format("127.0.0.1:{}", port_),
                    named = fmt::format("localhost:{}", port_);
  auto refuse = [&](int status, const char *problem) {
    send_answer(fd.get(), {status, "application/json", Json({{"error", problem}}).text()},
                head.method != "HEAD");
  };
  if (head.state == HttpHead::kBad)
    return refuse(400, "this is no request");
  if (!head.host || (*head.host != own && *head.host != named))
    return refuse(403, "the request is for another host");
  if (head.origin && *head.origin != "http://" + own && *head.origin != "http://" + named)
    return refuse(403, "the request is another page's");
  const std::string prefix = "/" + token_ + "/";
  const bool opening = head.path == "/open/" + opening_;
  if (!opening && !head.path.starts_with(prefix))
    return refuse(403, "the address lacks the token that nophook view has printed");
  if (head.method != "GET" && head.method != "HEAD")
    return refuse(405, "only GET and HEAD are answered");
  Request request = {opening ? "" : head.path.substr(prefix.size()), head.query};
  if (request.path == "api/alive" && head.method == "GET") {
    if (pages_.size() >= kMostPages)
      return refuse(503, "too many pages are open");
    send_text(fd.get(), "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                        "Cache-Control: no-store\r\nConnection: close\r\n\r\n: open\n\n");
    pages_.push_back({std::move(fd), Clock::now() + kBeatTime, ""});
    open_pages_ = pages_.size();
    was_opened_ = true;
    return;
  }
  std::lock_guard guard(asked_lock_);
  asked_.push_back({std::move(fd), std::move(request), opening, head.method == "GET"});
  has_asked_.notify_one();
}

// Sends a page its regular text. False: the page does not read, and is treated like one that has
// gone.
bool HttpServer::beat(Connection &page) {
  constexpr std::string_view kBeat = ": open\n\n";
  page.until = Clock::now() + kBeatTime;
  return ::send(page.fd.get(), kBeat.data(), kBeat.size(), MSG_NOSIGNAL) == (ssize_t)kBeat.size();
}

void HttpServer::answer_all() {
  for (;;) {
    std::unique_lock guard(asked_lock_);
    has_asked_.wait(guard, [&] { return ends_ || !asked_.empty(); });
    if (ends_)
      return;
    Asked asked = std::move(asked_.front());
    asked_.pop_front();
    guard.unlock();
    answer_one(std::move(asked));
  }
}

void HttpServer::answer_one(Asked asked) {
  const int fd = asked.fd.get();
  const timeval most = {kSendSeconds, 0};
  // An answer may be longer than the socket's buffer, so writes have to wait.
  (void)::fcntl(fd, F_SETFL, 0);
  // Without a limit, a client that reads nothing would keep the thread.
  (void)::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
  if (!asked.opening)
    return send_answer(fd, answer_(asked.request), asked.has_body);
  if (!was_opened_ && peer_user(fd) == ::geteuid())
    return send_answer(fd, {302, "text/plain", ""}, asked.has_body, "/" + token_ + "/");
  send_answer(fd,
              {403, "text/plain; charset=utf-8",
               "This address was for the browser that nophook view has started. Open the address "
               "that it has printed.\n"},
              asked.has_body);
}

} // namespace nophook
