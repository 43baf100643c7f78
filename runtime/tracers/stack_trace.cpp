// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tracers/stack_trace.h"

#include "base/leb.h"
#include "base/memory.h"
#include "buffer/buffer.h"
#include "ops/thread.h"

#include <sys/uio.h>

namespace nophook {
namespace {

constexpr uint32_t kMaxAddresses = 32;
constexpr uint64_t kMaxFrameBytes = 1 << 20; // a larger one is none

// Read by the kernel, which knows what is there.
bool read_own(uint64_t address, void *to, uint64_t bytes) {
  const struct iovec local = {to, bytes}, remote = {reinterpret_cast<void *>(address), bytes};
  return sys(SYS_process_vm_readv, this_thread()->tid, &local, 1, &remote, 1, 0) == (long)bytes;
}

// The forms that compilers use: e8 rel32, and ff /2 with two to seven bytes.
bool is_behind_call(uint64_t address) {
  uint8_t code[8];
  if (address < kPageBytes || !read_own(address - sizeof code, code, sizeof code))
    return false;
  if (code[3] == 0xe8)
    return true;
  for (unsigned length = 2; length <= 7; length++) {
    const uint8_t *insn = code + sizeof code - length;
    if (insn[0] == 0xff && (insn[1] >> 3 & 7) == 2)
      return true;
  }
  return false;
}

} // namespace

void walk_stack(uint64_t site, const ftrace_regs *regs, uint32_t most,
                void (*visit)(void *context, const StackStep &step), void *context) {
  uint32_t count = 0;
  auto add = [&](uint64_t address, uint64_t low) {
    visit(context, {address, low});
    count++;
  };
  add(site + 5, regs->rsp); // behind the site's instruction: as return addresses are
  uint64_t back = *reinterpret_cast<const uint64_t *>(regs->rsp);
  if (!is_body_return(back) && count < most)
    add(back, regs->rsp + 8);
  uint64_t frame = regs->rbp, above[2] = {};
  for (uint64_t last = regs->rsp; count < most; last = frame, frame = above[0]) {
    if (frame <= last || frame - last > kMaxFrameBytes || frame % 8 ||
        !read_own(frame, above, sizeof above))
      break;
    if (is_body_return(above[1])) // the caller's address is in the frame above
      continue;
    if (!is_behind_call(above[1]))
      break;
    add(above[1], frame + sizeof above);
  }
}

void write_stack_trace(Buffer &buffer, uint64_t site, const ftrace_regs *regs) {
  // Two addresses of a process are less than 2^58 apart.
  uint8_t text[2 + kMaxAddresses * 9]; // not set to 0: that would be a call of memset, which may
  text[0] = NOPHOOK_VALUES_STACK;      // use the vector registers that hold arguments here
  struct {
    uint8_t *end;
    uint64_t last;
  } written = {text + 1, 0};
  walk_stack(
      site, regs, kMaxAddresses,
      [](void *context, const StackStep &step) {
        auto *to = static_cast<decltype(written) *>(context);
        to->end = put_sleb(to->end, step.address - to->last);
        to->last = step.address;
      },
      &written);
  uint8_t *end = written.end;
  *end++ = 0;
  uint64_t signature = (uint64_t)NOPHOOK_CONTROL_MARK << NOPHOOK_ID_SHIFT;
  write_event(buffer, {NOPHOOK_EVENT_CONTROL, signature, 0, 0, text, (uint32_t)(end - text)});
}

} // namespace nophook
