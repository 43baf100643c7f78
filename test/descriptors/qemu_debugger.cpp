// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A static program of AArch64 under qemu-aarch64, which is its debugger: it speaks gdb's remote
// protocol on a socket.

#include "debugger.h"

#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nophook {
namespace {

// Numbers of registers, as in gdb's aarch64-core.xml and aarch64-fpu.xml.
constexpr unsigned kX30 = 30, kSp = 31, kPc = 32, kV0 = 34;

class QemuDebugger : public Debugger {
public:
  QemuDebugger(const char *truth, const char *path) {
    site_bytes = 4;
    const std::string at = std::string(truth) + ".sock";
    unlink(at.c_str());
    pid_ = fork();
    if (pid_ == 0) {
      int out = open(truth, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      dup2(out, 1);
      // A CPU without SVE, where the vector registers are those of the ABI.
      execlp("qemu-aarch64", "qemu-aarch64", "-cpu", "cortex-a57", "-g", at.c_str(), path,
             (char *)nullptr);
      _exit(127);
    }
    connect(at);
    ask("?");
    ask("qXfer:features:read:target.xml:0,ffb"); // without it qemu gives no vector registers
  }
  ~QemuDebugger() override { close(socket_); }

  bool go_on(uint64_t address) override {
    if (address != stopped_at())
      must_be_ok(fmt::format("P{:x}={}", kPc, hex(&address, sizeof address)));
    const std::string answer = ask("c");
    if (answer.starts_with("W00"))
      return false;
    if (!answer.starts_with("T05"))
      fail("the program died: " + answer);
    return true;
  }

  uint64_t stopped_at() override { return general(kPc); }
  uint64_t stack_pointer() override { return general(kSp); }
  Return return_of_call() override { return {general(kX30), general(kSp)}; }

  CallRegisters registers() override {
    CallRegisters result;
    for (unsigned i = 0; i < result.general.size(); i++)
      result.general[i] = general(i);
    for (unsigned i = 0; i < 8; i++)
      if (!unhex(ask(fmt::format("p{:x}", kV0 + i)), result.sse[i].data(), 16))
        fail("qemu has no vector registers");
    result.stack_arguments = general(kSp);
    return result;
  }

  bool read(uint64_t address, void *to, size_t bytes) override {
    return unhex(ask(fmt::format("m{:x},{:x}", address, bytes)), to, bytes);
  }

  void set_breakpoint(uint64_t address) override { must_be_ok(fmt::format("Z0,{:x},4", address)); }
  void remove_breakpoint(uint64_t address) override {
    must_be_ok(fmt::format("z0,{:x},4", address));
  }

private:
  // As soon as qemu listens.
  void connect(const std::string &at) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (at.size() >= sizeof address.sun_path)
      fail("the path is too long for a socket: " + at);
    std::memcpy(address.sun_path, at.c_str(), at.size());
    socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    while (::connect(socket_, (sockaddr *)&address, sizeof address) != 0) {
      int status;
      if (waitpid(pid_, &status, WNOHANG) == pid_)
        fail("qemu-aarch64 has ended");
      usleep(1000);
    }
    unlink(at.c_str());
  }

  static std::string hex(const void *bytes, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; i++)
      text += fmt::format("{:02x}", static_cast<const uint8_t *>(bytes)[i]);
    return text;
  }
  static bool unhex(const std::string &text, void *to, size_t bytes) {
    if (text.size() != 2 * bytes)
      return false;
    for (size_t i = 0; i < bytes; i++)
      static_cast<uint8_t *>(to)[i] = (uint8_t)std::stoul(text.substr(2 * i, 2), nullptr, 16);
    return true;
  }

  char next() {
    char c;
    if (::read(socket_, &c, 1) != 1)
      fail("qemu-aarch64 hung up");
    return c;
  }

  std::string ask(const std::string &question) {
    unsigned sum = 0;
    for (char c : question)
      sum += (uint8_t)c;
    const std::string packet = fmt::format("${}#{:02x}", question, sum & 255);
    if (write(socket_, packet.data(), packet.size()) != (ssize_t)packet.size())
      fail("qemu-aarch64 hung up");
    std::string answer;
    while (next() != '$') {
    }
    for (char c = next(); c != '#'; c = next())
      answer += c;
    next();
    next();
    if (write(socket_, "+", 1) != 1)
      fail("qemu-aarch64 hung up");
    return answer;
  }

  void must_be_ok(const std::string &question) {
    if (std::string answer = ask(question); answer != "OK")
      fail(question + ": " + answer);
  }

  uint64_t general(unsigned number) {
    uint64_t value = 0;
    if (!unhex(ask(fmt::format("p{:x}", number)), &value, sizeof value))
      fail(fmt::format("qemu has no register {}", number));
    return value;
  }

  pid_t pid_;
  int socket_ = -1;
};

} // namespace

std::unique_ptr<Debugger> debug_by_qemu(const char *truth, const char *path) {
  return std::make_unique<QemuDebugger>(truth, path);
}

} // namespace nophook
