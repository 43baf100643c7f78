// Each rule of AAPCS64 (6.8.2): a call arrives and returns as it does untraced, and its descriptor has the stack bytes
// that the rule gives.
// RUN: %traced_cxx -O0 %s -o %t && %each_row %t %nophook %t.program
// RUN: %and_profile %alike -- %t && %each_row %t %nophook %t.program %t.buf.function_graph
// RUN: %traced_cxx -O2 %s -o %t && %each_row %t %nophook %t.program
// RUN: %and_profile %alike -- %t && %each_row %t %nophook %t.program %t.buf.function_graph
// RUN: %trace -s trace_options=funcgraph-args,funcgraph-retval -- %t && %each_row %t %nophook %t.program %t.buf
// RUN: %trace -p function -s trace_options=func-args -- %t
#include "program.h"

#include <stdarg.h>
#include <string.h>

// No type has padding, so all bytes of a value must arrive.
typedef float Float2 __attribute__((vector_size(8)));
typedef int Int4 __attribute__((vector_size(16)));
template <class T, int N> struct Of { // an HFA or HVA of up to four floating-point or vector members
  T member[N];
};
template <class T, class... Rest> struct Pack {
  T member;
  Pack<Rest...> rest;
};
template <class T> struct Pack<T> {
  T member;
};
using Word = long;
using Char = signed char;
using Wide = __int128;
using Quad = long double;
using ComplexQuad = _Complex long double;
union Either {
  float one;
  Of<float, 2> two;
};
struct __attribute__((aligned(16))) OverAligned { // the rule asks for the members' alignment
  Word a, b;
};
struct AlignedMember {
  __attribute__((aligned(16))) Word a;
  Word b;
};
struct Copied { // by a constructor of its own, so its address is passed
  Word a;
  Copied() = default;
  Copied(const Copied &other) : a(other.a) {}
};

template <class T> T make(unsigned long seed) {
  T value;
  for (unsigned long i = 0; i < sizeof value; i++) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    const unsigned char byte = seed >> 56;
    memcpy(reinterpret_cast<char *>(&value) + i, &byte, 1);
  }
  return value;
}

UNTRACED unsigned long next_seed() {
  static unsigned long seed;
  return ++seed;
}

template <class... T> unsigned long sum_of(const T &...values) {
  unsigned long sum = 0xcbf29ce484222325;
  auto add = [&](const void *value, unsigned long bytes) {
    for (unsigned long i = 0; i < bytes; i++)
      sum = (sum ^ static_cast<const unsigned char *>(value)[i]) * 0x100000001b3;
  };
  (add(&values, sizeof values), ...);
  return sum;
}

// Another call in between takes the registers of arguments, and the stack below.
extern "C" NOINLINE double between(double a, double b, double c, double d, double e, double f, double g, double h, double i) {
  KEEP(&a);
  return a + b + c + d + e + f + g + h + i;
}

template <class... T> UNTRACED __attribute__((always_inline)) inline void keep(const T *...values) {
  auto one = [](const void *value) __attribute__((no_instrument_function, always_inline)) { KEEP(value); };
  (one(values), ...);
}

template <class Row, class Result, class... Arguments> NOINLINE Result through(Arguments... arguments) {
  keep(&arguments...);
  between(1, 2, 3, 4, 5, 6, 7, 8, 9);
  return make<Result>(sum_of(arguments...));
}

template <class Row, class Result, class... Arguments> UNTRACED void call(const char *name) {
  auto check = [&](const Arguments &...arguments) {
    const Result result = through<Row, Result, Arguments...>(arguments...), wanted = make<Result>(sum_of(arguments...));
    if (memcmp(&result, &wanted, sizeof result) != 0)
      failures += printf("%s: other arguments, or another result\n", name) > 0;
  };
  check(make<Arguments>(next_seed())...);
}

