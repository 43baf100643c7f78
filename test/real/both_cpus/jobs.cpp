// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small C++ program with all that makes call trees hard: exceptions that pass through frames with
// destructors, are caught, changed and thrown again, and come back from another thread in a future;
// virtual calls, recursion, sorting by a function object, thread-local objects, destructors at exit.
// Each thread has work of its own, so what it calls does not depend on the others.

#include <algorithm>
#include <cstdio>
#include <future>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Node {
  virtual ~Node() = default;
  virtual long value() const = 0;
};
struct Number : Node {
  explicit Number(long number) : number_(number) {}
  long value() const override { return number_; }
  long number_;
};
struct Operation : Node {
  Operation(char sign, std::unique_ptr<Node> left, std::unique_ptr<Node> right)
      : sign_(sign), left_(std::move(left)), right_(std::move(right)) {}
  long value() const override {
    const long right = right_->value();
    if (sign_ == '/' && !right)
      throw std::domain_error("division by zero");
    const long left = left_->value();
    return sign_ == '+' ? left + right : sign_ == '*' ? left * right : left / right;
  }
  char sign_;
  std::unique_ptr<Node> left_, right_;
};

// Reads texts such as "(1+2)*3".
class Parser {
public:
  explicit Parser(const std::string &text) : text_(text) {}
  std::unique_ptr<Node> parse() {
    auto result = sum();
    if (at_ != text_.size())
      throw Malformed("rest: " + text_.substr(at_));
    return result;
  }

private:
  bool takes(char wanted) { return at_ < text_.size() && text_[at_] == wanted && ++at_; }
  std::unique_ptr<Node> sum() {
    auto left = product();
    while (takes('+'))
      left = std::make_unique<Operation>('+', std::move(left), product());
    return left;
  }
  std::unique_ptr<Node> product() {
    auto left = atom();
    for (;;)
      if (takes('*'))
        left = std::make_unique<Operation>('*', std::move(left), atom());
      else if (takes('/'))
        left = std::make_unique<Operation>('/', std::move(left), atom());
      else
        return left;
  }
  std::unique_ptr<Node> atom() {
    if (takes('(')) {
      auto inner = sum();
      if (!takes(')'))
        throw Malformed("no ) at " + std::to_string(at_));
      return inner;
    }
    if (at_ >= text_.size() || text_[at_] < '0' || text_[at_] > '9')
      throw Malformed("no number at " + std::to_string(at_));
    long number = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; at_++)
      number = number * 10 + (text_[at_] - '0');
    return std::make_unique<Number>(number);
  }
  const std::string text_;
  size_t at_ = 0;
};

struct Answer {
  std::string text;
  long value;
};
struct ByValue {
  bool operator()(const Answer &a, const Answer &b) const { return a.value < b.value; }
};

struct Log {
  ~Log() { note("the thread's log ends"); }
  void note(const std::string &line) { lines_[line]++; }
  std::map<std::string, int> lines_;
};
thread_local Log own_log;

long evaluate(const std::string &text) {
  try {
    return Parser(text).parse()->value();
  } catch (const Malformed &problem) {
    own_log.note(problem.what());
    throw std::invalid_argument(text + ": " + problem.what());
  }
}

std::vector<Answer> work(unsigned number) {
  std::vector<Answer> answers;
  for (unsigned i = 0; i < 20; i++) {
    const std::string a = std::to_string(i * 7 % 11), b = std::to_string(number);
    for (const std::string &text : {a + "+" + b, "(" + a + "+" + b + ")*" + a, b + "/" + a, a + "*(" + b, a + "$"})
      try {
        answers.push_back({text, evaluate(text)});
      } catch (const std::exception &problem) {
        answers.push_back({problem.what(), -1});
      }
  }
  std::stable_sort(answers.begin(), answers.end(), ByValue());
  if (number == 3)
    evaluate("1+"); // leaves the thread
  return answers;
}

} // namespace

int main() {
  std::vector<std::future<std::vector<Answer>>> results;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; i++) {
    std::packaged_task<std::vector<Answer>(unsigned)> task(work);
    results.push_back(task.get_future());
    threads.emplace_back(std::move(task), i);
  }
  for (std::thread &thread : threads)
    thread.join(); // first: what a thread shares with its future is then the future's
  for (auto &result : results)
    try {
      for (const Answer &answer : result.get())
        std::printf("%s = %ld\n", answer.text.c_str(), answer.value);
    } catch (const std::invalid_argument &problem) {
      std::printf("a thread failed: %s\n", problem.what());
    }
}
