// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the socket, checks that the right process listens, and exchanges requests and replies.

#include "process/control/client.h"

#include "foundation/checked_folder.h"
#include "foundation/identity.h"
#include "foundation/installation.h"
#include "foundation/process.h"
#include "foundation/process_user.h"
#include "process/control/served.h"
#include "process/drain/buffer_folder.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace nophook {

namespace {

// Wait for a process that has not answered once.
constexpr std::chrono::milliseconds kShortPatience = std::chrono::seconds(1);

// The largest text of one file: a list of four million functions.
constexpr size_t kMostText = 256 << 20;

void set_patience(const FileDescriptor &socket, std::chrono::milliseconds patience) {
  timeval time = {patience.count() / 1000, patience.count() % 1000 * 1000};
  setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

// Whether the connection succeeds; else errno says why not. The entry must be a socket itself: a
// link could lead to the socket of any service. The path goes by a descriptor, since a socket's
// path must be short.
bool connect_by(const FileDescriptor &socket, const CheckedFolder &folder,
                const std::string &name) {
  const FileDescriptor file(
      ::openat(folder.descriptor(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  struct stat about;
  if (!file.valid() || ::fstat(file.get(), &about) != 0)
    return false;
  if (!S_ISSOCK(about.st_mode)) {
    errno = ENOTSOCK;
    return false;
  }
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string path = fmt::format("/proc/self/fd/{}", file.get());
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return ::connect(socket.get(), (sockaddr *)&address, sizeof address) == 0;
}

// Removes the socket of a process that was killed. A socket gets its name when it listens. Since
// the failed attempt, the next process of that number may have put its own socket there, so the
// moved socket is asked again. True if that one answers: `socket` is connected to it, and it is
// back in its place.
bool remove_stale(const FileDescriptor &socket, const CheckedFolder &folder,
                  const std::string &name) {
  const AsOwner owner(folder);
  const int in = folder.descriptor();
  const std::string aside = fmt::format("{}.{}", name, own_number());
  if (::renameat(in, name.c_str(), in, aside.c_str()) != 0)
    return false;
  bool listens = connect_by(socket, folder, aside);
  if (listens || errno != ECONNREFUSED)
    // does nothing if there is a newer one
    (void)::linkat(in, aside.c_str(), in, name.c_str(), 0);
  ::unlinkat(in, aside.c_str(), 0);
  return listens;
}

struct Connection {
  FileDescriptor socket;
  int32_t pid = 0; // number of the process at the other end
};

// The folder and the name of a socket.
struct SocketFile {
  std::string folder, name;
  OwnName owner;
};

// A client does not believe the file's name: a container may share the folder, and the process that
// listens may be invisible from here.
Connection connect_to(const SocketFile &file, std::chrono::milliseconds patience) {
  const auto folder = CheckedFolder::open(file.folder);
  FileDescriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!folder || !socket.valid())
    return {};
  set_patience(socket, patience);
  if (!connect_by(socket, *folder, file.name) &&
      (errno != ECONNREFUSED || !remove_stale(socket, *folder, file.name)))
    return {};
  ucred peer = {};
  socklen_t bytes = sizeof peer;
  if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0 || peer.pid <= 0 ||
      !is_named(peer.pid, file.owner))
    return {};
  return {std::move(socket), peer.pid};
}

// Whether the contract allows this answer to a request: replies are checked, not believed.
bool may_answer(const nophook_control_request &request, size_t data, int64_t result, size_t bytes) {
  constexpr int64_t kMostErrno = 4095;
  if (result < 0)
    return result >= -kMostErrno && bytes == 0;
  switch (request.op) {
  case NOPHOOK_CONTROL_READ:
  case NOPHOOK_CONTROL_LIST:
    return (uint64_t)result == bytes;
  case NOPHOOK_CONTROL_OPEN:
    return result < NOPHOOK_CONTROL_HANDLES && bytes == 0;
  case NOPHOOK_CONTROL_WRITE:
    return (uint64_t)result <= data && bytes == 0;
  default:
    return result <= INT32_MAX && bytes == 0; // a pid, or 0
  }
}

bool is_entry_name(std::string_view name) {
  return !name.empty() && name.size() <= NAME_MAX && name != "." && name != ".." &&
         name.find('/') == std::string_view::npos;
}

std::vector<SocketFile> sockets_in(const std::vector<std::string> &folders) {
  std::vector<SocketFile> files;
  for (const std::string &folder : folders) {
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
      std::string name = at->path().filename().string();
      if (auto owner = owner_of_socket(name))
        files.push_back({folder, name, *owner});
    }
  }
  return files;
}

// A living process is not contacted: that would use one of its connections.
void remove_stale_sockets() {
  for (const SocketFile &file : sockets_in(buffer_folders()))
    if (is_gone(file.owner))
      // The attempt removes the socket, and is expected to fail.
      (void)connect_to(file, kShortPatience);
}

// A connection to this process; none: it has no socket in its folders.
Connection connect_to_process(int32_t pid, std::chrono::milliseconds patience) {
  for (const SocketFile &file : sockets_in(buffer_folders_of(pid)))
    if (is_named(pid, file.owner))
      if (Connection made = connect_to(file, patience); made.pid == pid)
        return made;
  return {};
}

} // namespace

std::vector<int32_t> serving_processes(bool in_any_folder) {
  std::vector<int32_t> pids;
  for (const SocketFile &file : sockets_in(buffer_folders()))
    if (int32_t pid = connect_to(file, kShortPatience).pid)
      pids.push_back(pid);
  for (int32_t pid : in_any_folder ? listening_processes() : std::vector<int32_t>())
    if (!std::ranges::count(pids, pid) && process_user(pid) == geteuid() &&
        connect_to_process(pid, kShortPatience).pid)
      pids.push_back(pid);
  std::ranges::sort(pids);
  return pids;
}

std::string socket_folder(int32_t pid) {
  for (const SocketFile &file : sockets_in(buffer_folders_of(pid)))
    if (is_named(pid, file.owner) && connect_to(file, kShortPatience).pid == pid)
      return file.folder;
  return "";
}

bool has_socket(int32_t pid) {
  return std::ranges::any_of(sockets_in(buffer_folders_of(pid)),
                             [pid](const SocketFile &file) { return is_named(pid, file.owner); });
}

bool serves(int32_t pid) {
  return !socket_folder(pid).empty();
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
  auto patience = is_silent_ ? std::min(patience_, kShortPatience) : patience_;
  socket_ = connect_to_process(pid_, patience).socket;
  if (!socket_.valid())
    return -ENODEV;
  nophook_control_request hello = {};
  hello.op = NOPHOOK_CONTROL_HELLO;
  hello.offset = NOPHOOK_CONTROL_VERSION;
  int64_t result = exchange(hello, {}, nullptr);
  return result < 0 ? result : 0;
}

Result<ControlClient> ControlClient::connect(int32_t pid, std::chrono::milliseconds patience) {
  ControlClient client;
  client.pid_ = pid;
  client.patience_ = patience;
  remove_stale_sockets();
  int64_t result = client.connect();
  if (result == -ENODEV)
    return not_served(pid);
  if (result == -EPROTO && client.socket_.valid())
    return error_at(fmt::format("process {}", pid), "has a runtime of another version");
  if (result < 0)
    return client.refused("", result);
  return client;
}

void ControlClient::wait_at_most(std::chrono::milliseconds patience) {
  patience_ = patience;
  if (socket_.valid())
    set_patience(socket_, patience_);
}

// Whether no answer comes in time. Without a descriptor, recv() itself waits.
bool ControlClient::waits_in_vain() const {
  using Clock = std::chrono::steady_clock;
  pollfd ready[] = {{socket_.get(), POLLIN, 0}, {hurry_, POLLIN, 0}};
  auto end = Clock::now() + patience_;
  while (hurry_ >= 0 && !ready[0].revents) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0)
      return true;
    ready[1].revents = 0;
    if (::poll(ready, 2, (int)left.count()) > 0 && ready[1].revents) {
      ready[1].fd = -1; // poll() ignores it
      end = std::min(end, Clock::now() + kShortPatience);
    }
  }
  return false;
}