// A row: the rule's name, the bytes of arguments on the stack, the result, the arguments.
#define EIGHT(T) T, T, T, T, T, T, T, T
#define X8 EIGHT(Word)   // x0 to x7 are taken
#define V8 EIGHT(double) // v0 to v7 are
#define D5 double, double, double, double, double
#define W5 Word, Word, Word, Word, Word
#define ROWS(ROW)                                                                                  \
  ROW(hfa_1_float, 0, (Of<float, 1>), Of<float, 1>)                                                \
  ROW(hfa_2_floats, 0, (Of<float, 2>), Of<float, 2>, float)                                        \
  ROW(hfa_3_floats, 0, (Of<float, 3>), Of<float, 3>, float)                                        \
  ROW(hfa_4_floats, 0, (Of<float, 4>), Of<float, 4>, Of<float, 4>)                                 \
  ROW(hfa_1_double, 0, (Of<double, 1>), Of<double, 1>)                                             \
  ROW(hfa_2_doubles, 0, (Of<double, 2>), Of<double, 2>, double)                                    \
  ROW(hfa_3_doubles, 0, (Of<double, 3>), Of<double, 3>, double)                                    \
  ROW(hfa_4_doubles, 0, (Of<double, 4>), Of<double, 4>, Of<double, 4>)                             \
  ROW(hfa_4_quads, 0, (Of<Quad, 4>), Of<Quad, 4>, Of<Quad, 4>)                                     \
  ROW(hfa_nested, 0, (Pack<Of<float, 1>, Of<float, 3>>), Pack<Of<float, 1>, Of<float, 3>>, Word)   \
  ROW(hfa_union, 0, Either, Either, Either, float, float, float, float)                            \
  ROW(hfa_complex, 0, _Complex double, _Complex double, _Complex float, ComplexQuad)             \
  ROW(hfa_beside_words, 0, (Of<float, 4>), Word, Of<float, 4>, Word, Of<double, 4>, Word)          \
  ROW(hfa_does_not_fit, 32, double, D5, Of<double, 4>)                                             \
  ROW(hfa_ends_registers, 40, (Of<double, 3>), D5, Of<double, 4>, double)                          \
  ROW(hfa_floats_do_not_fit, 24, (Of<float, 3>), D5, float, Of<float, 3>, float)                   \
  ROW(hfa_quads_do_not_fit, 72, Quad, D5, double, float, Word, Quad, Word, Of<Quad, 4>, double)    \
  ROW(hfa_union_does_not_fit, 8, float, D5, double, double, Either)                                \
  ROW(complex_does_not_fit, 16, _Complex double, D5, double, double, _Complex double)              \
  ROW(not_hfa_5_floats, 0, (Of<float, 5>), Of<float, 5>, Of<float, 5>)                             \
  ROW(not_hfa_mixed, 0, (Pack<float, float, double>), Pack<float, float, double>, V8)              \
  ROW(not_hfa_with_word, 0, (Pack<double, Word>), V8, Pack<double, Word>)                          \
  ROW(hva_1, 0, (Of<Int4, 1>), Of<Int4, 1>)                                                        \
  ROW(hva_2, 0, (Of<Int4, 2>), Of<Int4, 2>, Int4)                                                  \
  ROW(hva_3, 0, (Of<Int4, 3>), Of<Int4, 3>, Int4)                                                  \
  ROW(hva_4, 0, (Of<Int4, 4>), Of<Int4, 4>, Of<Int4, 4>)                                           \
  ROW(hva_4_short, 0, (Of<Float2, 4>), Of<Float2, 4>, Of<Float2, 4>)                               \
  ROW(hva_does_not_fit, 64, (Of<Int4, 2>), D5, Of<Int4, 4>)                                        \
  ROW(hva_ends_registers, 72, Int4, D5, Of<Int4, 4>, float)                                        \
  ROW(hva_short_does_not_fit, 24, Float2, D5, double, Of<Float2, 3>)                               \
  ROW(vectors_on_stack, 40, Int4, V8, float, Int4, Float2)                                         \
  ROW(wide_pairs, 0, Wide, Wide, Wide, Wide, Wide)                                                 \
  ROW(wide_from_even, 0, Wide, Word, Wide, Word, Wide)                                             \
  ROW(wide_skips_last, 16, Wide, W5, Word, Word, Wide)                                             \
  ROW(wide_ends_registers, 24, Wide, W5, Word, Word, Wide, Word)                                   \
  ROW(wide_skips_one, 8, Wide, W5, Wide, Word)                                                     \
  ROW(wide_on_stack, 16, Wide, X8, Wide)                                                           \
  ROW(wide_aligned_on_stack, 40, Wide, X8, Char, Wide, Char)                                       \
  ROW(aligned_16_pair, 0, (Of<Wide, 1>), Word, Of<Wide, 1>, Word, Of<Wide, 1>)                     \
  ROW(aligned_16_skips_last, 24, (Of<Wide, 1>), W5, Word, Word, Of<Wide, 1>, Word)                 \
  ROW(aligned_16_on_stack, 32, (Of<Wide, 1>), X8, Word, Of<Wide, 1>)                               \
  ROW(aligned_16_member, 32, AlignedMember, Word, AlignedMember, W5, AlignedMember)                \
  ROW(aligned_16_itself, 24, OverAligned, Word, OverAligned, W5, OverAligned, Word)                \
  ROW(two_words, 0, (Of<Word, 2>), Word, Of<Word, 2>, Of<Word, 2>)                                 \
  ROW(two_words_do_not_fit, 24, (Of<Word, 2>), W5, Word, Word, Of<Word, 2>, Word)                  \
  ROW(three_words_by_address, 0, (Of<Word, 3>), Of<Word, 3>, Of<Word, 3>)                          \
  ROW(address_on_stack, 16, Word, X8, Of<Word, 3>, Of<Char, 17>)                                   \
  ROW(address_of_copied, 16, Copied, Copied, X8, Copied)                                            \
  ROW(result_in_memory, 0, (Of<Word, 3>), X8, V8)                                                  \
  ROW(result_in_memory_bytes, 0, (Of<Char, 17>), Char)                                             \
  ROW(result_in_memory_copy, 32, (Of<Word, 9>), X8, V8, Word, double, Word, double)                \
  ROW(result_in_memory_none, 0, (Of<Word, 4>))                                                     \
  ROW(bytes_1_to_8, 0, (Of<Char, 7>), Of<Char, 1>, Of<Char, 2>, Of<Char, 3>, Of<Char, 5>, Of<Char, 6>, Of<Char, 7>, Of<Char, 8>)   \
  ROW(bytes_1_to_8_on_stack, 56, (Of<Char, 5>), X8, Of<Char, 1>, Of<Char, 2>, Of<Char, 3>, Of<Char, 5>, Of<Char, 6>, Of<Char, 7>, Of<Char, 8>) \
  ROW(bytes_9_to_15, 0, (Of<Char, 15>), Of<Char, 9>, Of<Char, 11>, Of<int, 3>, Of<Char, 15>)       \
  ROW(bytes_9_to_15_on_stack, 64, (Of<Char, 9>), X8, Of<Char, 9>, Of<Char, 11>, Of<int, 3>, Of<Char, 15>) \
  ROW(scalars_on_stack, 40, Char, X8, Char, unsigned short, int, Word, void *)                     \
  ROW(floats_on_stack, 16, float, V8, float, double)                                               \
  ROW(quads, 0, Quad, EIGHT(Quad))                                                                 \
  ROW(quads_on_stack, 48, Quad, V8, Quad, float, Quad)                                             \
  ROW(both_kinds_on_stack, 48, double, X8, V8, Char, float, Wide, Quad)                            \
  ROW(nothing, 0, Char)                                                                            \
  ROWS_OF_CLANG(ROW)
