// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "view/http_server.h"

#include "base/json.h"

#include <civetweb.h>
#include <sys/random.h>
#include <thread>

namespace nophook {

namespace {

constexpr const char *kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
constexpr int kThreads = 12;
constexpr int kMostPages = 6; // each holds one of the threads

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
         : status == 403 ? "Forbidden"
         : status == 404 ? "Not Found"
         : status == 405 ? "Method Not Allowed"
         : status == 503 ? "Service Unavailable"
                         : "Error";
}

void send(mg_connection *connection, const ViewAnswer &answer, bool body) {
  std::string text =
      fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n"
                  "Connection: close\r\nCache-Control: no-store\r\n"
                  "Content-Security-Policy: {}\r\nX-Content-Type-Options: nosniff\r\n"
                  "Referrer-Policy: no-referrer\r\n"
                  "Cross-Origin-Resource-Policy: same-origin\r\n"
                  "Cross-Origin-Opener-Policy: same-origin\r\n\r\n",
                  answer.status, reason(answer.status), answer.type, answer.body.size(), kPolicy);
  if (body)
    text += answer.body;
  // A page that has gone needs no answer.
  (void)mg_write(connection, text.data(), text.size());
}

ViewAnswer refusal(int status, const char *problem) {
  Json text = Json::object();
  text.add("error", problem);
  return {status, "application/json", text.text()};
}

} // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::start(uint16_t port, Answer answer) {
  auto token = make_token();
  NOPHOOK_TRY(token);
  std::unique_ptr<HttpServer> server(new HttpServer());
  server->answer_ = std::move(answer);
  server->token_ = *token;
  std::string listen = fmt::format("127.0.0.1:{}", port), threads = std::to_string(kThreads);
  const char *options[] = {"listening_ports",    listen.c_str(), "num_threads", threads.c_str(),
                           "request_timeout_ms", "10000",        nullptr};
  mg_init_library(0);
  mg_callbacks callbacks = {};
  callbacks.log_message = [](const mg_connection *, const char *) { return 1; }; // no file
  server->context_ = mg_start(&callbacks, server.get(), options);
  mg_server_port ports[1] = {};
  if (!server->context_ || mg_get_server_ports(server->context_, 1, ports) != 1)
    return error_at(listen, "the page cannot be served here: is another program using the port?");
  server->port_ = ports[0].port;
  mg_set_request_handler(server->context_, "/", handle, server.get());
  return server;
}

HttpServer::~HttpServer() {
  ends_ = true;
  if (context_)
    mg_stop(context_);
  mg_exit_library();
}

std::string HttpServer::url() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port_, token_);
}

bool HttpServer::is_left(std::chrono::milliseconds time) const {
  return was_opened_ && !pages_ && now_ms() - left_at_ >= time.count();
}

int HttpServer::handle(mg_connection *connection, void *self) {
  return static_cast<HttpServer *>(self)->answer(connection);
}

int HttpServer::answer(mg_connection *connection) {
  const mg_request_info *info = mg_get_request_info(connection);
  std::string_view method = info->request_method ? info->request_method : "";
  std::string path = info->local_uri ? info->local_uri : "";
  const char *host = mg_get_header(connection, "Host"),
             *origin = mg_get_header(connection, "Origin");
  std::string own = fmt::format("127.0.0.1:{}", port_), named = fmt::format("localhost:{}", port_);
  auto refuse = [&](int status, const char *problem) {
    send(connection, refusal(status, problem), method != "HEAD");
    return status;
  };
  if (!host || (host != own && host != named))
    return refuse(403, "the request is for another host");
  if (origin && origin != "http://" + own && origin != "http://" + named)
    return refuse(403, "the request is another page's");
  std::string prefix = "/" + token_ + "/";
  if (!path.starts_with(prefix))
    return refuse(403, "the address lacks the token that nophook view has printed");
  if (method != "GET" && method != "HEAD")
    return refuse(405, "only GET and HEAD are answered");
  Request request = {path.substr(prefix.size()), info->query_string ? info->query_string : ""};
  if (request.path == "api/alive" && method == "GET")
    return keep_alive(connection);
  ViewAnswer answer = answer_(request);
  send(connection, answer, method == "GET");
  return answer.status;
}

// Held open as long as the page is.
int HttpServer::keep_alive(mg_connection *connection) {
  if (++pages_ > kMostPages) {
    pages_--;
    send(connection, refusal(503, "too many pages are open"), true);
    return 503;
  }
  was_opened_ = true;
  std::string_view head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                          "Cache-Control: no-store\r\nConnection: close\r\n\r\n";
  std::string_view beat = ": open\n\n";
  bool open = mg_write(connection, head.data(), head.size()) > 0;
  while (open && !ends_) {
    open = mg_write(connection, beat.data(), beat.size()) > 0;
    for (int i = 0; i < 5 && open && !ends_; i++)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  left_at_ = now_ms();
  pages_--;
  return 200;
}

} // namespace nophook