int64_t ControlClient::exchange(const nophook_control_request &request, std::string_view data,
                                std::string *answer) {
  std::string packet(reinterpret_cast<const char *>(&request), sizeof request);
  packet += data;
  std::string got(sizeof(nophook_control_reply) + NOPHOOK_CONTROL_DATA_BYTES, '\0');
  ssize_t bytes = -1;
  if (::send(socket_.get(), packet.data(), packet.size(), MSG_NOSIGNAL) >= 0) {
    if (waits_in_vain())
      errno = EAGAIN;
    else
      do
        bytes = ::recv(socket_.get(), got.data(), got.size(), MSG_TRUNC);
      while (bytes < 0 && errno == EINTR);
  }
  int64_t wrong = bytes > 0 ? 0 : bytes < 0 && errno == EAGAIN ? -ETIMEDOUT : -ENODEV;
  nophook_control_reply reply;
  if (!wrong && (bytes < (ssize_t)sizeof reply || bytes > (ssize_t)got.size()))
    wrong = -EPROTO;
  std::memcpy(&reply, got.data(), sizeof reply);
  got.resize(std::clamp<ssize_t>(bytes, sizeof reply, (ssize_t)got.size()));
  if (!wrong && !may_answer(request, data.size(), reply.result, got.size() - sizeof reply))
    wrong = -EPROTO;
  if (wrong) {
    socket_.reset(); // a late answer would be taken for the next request's
    is_silent_ = wrong == -ETIMEDOUT;
    return wrong;
  }
  if (std::exchange(is_silent_, false))
    set_patience(socket_, patience_);
  if (answer)
    *answer = got.substr(sizeof reply);
  return reply.result;
}

