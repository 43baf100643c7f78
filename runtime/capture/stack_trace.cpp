// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks along frame pointers. The kernel reads each frame, so a wrong pointer ends the walk.

#include "capture/stack_trace.h"

#include "base/leb.h"
#include "base/memory.h"
#include "base/safe_read.h"
#include "buffer/trace_buffer.h"
#include "ops/thread.h"

namespace nophook {
namespace {

constexpr uint32_t kMaxAddresses = 32;
constexpr uint64_t kMaxFrameBytes = 1 << 20; // largest frame; behind a larger one there is no frame

// Reads memory through the kernel, which knows whether it is mapped.
bool read_own(uint64_t address, void *to, uint64_t bytes) {
  return safe_read(this_thread()->tid, address, to, bytes) == (long)bytes;
}

bool is_behind_call(uint64_t address) {
  uint8_t code[Arch::kCallWindowBytes];
  return address >= kPageBytes && read_own(address - sizeof code, code, sizeof code) &&
         Arch::ends_with_call(code);
}

} // namespace

void walk_stack(uint64_t site, const ftrace_regs *regs, uint32_t most,
                void (*visit)(void *context, const StackStep &step), void *context) {
  uint32_t count = 0;
  auto add = [&](uint64_t address, uint64_t low) {
    visit(context, {address, low});
    count++;
  };
  const Arch::Regs &general = regs->general;
  // The first address is behind the site's instruction, as return addresses are.
  add(site + Arch::kSiteBytes, general.entry_sp());
  uint64_t back = general.return_address();
  if (!is_body_return(back) && count < most)
    add(back, general.stack_arguments());
  uint64_t frame = general.frame_pointer(), above[2] = {};
  // The caller's frame may lie directly at the first argument on the stack.
  for (uint64_t last = general.stack_arguments() - 1; count < most;
       last = frame, frame = above[0]) {
    if (frame <= last || frame - last > kMaxFrameBytes || frame % 8 ||
        !read_own(frame, above, sizeof above))
      break;
    above[1] = Arch::code_address(above[1]);
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
