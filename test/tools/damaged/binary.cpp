// Executables and libraries, whole and in mutations, are refused or make probes that are lines of text; nothing crashes.
// RUN: rm -rf %t && mkdir -p %t/corpus && cd %t && %traced_cxx %s -o corpus/program
// RUN: cd %t && %strip -o corpus/stripped corpus/program && %traced_cxx -DLIBRARY -fPIC -shared -g0 %s -o corpus/library
// RUN: cd %t && %fuzz_binary_replay 0 corpus/* | FileCheck %s --check-prefix=WHOLE
// RUN: cd %t && %fuzz_binary_replay 1000 corpus/* 2>notes | FileCheck %s
// WHOLE: 3 files, 3 images tried, 2 recorded
// CHECK: 3 files, 3003 images tried, {{[0-9][0-9][0-9]+}} recorded
#include <vector>
template <class T> __attribute__((noinline)) T sum(const std::vector<T> &all) {
  T result = {};
  for (T one : all)
    result += one;
  return result;
}
int call(int n) { return sum<int>({n, 2}) + (int)sum<double>({1.5, (double)n}); }
#ifndef LIBRARY
int main(int count, char **) { return call(count) == 0; }
#endif