int64_t ControlClient::request(nophook_control_request request, std::string_view data,
                               std::string *answer) {
  bool has_handle = request.op == NOPHOOK_CONTROL_READ || request.op == NOPHOOK_CONTROL_WRITE ||
                    request.op == NOPHOOK_CONTROL_CLOSE;
  if (has_handle && request.handle / NOPHOOK_CONTROL_HANDLES != connection_)
    // The handle's number may be another file's by now, if there is still a process.
    return socket_.valid() || connect() >= 0 ? -EIO : -ENODEV;
  request.handle %= NOPHOOK_CONTROL_HANDLES;
  int64_t result = socket_.valid() ? exchange(request, data, answer) : -ENODEV;
  if (!socket_.valid() && result == -ENODEV) {
    // A client that is silent for long may lose its connection to others.
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
    return error_at(process, "does not answer (is it stopped?)");
  if (result == -EPROTO && !socket_.valid())
    return error_at(process, "gave an answer that is not one of nophook's runtime");
  if (result == -EFBIG)
    return error_at(process, fmt::format("sent a text without an end for {}", path));
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
  auto until = std::chrono::steady_clock::now() + patience_;
  text->clear();
  while ((result = request(read, {}, &part)) > 0) {
    *text += part;
    read.offset = text->size();
    if (text->size() > kMostText || std::chrono::steady_clock::now() > until) {
      result = text->size() > kMostText ? -EFBIG : -ETIMEDOUT;
      break;
    }
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
  Error why;
  if (write(path, text, append, &why) < 0)
    return why;
  return {};
}

int64_t ControlClient::write(const std::string &path, const std::string &text, bool append,
                             Error *why) {
  nophook_control_request step = {};
  step.op = NOPHOOK_CONTROL_OPEN;
  step.flags = (uint32_t)(O_WRONLY | (append ? O_APPEND : O_TRUNC));
  int64_t wrong = request(step, path);
  if (wrong < 0) {
    *why = refused(path, wrong);
    return wrong;
  }
  step.handle = (uint32_t)wrong;
  step.op = NOPHOOK_CONTROL_WRITE;
  for (size_t at = 0; at < text.size() && wrong >= 0; at += (size_t)std::max<int64_t>(wrong, 0))
    if ((wrong = request(step, first_part(std::string_view(text).substr(at)))) == 0)
      wrong = -EIO;
  step.op = NOPHOOK_CONTROL_CLOSE;
  int64_t closed = request(step);
  wrong = wrong < 0 ? wrong : closed;
  if (wrong >= 0)
    return 0;
  // The latest entry of the log is ours, unless another client made a mistake at this moment.
  Error error = refused(path, wrong);
  if (auto log = read("error_log"); log && !log->empty()) {
    constexpr std::string_view kMark = ": error: ";
    size_t entry = log->rfind("\n["),
           from = log->find(kMark, entry == std::string::npos ? 0 : entry);
    if (from != std::string::npos)
      error.problem = printable(std::string_view(*log).substr(
          from + kMark.size(), log->find('\n', from) - from - kMark.size()));
  }
  *why = error;
  return wrong;
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
    size_t blank = line.find(' ');
    std::string name = blank < line.size() ? printable(line.substr(blank + 1)) : "";
    if (is_entry_name(name))
      entries->push_back(
          {name, (mode & 0170000) == 0040000, (mode & 0400) != 0, (mode & 0200) != 0});
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
