// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A threaded server, small and typical: a thread for each connection, a table behind a lock, a pool
// of workers that answer through futures, exceptions for bad requests, and a fork child for one kind of
// request. A line is a request; each connection has keys of its own, so its replies do not depend
// on the others.
//
//      server SOCKET      serves until a client says `quit`

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct BadRequest : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Table {
public:
  void set(const std::string &key, long value) {
    std::lock_guard guard(lock_);
    values_[key] = value;
  }
  std::optional<long> get(const std::string &key) const {
    std::lock_guard guard(lock_);
    auto found = values_.find(key);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }

private:
  mutable std::mutex lock_;
  std::map<std::string, long> values_;
};

class Pool {
public:
  explicit Pool(unsigned workers) {
    while (workers--)
      threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard guard(lock_);
      is_over_ = true;
    }
    ready_.notify_all();
    for (std::thread &thread : threads_)
      thread.join();
  }
  template <class F> auto run(F task) {
    auto packaged = std::make_shared<std::packaged_task<decltype(task())()>>(std::move(task));
    auto future = packaged->get_future();
    {
      std::lock_guard guard(lock_);
      tasks_.push_back([packaged] { (*packaged)(); });
    }
    ready_.notify_one();
    return future;
  }

private:
  void work() {
    std::unique_lock lock(lock_);
    for (;;) {
      ready_.wait(lock, [this] { return is_over_ || !tasks_.empty(); });
      if (tasks_.empty())
        return;
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }
  std::mutex lock_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  bool is_over_ = false;
};

long collatz(long n, long steps = 0) {
  return n == 1 ? steps : collatz(n % 2 ? 3 * n + 1 : n / 2, steps + 1);
}

long longest_below(long limit) {
  long longest = 0;
  for (long n = 1; n < limit; n++)
    longest = std::max(longest, collatz(n));
  return longest;
}

// The answer of a child process, by its exit status.
int ask_child(long n) {
  pid_t child = fork();
  if (child == 0)
    _exit((int)(collatz(n) % 100));
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
    throw std::runtime_error("the child has failed");
  return WEXITSTATUS(status);
}

class Server {
public:
  std::string answer(const std::string &line) {
    try {
      std::ostringstream reply;
      reply << "ok " << dispatch(line);
      return reply.str();
    } catch (const BadRequest &error) {
      return std::string("bad: ") + error.what();
    }
  }

private:
  long dispatch(const std::string &line) {
    std::istringstream in(line);
    std::string verb, key;
    long number = 0;
    in >> verb;
    if (verb == "set" && in >> key >> number)
      return table_.set(key, number), number;
    if (verb == "get" && in >> key)
      return value_of(key);
    if (verb == "sum")
      return sum(in);
    if (verb == "longest" && in >> number)
      return pool_.run([number] { return longest_below(number); }).get();
    if (verb == "child" && in >> number && number > 0)
      return ask_child(number);
    throw BadRequest("what is `" + verb + "`?");
  }
  long value_of(const std::string &key) const {
    if (auto value = table_.get(key))
      return *value;
    throw BadRequest("no such key: " + key);
  }
  long sum(std::istream &keys) const {
    std::vector<long> values;
    for (std::string key; keys >> key;)
      values.push_back(value_of(key));
    return std::accumulate(values.begin(), values.end(), 0l);
  }
  Table table_;
  Pool pool_{2};
};

std::atomic<bool> g_is_over;

void serve(Server &server, int connection, int listener) {
  std::string waiting;
  char part[4096];
  for (;;) {
    ssize_t bytes = read(connection, part, sizeof part);
    if (bytes < 0 && errno == EINTR)
      continue;
    if (bytes <= 0)
      break;
    waiting.append(part, (size_t)bytes);
    for (size_t end; (end = waiting.find('\n')) != std::string::npos; waiting.erase(0, end + 1)) {
      std::string line = waiting.substr(0, end);
      if (line == "quit") {
        g_is_over = true;
        shutdown(listener, SHUT_RDWR);
        break;
      }
      std::string reply = server.answer(line) + '\n';
      if (write(connection, reply.data(), reply.size()) != (ssize_t)reply.size())
        break;
    }
  }
  close(connection);
}

} // namespace

int main(int argc, char **argv) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (argc != 2 || strlen(argv[1]) >= sizeof address.sun_path)
    return 2;
  strcpy(address.sun_path, argv[1]);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, (sockaddr *)&address, sizeof address) || listen(listener, 64))
    return 1;
  Server server;
  std::vector<std::thread> threads;
  while (!g_is_over) {
    int connection = accept(listener, nullptr, nullptr);
    if (connection >= 0)
      threads.emplace_back(serve, std::ref(server), connection, listener);
    else if (errno != EINTR)
      break;
  }
  for (std::thread &thread : threads)
    thread.join();
  return g_is_over ? 0 : 1;
}
