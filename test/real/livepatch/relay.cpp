// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Posts each line of its input over HTTP to a server of its own, as a part of the Content-Type. cpp-httplib before
// CVE-2023-26130 let line ends in there begin a header. `throw` posts a body whose provider throws.
#include <httplib.h>
#include <iostream>
#include <stdexcept>
#include <thread>

int main() {
  httplib::Server server;
  server.Post("/", [](const httplib::Request &request, httplib::Response &response) {
    response.set_content(request.has_header("evil") ? "injected" : "clean", "text/plain");
  });
  const int port = server.bind_to_any_port("127.0.0.1");
  std::thread serving([&] { server.listen_after_bind(); });
  const auto thrower = [](size_t, size_t, httplib::DataSink &) -> bool { throw std::runtime_error("no data"); };
  for (std::string line; std::getline(std::cin, line);) {
    httplib::Client client("127.0.0.1", port);
    try {
      const auto result = line == "throw" ? client.Post("/", 4, thrower, "text/plain")
                                          : client.Post("/", "A=B", "text/plain\r\nevil: " + line);
      std::cout << (result ? result->body : "not sent") << std::endl;
    } catch (const std::runtime_error &error) {
      std::cout << "caught: " << error.what() << std::endl;
    }
  }
  server.stop();
  serving.join();
}