#ifdef __clang__ // gcc 12 has these types in C alone, or not at all
#define ROWS_OF_CLANG(ROW)                                                                         \
  ROW(halves, 0, _Float16, EIGHT(_Float16))                                                        \
  ROW(halves_on_stack, 24, _Float16, V8, _Float16, __bf16, float)                                  \
  ROW(brains, 0, __bf16, __bf16, EIGHT(Word), __bf16)                                              \
  ROW(hfa_4_halves, 0, (Of<_Float16, 4>), Of<_Float16, 4>, Of<_Float16, 4>)                        \
  ROW(hfa_4_brains, 0, (Of<__bf16, 4>), Of<__bf16, 4>, Of<__bf16, 4>)                              \
  ROW(hfa_halves_do_not_fit, 16, (Of<_Float16, 3>), D5, double, Of<_Float16, 3>, _Float16)         \
  ROW(hfa_brains_do_not_fit, 16, (Of<__bf16, 3>), D5, double, Of<__bf16, 3>, __bf16)               \
  ROW(bit_ints, 0, _BitInt(128), Word, _BitInt(128), Word, _BitInt(128))                           \
  ROW(bit_ints_on_stack, 32, _BitInt(128), X8, Word, _BitInt(128))
#else
#define ROWS_OF_CLANG(ROW)
#endif

#define DECLARE(NAME, ...) struct NAME;
ROWS(DECLARE)

template <class T> struct Bare; // a type in parentheses, which may have commas
template <class T> struct Bare<void(T)> {
  using Type = T;
};
#define CALL(NAME, BYTES, RESULT, ...) call<NAME, Bare<void(RESULT)>::Type __VA_OPT__(, ) __VA_ARGS__>(#NAME);
#define PRINT(NAME, BYTES, ...) printf("through %s %d\n", #NAME, BYTES);

// Where its arguments are is known to the caller alone: entry only.
extern "C" NOINLINE long variadic(int count, ...) {
  va_list list;
  va_start(list, count);
  unsigned long sum = 0;
  for (int i = 0; i < count; i++)
    sum += sum_of(va_arg(list, Word), va_arg(list, double), va_arg(list, Wide), va_arg(list, Quad));
  va_end(list);
  return sum;
}

UNTRACED int main(int count, char **) {
  if (count > 1) {
    ROWS(PRINT)
    puts("variadic - -1");
    return 0;
  }
  ROWS(CALL)
  EXPECT_EQ(variadic(2, 1l, 2., Wide(3), Quad(4), 5l, 6., Wide(7), Quad(8)),
            sum_of(1l, 2., Wide(3), Quad(4)) + sum_of(5l, 6., Wide(7), Quad(8)));
  return failures != 0;
}
