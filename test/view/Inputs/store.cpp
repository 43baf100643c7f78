// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A store that three threads use. Some keys are missing, which is an exception, and every 64th
// entry compacts the store.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#define CALLED __attribute__((noinline))

namespace kv {

class Store {
public:
  CALLED const std::string &get(const std::string &key) {
    auto at = entries_.find(key);
    if (at == entries_.end())
      throw std::runtime_error("no such key");
    return at->second;
  }

  CALLED void put(int key, const std::string &value) {
    entries_[name(key)] = value;
    if (entries_.size() % 64 == 0)
      compact();
  }

  CALLED std::string name(int key) { return "key" + std::to_string(key); }

private:
  CALLED size_t touch(const std::string &value) { return value.size(); }

  CALLED void compact() {
    size_t sum = 0;
    for (const auto &[key, value] : entries_)
      sum += touch(key) + touch(value);
    if (sum == 0)
      std::puts("empty");
  }

  std::map<std::string, std::string> entries_;
};

CALLED size_t serve(int step, int requests) {
  Store store;
  size_t found = 0;
  for (int i = 0; i < requests; i++) {
    store.put(i * step, "value");
    try {
      found += store.get(store.name(i)).size();
    } catch (const std::runtime_error &) {
    }
  }
  return found;
}

} // namespace kv

int main(int argc, char **argv) {
  int requests = argc > 1 ? std::atoi(argv[1]) : 200;
  std::vector<std::thread> threads;
  for (int step = 1; step <= 3; step++)
    threads.emplace_back([=] { kv::serve(step, requests); });
  for (std::thread &thread : threads)
    thread.join();
}
