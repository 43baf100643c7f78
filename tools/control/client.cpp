// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/client.h"

#include "base/installation.h"
#include "base/process.h"
#include "drain/buffer_folder.h"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace nophook {

namespace {

constexpr std::string_view kSuffix = ".sock";

// A process that is stopped, or in the middle of a large batch, answers late.
constexpr timeval kPatience = {30, 0};

// The number in "PID.sock", or 0.
int32_t pid_in(const std::string &name) {
  int32_t pid = 0;
  auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  return error == std::errc() && std::string_view(end) == kSuffix ? pid : 0;
}

// Whether it works; else errno says why not.
bool connect_by(const FileDescriptor &socket, const std::string &path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return ::connect(socket.get(), (sockaddr *)&address, sizeof address) == 0;
}

// Of a process that was killed: a socket has its name when it listens. But since it was asked, the
// next process of that number may have put its own there: so what is moved away is asked again.
// Whether it is connected, and in its place.
bool remove_stale(const FileDescriptor &socket, const std::string &path) {
  std::string aside = fmt::format("{}.{}", path, ::getpid());
  if (::rename(path.c_str(), aside.c_str()) != 0)
    return false;
  bool listens = connect_by(socket, aside);
  if (listens || errno != ECONNREFUSED)
    (void)::link(aside.c_str(), path.c_str()); // unless there is a newer one
  ::unlink(aside.c_str());
  return listens;
}

// Errno if it does not work. The path goes by the folder's descriptor: a socket's is short.
FileDescriptor connect_to(const std::string &folder, const std::string &name) {
  FileDescriptor where(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  FileDescriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!where.valid() || !socket.valid())
    return {};
  std::string path = fmt::format("/proc/self/fd/{}/{}", where.get(), name);
  setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  if (!connect_by(socket, path) && (errno != ECONNREFUSED || !remove_stale(socket, path)))
    return {};
  // A number may be another process's in the PID namespace of a container that has the folder, too.
  ucred peer = {};
  socklen_t bytes = sizeof peer;
  if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0 ||
      peer.pid != pid_in(name))
    return {};
  return socket;
}

// Calls `see` for each socket there is.
template <class See> void each_socket(See see) {
  for (const std::string &folder : buffer_folders()) {
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
      std::string name = at->path().filename().string();
      if (int32_t pid = pid_in(name))
        see(pid, folder, name);
    }
  }
}

// Whoever lives is not asked: that would cost him one of his places.
void remove_stale_sockets() {
  each_socket([](int32_t pid, const std::string &folder, const std::string &name) {
    if (process_is_gone(pid))
      (void)connect_to(folder, name);
  });
}

} // namespace

std::vector<int32_t> serving_processes() {
  std::vector<int32_t> pids;
  each_socket([&](int32_t pid, const std::string &folder, const std::string &name) {
    if (connect_to(folder, name).valid())
      pids.push_back(pid);
  });
  std::ranges::sort(pids);
  return pids;
}

std::string words_to_serve() {
  auto runtime = find_runtime();
  return fmt::format("NOPHOOK=serve LD_PRELOAD={}", runtime ? *runtime : "libnophook.so");
}

std::string_view first_part(std::string_view text) {
  std::string_view part = text.substr(0, NOPHOOK_CONTROL_DATA_BYTES);
  size_t end = part.size() < text.size() ? part.rfind('\n') : std::string_view::npos;
  return end == std::string_view::npos ? part : part.substr(0, end + 1);
}

// -ENODEV: it does not serve; -EPROTO: it has another version.
int64_t ControlClient::connect() {
  socket_.reset();
  connection_ = (connection_ + 1) % (UINT32_MAX / NOPHOOK_CONTROL_HANDLES);
  for (const std::string &folder : buffer_folders())
    if (!socket_.valid())
      socket_ = connect_to(folder, fmt::format("{}{}", pid_, kSuffix));
  if (!socket_.valid())
    return -ENODEV;
  nophook_control_request hello = {};
  hello.op = NOPHOOK_CONTROL_HELLO;
  hello.offset = NOPHOOK_CONTROL_VERSION;
  int64_t result = exchange(hello, {}, nullptr);
  return result < 0 ? result : 0;
}

Result<ControlClient> ControlClient::connect(int32_t pid) {
  ControlClient client;
  client.pid_ = pid;
  remove_stale_sockets();
  int64_t result = client.connect();
  if (result == -ENODEV && process_is_gone(pid))
    return error_at(fmt::format("process {}", pid), "there is no such process");
  if (result == -ENODEV)
    return error_at(fmt::format("process {}", pid),
                    fmt::format("does not serve (start it with {}; nophook ps shows those that do)",
                                words_to_serve()));
  if (result == -EPROTO)
    return error_at(fmt::format("process {}", pid), "has a runtime of another version");
  if (result < 0)
    return client.refused("", result);
  return client;
}

int64_t ControlClient::exchange(const nophook_control_request &request, std::string_view data,
                                std::string *answer) {
  std::string packet(reinterpret_cast<const char *>(&request), sizeof request);
  packet += data;
  std::string got(sizeof(nophook_control_reply) + NOPHOOK_CONTROL_DATA_BYTES, '\0');
  ssize_t bytes = -1;
  if (::send(socket_.get(), packet.data(), packet.size(), MSG_NOSIGNAL) >= 0)
    do
      bytes = ::recv(socket_.get(), got.data(), got.size(), 0);
    while (bytes < 0 && errno == EINTR);
  nophook_control_reply reply;
  if (bytes < (ssize_t)sizeof reply) {
    int64_t wrong = bytes < 0 && errno == EAGAIN ? -ETIMEDOUT : -ENODEV;
    socket_.reset(); // a late answer would be taken for the next one's
    return wrong;
  }
  std::memcpy(&reply, got.data(), sizeof reply);
  if (answer)
    *answer = got.substr(sizeof reply, (size_t)bytes - sizeof reply);
  return reply.result;
}

