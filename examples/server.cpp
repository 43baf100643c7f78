// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A server with a slow request in it, for docs/tutorial.md: three workers answer requests for keys
// of a store. Nearly all take some microseconds, and a few take a hundred times as long. Why?
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

class Store {
public:
  std::string get(const std::string &key) {
    std::lock_guard guard(lock_);
    auto found = values_.find(key);
    return found == values_.end() ? "" : found->second;
  }

  void put(const std::string &key, const std::string &value) {
    std::lock_guard guard(lock_);
    log_.push_back(key + "=" + value);
    values_[key] = value;
    if (log_.size() >= kMostLines)
      compact();
  }

private:
  static constexpr size_t kMostLines = 400;

  // Keeps the last line of each key, while all threads wait for it.
  void compact() {
    for (int pass = 0; pass < 20; pass++) {
      std::vector<std::string> kept;
      for (const std::string &line : log_)
        if (is_current(line))
          kept.push_back(line);
      std::sort(kept.begin(), kept.end());
    }
    log_.clear();
  }

  bool is_current(std::string_view line) {
    size_t equals = line.find('=');
    auto found = values_.find(std::string(line.substr(0, equals)));
    return found != values_.end() && found->second == line.substr(equals + 1);
  }

  std::mutex lock_;
  std::map<std::string, std::string> values_;
  std::vector<std::string> log_;
};

struct Request {
  unsigned number;
  std::string text; // "GET key" or "PUT key value"
};

class Server {
public:
  std::string handle(const Request &request) {
    std::vector<std::string> words = parse(request.text);
    if (words.size() == 3) {
      store_.put(words[1], words[2]);
      return "stored";
    }
    return words.size() == 2 ? store_.get(words[1]) : "what?";
  }

private:
  static std::vector<std::string> parse(const std::string &text) {
    std::vector<std::string> words(1);
    for (char c : text)
      if (c == ' ')
        words.emplace_back();
      else
        words.back() += c;
    return words;
  }

  Store store_;
};

// Answers every third request, beginning with `first`; returns how long the slowest took.
static double work(Server &server, unsigned first) {
  double slowest = 0;
  for (unsigned number = first; number < 3000; number += 3) {
    std::string key = "key" + std::to_string(number % 97);
    Request request = {number,
                       number % 5 ? "GET " + key : "PUT " + key + " " + std::to_string(number)};
    auto begin = std::chrono::steady_clock::now();
    server.handle(request);
    std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    slowest = std::max(slowest, took.count());
  }
  return slowest;
}

int main() {
  Server server;
  std::vector<std::thread> workers;
  std::vector<double> slowest(3);
  for (unsigned i = 0; i < slowest.size(); i++)
    workers.emplace_back([&, i] { slowest[i] = work(server, i); });
  for (std::thread &worker : workers)
    worker.join();
  std::printf("3000 requests, the slowest took %.2f ms\n",
              *std::max_element(slowest.begin(), slowest.end()));
}
