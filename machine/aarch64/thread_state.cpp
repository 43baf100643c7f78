// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On this CPU no thread is made to call anything yet: find_code() finds nothing, and so the command
// refuses before it stops a thread.

#include "process/attach/thread_state.h"

#include <cerrno>

namespace nophook {

int read_state(int32_t, ThreadState *) {
  return ENOSYS;
}
int write_state(int32_t, const ThreadState &) {
  return ENOSYS;
}
int read_general(int32_t, user_regs_struct *) {
  return ENOSYS;
}
int write_general(int32_t, const user_regs_struct &) {
  return ENOSYS;
}
int block_signals(int32_t, uint64_t) {
  return ENOSYS;
}
long call_of(const user_regs_struct &) {
  return -1;
}
uint64_t program_counter(const user_regs_struct &registers) {
  return registers.pc;
}
uint64_t stack_pointer(const user_regs_struct &registers) {
  return registers.sp;
}
user_regs_struct issued_again(const user_regs_struct &registers, std::span<const uint8_t>) {
  return registers;
}
bool goes_on_by_restart(const user_regs_struct &) {
  return false;
}
std::vector<std::byte> return_frame(const ThreadState &, uint64_t top, uint64_t *at) {
  *at = top;
  return {};
}
void find_code(std::span<const uint8_t>, uint64_t, LibcCode *) {}
user_regs_struct system_call(const user_regs_struct &from, const LibcCode &, long,
                             std::span<const uint64_t>, uint64_t) {
  return from;
}
uint64_t word_behind_call(const LibcCode &) {
  return 0;
}
user_regs_struct instead_of_call(const user_regs_struct &from, const LibcCode &, long,
                                 std::span<const uint64_t>, uint64_t) {
  return from;
}
bool is_in_call(const user_regs_struct &, const LibcCode &, uint64_t) {
  return true;
}
int64_t result_of(const user_regs_struct &) {
  return -ENOSYS;
}
std::span<const std::byte> call_code() {
  return {};
}
user_regs_struct at_call_code(const user_regs_struct &from, uint64_t, uint64_t, uint64_t) {
  return from;
}
bool is_at_end(const user_regs_struct &, uint64_t) {
  return true;
}
bool is_behind_signal(const user_regs_struct &, uint64_t) {
  return true;
}

} // namespace nophook
