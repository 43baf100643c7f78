// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/tree.h"

#include "control/event_file.h"
#include "drain/recover.h"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <fmt/format.h>

namespace nophook {

namespace {

// One of the process's own.
class ProcessFile : public TreeFile {
public:
  static int64_t open(ControlTree &tree, const std::string &path, int flags,
                      std::unique_ptr<TreeFile> *file) {
    auto opened = std::make_unique<ProcessFile>(tree, path);
    int64_t result = 0;
    if ((flags & O_ACCMODE) != O_WRONLY)
      result = tree.read(path, &opened->text_); // as of now, and all of it
    if (result >= 0 && (flags & O_ACCMODE) != O_RDONLY)
      result = opened->open_to_write(flags & (O_TRUNC | O_APPEND));
    if (result >= 0)
      *file = std::move(opened);
    return std::min<int64_t>(result, 0);
  }

  ProcessFile(ControlTree &tree, std::string path) : tree_(tree), path_(std::move(path)) {}
  ~ProcessFile() override { (void)flush(); }

  int64_t read(uint64_t offset, size_t bytes, bool, std::string *text) override {
    *text = offset < text_.size() ? text_.substr(offset, bytes) : "";
    return (int64_t)text->size();
  }

  int64_t write(std::string_view text) override {
    // After a flush() what was written has been applied: what comes now is added to it.
    if (handle_ < 0)
      if (int64_t result = open_to_write(O_APPEND); result < 0)
        return result;
    nophook_control_request write = {};
    write.op = NOPHOOK_CONTROL_WRITE;
    write.handle = (uint32_t)handle_;
    size_t done = 0;
    do {
      std::string_view part = text.substr(done, NOPHOOK_CONTROL_DATA_BYTES);
      int64_t result = tree_.request(write, part);
      if (result < 0)
        return done ? (int64_t)done : result;
      done += part.size();
    } while (done < text.size());
    return (int64_t)done;
  }

  int64_t flush() override {
    if (handle_ < 0)
      return 0;
    nophook_control_request close = {};
    close.op = NOPHOOK_CONTROL_CLOSE;
    close.handle = (uint32_t)std::exchange(handle_, -1);
    return tree_.request(close);
  }

private:
  int64_t open_to_write(int flags) {
    nophook_control_request open = {};
    open.op = NOPHOOK_CONTROL_OPEN;
    open.flags = (uint32_t)(O_WRONLY | flags);
    handle_ = tree_.request(open, path_);
    return handle_;
  }

  ControlTree &tree_;
  const std::string path_;
  std::string text_;
  int64_t handle_ = -1;
};

} // namespace

Result<std::unique_ptr<ControlTree>> ControlTree::connect(int32_t pid) {
  auto client = ControlClient::connect(pid);
  NOPHOOK_TRY(client);
  return std::make_unique<ControlTree>(pid, std::move(*client));
}

int64_t ControlTree::request(const nophook_control_request &request, std::string_view data,
                             std::string *answer) {
  std::lock_guard guard(mutex_);
  return client_.request(request, data, answer);
}

int64_t ControlTree::read(const std::string &path, std::string *text) {
  std::lock_guard guard(mutex_);
  return client_.read(path, text);
}

int64_t ControlTree::list(const std::string &folder, std::vector<Entry> *entries) {
  int64_t result;
  {
    std::lock_guard guard(mutex_);
    result = client_.list(folder, entries);
  }
  std::vector<Entry> ours = event_entries(folder);
  for (const Entry &entry : ours) {
    std::erase_if(*entries, [&](const Entry &e) { return e.name == entry.name; });
    entries->push_back(entry);
  }
  std::ranges::sort(*entries, {}, &Entry::name);
  return result == -ENOENT && !ours.empty() ? 0 : result;
}

int64_t ControlTree::open(const std::string &path, int flags, std::unique_ptr<TreeFile> *file) {
  if (!is_event_file(path, flags))
    return ProcessFile::open(*this, process_path(path), flags, file);
  return open_event_file(*this, path, flags, file);
}

uint64_t ControlTree::number_in(const std::string &path, uint64_t otherwise) {
  std::string text;
  uint64_t number = 0;
  return read(path, &text) >= 0 &&
                 std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc()
             ? number
             : otherwise;
}

// Those that are about the text; the others are the process's own affair.
TraceOptions ControlTree::trace_options() {
  TraceOptions options;
  std::string text;
  (void)read("trace_options", &text);
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    (void)set_trace_option(text.substr(at, end - at), &options);
  }
  return options;
}

std::string ControlTree::buffer() const {
  auto found = choose_buffers(fmt::format("{}", pid_));
  if (!found)
    return "";
  const FoundBuffer *newest = nullptr;
  for (const FoundBuffer &buffer : *found)
    if (buffer.is_alive && (!newest || buffer.start_ns > newest->start_ns))
      newest = &buffer;
  return newest ? newest->path : "";
}

Result<std::shared_ptr<EventPipe>> ControlTree::pipe() {
  std::string path = buffer();
  std::lock_guard guard(pipe_mutex_);
  if (!path.empty() && (!pipe_ || pipe_->path() != path)) {
    auto opened = EventPipe::open(
        path, (uint32_t)number_in("buffer_subbuf_size_kb", kKernelPageBytes >> 10) << 10);
    NOPHOOK_TRY(opened);
    pipe_ = std::move(*opened);
  }
  return pipe_;
}

} // namespace nophook
