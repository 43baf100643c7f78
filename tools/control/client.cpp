// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/client.h"

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

// Errno if it does not work. The path goes by the folder's descriptor: a socket's is short.
FileDescriptor connect_to(const std::string &folder, const std::string &name) {
  FileDescriptor where(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  FileDescriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!where.valid() || !socket.valid())
    return {};
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::string path = fmt::format("/proc/self/fd/{}/{}", where.get(), name);
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  if (::connect(socket.get(), (sockaddr *)&address, sizeof address) != 0)
    return {};
  return socket;
}

} // namespace

std::vector<int32_t> serving_processes() {
  std::vector<int32_t> pids;
  for (const std::string &folder : buffer_folders()) {
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
      int32_t pid = pid_in(at->path().filename().string());
      if (!pid)
        continue;
      if (connect_to(folder, at->path().filename().string()).valid())
        pids.push_back(pid);
      else if (errno == ECONNREFUSED)
        ::unlink(at->path().c_str());
    }
  }
  std::ranges::sort(pids);
  return pids;
}

Result<ControlClient> ControlClient::connect(int32_t pid) {
  ControlClient client;
  client.pid_ = pid;
  for (const std::string &folder : buffer_folders())
    if (!client.socket_.valid())
      client.socket_ = connect_to(folder, fmt::format("{}{}", pid, kSuffix));
  if (!client.socket_.valid())
    return error_at(fmt::format("process {}", pid),
                    "does not serve (start it with NOPHOOK=serve; nophook ps shows those that do)");
  nophook_control_request hello = {};
  hello.op = NOPHOOK_CONTROL_HELLO;
  hello.offset = NOPHOOK_CONTROL_VERSION;
  auto reply = client.ask(hello);
  NOPHOOK_TRY(reply);
  if (reply->result < 0)
    return error_at(fmt::format("process {}", pid), "has a runtime of another version");
  return client;
}

Result<ControlClient::Reply> ControlClient::ask(nophook_control_request request,
                                                std::string_view data) {
  std::string packet(reinterpret_cast<const char *>(&request), sizeof request);
  packet += data;
  std::string answer(sizeof(nophook_control_reply) + NOPHOOK_CONTROL_DATA_BYTES, '\0');
  ssize_t bytes = -1;
  if (::send(socket_.get(), packet.data(), packet.size(), MSG_NOSIGNAL) >= 0)
    bytes = ::recv(socket_.get(), answer.data(), answer.size(), 0);
  if (bytes < (ssize_t)sizeof(nophook_control_reply))
    return error_at(fmt::format("process {}", pid_),
                    bytes < 0 && errno == EAGAIN ? "does not answer" : "is gone");
  Reply reply;
  std::memcpy(&reply.result, answer.data(), sizeof reply.result);
  reply.data =
      answer.substr(sizeof(nophook_control_reply), (size_t)bytes - sizeof(nophook_control_reply));
  return reply;
}

Error ControlClient::refused(const std::string &path, int64_t result) const {
  return error_at(path, std::strerror((int)-result));
}

Result<uint32_t> ControlClient::open(const std::string &path, int flags) {
  nophook_control_request request = {};
  request.op = NOPHOOK_CONTROL_OPEN;
  request.flags = (uint32_t)flags;
  auto reply = ask(request, path);
  NOPHOOK_TRY(reply);
  if (reply->result < 0)
    return refused(path, reply->result);
  return (uint32_t)reply->result;
}

Result<std::string> ControlClient::read(const std::string &path) {
  auto handle = open(path, O_RDONLY);
  NOPHOOK_TRY(handle);
  nophook_control_request request = {};
  request.op = NOPHOOK_CONTROL_READ;
  request.handle = *handle;
  std::string text;
  for (;;) {
    request.offset = text.size();
    auto reply = ask(request);
    NOPHOOK_TRY(reply);
    if (reply->result < 0)
      return refused(path, reply->result);
    if (reply->data.empty())
      break;
    text += reply->data;
  }
  request.op = NOPHOOK_CONTROL_CLOSE;
  NOPHOOK_TRY(ask(request));
  return text;
}

Result<> ControlClient::write(const std::string &path, const std::string &text, bool append) {
  auto handle = open(path, O_WRONLY | (append ? O_APPEND : O_TRUNC));
  NOPHOOK_TRY(handle);
  nophook_control_request request = {};
  request.handle = *handle;
  int64_t wrong = 0;
  for (size_t at = 0; at < text.size() && wrong >= 0; at += NOPHOOK_CONTROL_DATA_BYTES) {
    request.op = NOPHOOK_CONTROL_WRITE;
    auto reply = ask(request, std::string_view(text).substr(at, NOPHOOK_CONTROL_DATA_BYTES));
    NOPHOOK_TRY(reply);
    wrong = reply->result;
  }
  request.op = NOPHOOK_CONTROL_CLOSE;
  auto closed = ask(request);
  NOPHOOK_TRY(closed);
  wrong = wrong < 0 ? wrong : closed->result;
  if (wrong >= 0)
    return {};
  // The latest entry of the log is ours, unless somebody else has made a mistake at this moment.
  Error error = refused(path, wrong);
  if (auto log = read("error_log"); log && !log->empty()) {
    constexpr std::string_view kMark = "] ftrace: error: ";
    size_t from = log->rfind(kMark);
    if (from != std::string::npos)
      error.problem = printable(std::string_view(*log).substr(
          from + kMark.size(), log->find('\n', from) - from - kMark.size()));
  }
  return error;
}

Result<std::vector<ControlClient::Entry>> ControlClient::list(const std::string &folder) {
  nophook_control_request request = {};
  request.op = NOPHOOK_CONTROL_LIST;
  auto reply = ask(request, folder);
  NOPHOOK_TRY(reply);
  if (reply->result < 0)
    return refused(folder, reply->result);
  std::vector<Entry> entries;
  std::string_view lines = reply->data;
  for (size_t end; (end = lines.find('\n')) != std::string_view::npos;
       lines.remove_prefix(end + 1)) {
    std::string_view line = lines.substr(0, end);
    unsigned mode = 0;
    std::from_chars(line.data(), line.data() + line.size(), mode, 8);
    entries.push_back({printable(line.substr(std::min(line.find(' ') + 1, line.size()))),
                       (mode & 0170000) == 0040000, (mode & 0400) != 0, (mode & 0200) != 0});
  }
  return entries;
}

} // namespace nophook
