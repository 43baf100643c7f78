// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilers and other programs, run in a folder of their own choice, with their output kept.

#pragma once

#include "foundation/result.h"

#include <string>
#include <vector>

namespace nophook {

struct ProgramRun {
  std::vector<std::string> command;
  std::string directory; // empty: the current folder
  std::string output;    // standard output and errors together
  int status = 0;        // exit status of a shell; 127: it could not be started

  bool ok() const { return status == 0; }
};

// Runs the program and waits. Its standard input is empty.
void run_program(ProgramRun *run);

// Runs all programs, several at a time; `label` begins the line that shows progress on a terminal.
void run_programs(std::vector<ProgramRun> *runs, const char *label);

// A new folder that is removed with everything in it.
class WorkFolder {
public:
  static Result<WorkFolder> make();
  WorkFolder(WorkFolder &&other) noexcept : path_(std::exchange(other.path_, {})) {}
  WorkFolder &operator=(WorkFolder &&) = delete;
  ~WorkFolder();

  const std::string &path() const { return path_; }

private:
  WorkFolder() = default;
  std::string path_;
};

// The whole contents of a file.
Result<std::string> read_text(const std::string &path);
Result<> write_text(const std::string &path, const std::string &text);

} // namespace nophook
