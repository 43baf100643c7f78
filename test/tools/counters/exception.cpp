// Counters of a C++ call: the function that catches has its growth, the one that an exception leaves has no exit to tell it; args and counters stand beside each other.
// RUN: %traced_cxx %s -o %t && %nophook record -S perf_counters=minor-faults --args -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: %nophook record -S perf_counters=minor-faults,major-faults -p function -o %t.function -- %t && %nophook report %t.function | FileCheck --check-prefix=FUNCTION %s
#include <sys/mman.h>

#define SEEN __attribute__((noinline, used))
constexpr int kPages = 500;
struct Memory {
  char *pages;
  SEEN void touch(int from, int to) {
    for (int i = from; i < to; i++)
      const_cast<volatile char *>(pages)[4096l * i] = 1;
  }
};
SEEN void leaves(Memory &memory) {
  memory.touch(0, kPages / 2);
  throw 1;
}
SEEN void catches(Memory memory) {
  try {
    leaves(memory);
  } catch (int) {
    memory.touch(kPages / 2, kPages);
  }
}
int main() {
  Memory memory = {static_cast<char *>(mmap(nullptr, 4096l * kPages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))};
  madvise(memory.pages, 4096l * kPages, MADV_NOHUGEPAGE);
  catches(memory);
}
// CHECK: leaves({{.*}}) {
// CHECK: Memory::touch{{.*}}(this={{.*}}, from=0, to=250); /* minor-faults=2{{[5-9][0-9]}} */
// CHECK: } /* leaves{{.*}} left */
// CHECK: Memory::touch{{.*}}(this={{.*}}, from=250, to=500); /* minor-faults=2{{[5-9][0-9]}} */
// CHECK: } /* catches{{.*}} minor-faults={{[5-9][0-9][0-9]|[0-9][0-9][0-9][0-9]+}} */
// FUNCTION-NOT: faults
// FUNCTION: catches{{.*}} <-main
