// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "patch/program_run.h"

#include "foundation/created_file.h"

#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace nophook {

namespace {

[[noreturn]] void become_program(const std::vector<char *> &words, const char *directory,
                                 int output) {
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if ((*directory && chdir(directory) != 0) || dup2(nothing, 0) < 0 || dup2(output, 1) < 0 ||
      dup2(output, 2) < 0)
    _exit(127);
  execvp(words[0], words.data());
  _exit(127);
}

} // namespace

void run_program(ProgramRun *run) {
  std::vector<char *> words;
  for (const std::string &word : run->command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  run->output.clear();
  run->status = 127;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  FileDescriptor reader(ends[0]), writer(ends[1]);
  const pid_t child = fork();
  if (child < 0)
    return;
  if (child == 0)
    become_program(words, run->directory.c_str(), writer.get());
  writer.reset();
  char buffer[65536];
  for (ssize_t bytes; (bytes = read(reader.get(), buffer, sizeof buffer)) != 0;)
    if (bytes > 0)
      run->output.append(buffer, (size_t)bytes);
    else if (errno != EINTR)
      break;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void run_programs(std::vector<ProgramRun> *runs, const char *label) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  size_t done = 0;
  const bool shows = isatty(2) && runs->size() > 1;
  const auto work = [&] {
    for (size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < runs->size();) {
      run_program(&(*runs)[i]);
      const std::lock_guard lock(mutex);
      done++;
      if (shows)
        fmt::print(stderr, "\r{} {}/{}{}", label, done, runs->size(),
                   done == runs->size() ? "\n" : "");
    }
  };
  const size_t most = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(most, runs->size()); i++)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
}

Result<WorkFolder> WorkFolder::make() {
  const char *folder = std::getenv("TMPDIR");
  std::string name = std::string(folder && *folder ? folder : "/tmp") + "/nophook-patch-XXXXXX";
  if (!mkdtemp(name.data()))
    return system_error(name, "cannot be created (TMPDIR names another place)");
  WorkFolder made;
  made.path_ = std::filesystem::absolute(name);
  return made;
}

WorkFolder::~WorkFolder() {
  std::error_code error; // a file that cannot be removed stays
  if (!path_.empty())
    std::filesystem::remove_all(path_, error);
}

Result<std::string> read_text(const std::string &path) {
  auto file = MappedFile::open(path);
  NOPHOOK_TRY(file);
  return std::string((const char *)file->bytes().data(), file->bytes().size());
}

Result<> write_text(const std::string &path, const std::string &text) {
  auto file = create_file(path);
  NOPHOOK_TRY(file);
  if (!write_all(file->get(), text.data(), text.size()))
    return system_error(path, "cannot be written");
  return {};
}

} // namespace nophook
