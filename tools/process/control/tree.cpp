// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits paths, and passes each to the process or to the files of events.

#include "process/control/tree.h"

#include "process/control/event_file.h"
#include "process/drain/buffer_folder.h"
#include "process/drain/recover.h"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <fmt/format.h>

namespace nophook {

namespace {

// A file that the process itself answers.
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
  // The destructor cannot report an error. A caller that needs it has called flush().
  ~ProcessFile() override { (void)flush(); }

  int64_t read(uint64_t offset, size_t bytes, bool, std::string *text) override {
    *text = offset < text_.size() ? text_.substr(offset, bytes) : "";
    return (int64_t)text->size();
  }

  int64_t write(std::string_view text) override {
    // A flush() has applied the text written so far; later text is appended.
    if (handle_ < 0)
      if (int64_t result = open_to_write(O_APPEND); result < 0)
        return result;
    nophook_control_request write = {};
    write.op = NOPHOOK_CONTROL_WRITE;
    write.handle = (uint32_t)handle_;
    size_t done = 0;
    do {
      std::string_view part = first_part(text.substr(done));
      int64_t result = tree_.request(write, part);
      if (result < 0)
        return done ? (int64_t)done : result;
      done += (size_t)result;
      if ((size_t)result < part.size())
        break;
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

// A file of an instance. As in the kernel, the instance cannot be removed as long as it is open.
class InstanceFile : public TreeFile {
public:
  InstanceFile(ControlTree &tree, std::string instance, std::unique_ptr<TreeFile> file)
      : tree_(tree), instance_(std::move(instance)), file_(std::move(file)) {}
  ~InstanceFile() override {
    file_.reset();
    tree_.let_go(instance_);
  }

  int64_t read(uint64_t offset, size_t bytes, bool may_wait, std::string *text) override {
    return file_->read(offset, bytes, may_wait, text);
  }
  int64_t write(std::string_view text) override { return file_->write(text); }
  int64_t flush() override { return file_->flush(); }
  bool is_ready() override { return file_->is_ready(); }

private:
  ControlTree &tree_;
  const std::string instance_;
  std::unique_ptr<TreeFile> file_;
};

} // namespace

TreePath split_path(const std::string &path) {
  constexpr std::string_view kFolder = "instances/";
  if (!path.starts_with(kFolder))
    return {"", path};
  size_t end = std::min(path.find('/', kFolder.size()), path.size());
  return {path.substr(kFolder.size(), end - kFolder.size()),
          path.substr(std::min(end + 1, path.size()))};
}

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
  const TreePath path = split_path(folder);
  std::vector<Entry> ours = event_entries(folder);
  int64_t result;
  {
    std::lock_guard guard(mutex_);
    result = client_.list(folder, entries);
    // The process has no folder per_cpu; the tree adds one, also to each instance that exists.
    std::vector<Entry> unused;
    if (result == -ENOENT && !ours.empty() && !path.rest.empty())
      result = path.instance.empty() ? 0 : client_.list("instances/" + path.instance, &unused);
  }
  if (result < 0)
    return result;
  for (const Entry &entry : ours) {
    std::erase_if(*entries, [&](const Entry &e) { return e.name == entry.name; });
    entries->push_back(entry);
  }
  std::ranges::sort(*entries, {}, &Entry::name);
  return 0;
}

int64_t ControlTree::make_folder(const std::string &path) {
  nophook_control_request make = {};
  make.op = NOPHOOK_CONTROL_MKDIR;
  return request(make, path);
}

int64_t ControlTree::remove_folder(const std::string &path) {
  nophook_control_request remove = {};
  remove.op = NOPHOOK_CONTROL_RMDIR;
  int64_t result = request(remove, path);
  std::lock_guard guard(pipe_mutex_);
  if (result >= 0)
    pipes_.erase(split_path(path).instance);
  return result;
}

int64_t ControlTree::open(const std::string &path, int flags, std::unique_ptr<TreeFile> *file) {
  TreePath parts = split_path(path);
  if (parts.instance.empty())
    return open_file(path, flags, file);
  std::unique_ptr<TreeFile> opened;
  int64_t result = hold(parts.instance);
  if (result < 0)
    return result;
  result = open_file(path, flags, &opened);
  if (result >= 0)
    *file = std::make_unique<InstanceFile>(*this, parts.instance, std::move(opened));
  else
    let_go(parts.instance);
  return result;
}

// Texts are read whole here, and events from the buffer. So one of the process's own files is open
// on behalf of all open files of an instance.
int64_t ControlTree::hold(const std::string &instance) {
  std::lock_guard guard(hold_mutex_);
  Hold &hold = holds_[instance];
  if (hold.handle < 0) {
    nophook_control_request open = {};
    open.op = NOPHOOK_CONTROL_OPEN;
    open.flags = O_RDONLY;
    hold.handle = request(open, TreePath{instance, ""}.in_instance("tracing_on"));
  }
  int64_t result = std::min<int64_t>(hold.handle, 0);
  if (result < 0)
    holds_.erase(instance);
  else
    hold.users++;
  return result;
}

void ControlTree::let_go(const std::string &instance) {
  std::lock_guard guard(hold_mutex_);
  auto at = holds_.find(instance);
  if (--at->second.users)
    return;
  nophook_control_request close = {};
  close.op = NOPHOOK_CONTROL_CLOSE;
  close.handle = (uint32_t)at->second.handle;
  holds_.erase(at);
  // A server that is gone has nothing open.
  (void)request(close);
}

int64_t ControlTree::open_file(const std::string &path, int flags,
                               std::unique_ptr<TreeFile> *file) {
  if (!is_event_file(path, flags)) {
    int64_t result = ProcessFile::open(*this, process_path(path), flags, file);
    if (result >= 0)
      watch_clock(*this, path, file);
    return result;
  }
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

// The options that are about the text; the others are the process's own affair.
TraceOptions ControlTree::trace_options(const std::string &instance) {
  TraceOptions options;
  std::string text;
  // Without the file, no option is on.
  (void)read(TreePath{instance, ""}.in_instance("trace_options"), &text);
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    // An option of a later runtime is ignored.
    (void)set_trace_option(text.substr(at, end - at), &options);
  }
  return options;
}

std::string buffer_of_process(int32_t pid, const std::string &instance) {
  std::string path;
  uint64_t newest = 0;
  for (const FoundBuffer &found : find_buffers(buffer_folders_of(pid)))
    if (found.is_of(pid) && found.life == Life::kAlive && !found.snapshot &&
        found.instance == instance && found.start_ns >= newest) {
      newest = found.start_ns;
      path = found.path;
    }
  return path;
}

Result<std::shared_ptr<EventPipe>> ControlTree::pipe(const std::string &instance) {
  std::string path = buffer(instance);
  std::lock_guard guard(pipe_mutex_);
  std::shared_ptr<EventPipe> &pipe = pipes_[instance];
  if (!path.empty() && (!pipe || pipe->path() != path)) {
    std::string file = TreePath{instance, ""}.in_instance("buffer_subbuf_size_kb");
    auto opened = EventPipe::open(path, (uint32_t)number_in(file, kKernelPageBytes >> 10) << 10);
    NOPHOOK_TRY(opened);
    pipe = std::move(*opened);
  }
  return pipe;
}

} // namespace nophook