int64_t ControlClient::request(nophook_control_request request, std::string_view data,
                               std::string *answer) {
  bool has_handle = request.op == NOPHOOK_CONTROL_READ || request.op == NOPHOOK_CONTROL_WRITE ||
                    request.op == NOPHOOK_CONTROL_CLOSE;
  if (has_handle && request.handle / NOPHOOK_CONTROL_HANDLES != connection_)
    // Its number may be another file's by now, if there is still a process.
    return socket_.valid() || connect() >= 0 ? -EIO : -ENODEV;
  request.handle %= NOPHOOK_CONTROL_HANDLES;
  int64_t result = socket_.valid() ? exchange(request, data, answer) : -ENODEV;
  if (!socket_.valid() && result != -ETIMEDOUT) {
    // Who is silent for long may lose his place to others.
    result = connect();
    if (result >= 0)
      result = has_handle ? -EIO : exchange(request, data, answer);
  }
  if (request.op == NOPHOOK_CONTROL_OPEN && result >= 0)
    result += (int64_t)connection_ * NOPHOOK_CONTROL_HANDLES;
  return result;
}

Error ControlClient::refused(const std::string &path, int64_t result) const {
  std::string process = fmt::format("process {}", pid_);
  if (result == -ENODEV && !socket_.valid())
    return error_at(process, "is gone");
  if (result == -ETIMEDOUT)
    return error_at(process, "does not answer");
  return error_at(path, std::strerror((int)-result));
}

int64_t ControlClient::read(const std::string &path, std::string *text) {
  nophook_control_request open = {};
  open.op = NOPHOOK_CONTROL_OPEN;
  open.flags = O_RDONLY;
  int64_t handle = request(open, path);
  if (handle < 0)
    return handle;
  nophook_control_request read = {};
  read.op = NOPHOOK_CONTROL_READ;
  read.handle = (uint32_t)handle;
  std::string part;
  int64_t result;
  text->clear();
  while ((result = request(read, {}, &part)) > 0) {
    *text += part;
    read.offset = text->size();
  }
  read.op = NOPHOOK_CONTROL_CLOSE;
  int64_t closed = request(read);
  return result < 0 ? result : closed;
}

Result<std::string> ControlClient::read(const std::string &path) {
  std::string text;
  int64_t result = read(path, &text);
  if (result < 0)
    return refused(path, result);
  return text;
}

Result<> ControlClient::write(const std::string &path, const std::string &text, bool append) {
  nophook_control_request step = {};
  step.op = NOPHOOK_CONTROL_OPEN;
  step.flags = (uint32_t)(O_WRONLY | (append ? O_APPEND : O_TRUNC));
  int64_t wrong = request(step, path);
  if (wrong < 0)
    return refused(path, wrong);
  step.handle = (uint32_t)wrong;
  step.op = NOPHOOK_CONTROL_WRITE;
  for (size_t at = 0; at < text.size() && wrong >= 0; at += (size_t)std::max<int64_t>(wrong, 0))
    if ((wrong = request(step, first_part(std::string_view(text).substr(at)))) == 0)
      wrong = -EIO;
  step.op = NOPHOOK_CONTROL_CLOSE;
  int64_t closed = request(step);
  wrong = wrong < 0 ? wrong : closed;
  if (wrong >= 0)
    return {};
  // The latest entry of the log is ours, unless somebody else has made a mistake at this moment.
  Error error = refused(path, wrong);
  if (auto log = read("error_log"); log && !log->empty()) {
    constexpr std::string_view kMark = ": error: ";
    size_t entry = log->rfind("\n["),
           from = log->find(kMark, entry == std::string::npos ? 0 : entry);
    if (from != std::string::npos)
      error.problem = printable(std::string_view(*log).substr(
          from + kMark.size(), log->find('\n', from) - from - kMark.size()));
  }
  return error;
}

int64_t ControlClient::list(const std::string &folder, std::vector<Entry> *entries) {
  nophook_control_request list = {};
  list.op = NOPHOOK_CONTROL_LIST;
  std::string answer;
  int64_t result = request(list, folder, &answer);
  if (result < 0)
    return result;
  std::string_view lines = answer;
  for (size_t end; (end = lines.find('\n')) != std::string_view::npos;
       lines.remove_prefix(end + 1)) {
    std::string_view line = lines.substr(0, end);
    unsigned mode = 0;
    std::from_chars(line.data(), line.data() + line.size(), mode, 8);
    entries->push_back({printable(line.substr(std::min(line.find(' ') + 1, line.size()))),
                        (mode & 0170000) == 0040000, (mode & 0400) != 0, (mode & 0200) != 0});
  }
  return 0;
}

Result<std::vector<ControlClient::Entry>> ControlClient::list(const std::string &folder) {
  std::vector<Entry> entries;
  int64_t result = list(folder, &entries);
  if (result < 0)
    return refused(folder, result);
  return entries;
}

} // namespace nophook
