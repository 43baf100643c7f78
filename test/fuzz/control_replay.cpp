// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seeds without libFuzzer: each as it is, and in a number of mutations, the same every time.
//
//   fuzz_control_replay MUTATIONS SEEDS
//
// SEEDS has a line for each: what it is for, a tab, the text. An input for which something does not
// hold is the last line of the output.

#include "control_fuzz.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <vector>

namespace {

size_t below(std::mt19937 &random, size_t limit) {
  return limit ? random() % limit : 0;
}

// Characters that mean something, and parts of other seeds: most random bytes are refused at once.
std::string mutated(std::string text, const std::vector<std::string> &seeds, std::mt19937 &random) {
  constexpr char kSigns[] = " :/$%@+-\\\"'()[]{}=!&|<>~*,.#0189abfprxu\n\t";
  size_t at = below(random, text.size() + 1), count = 1 + below(random, 6);
  switch (random() % 7) {
  case 0:
    return text.erase(at, count);
  case 1:
    return text.insert(at, 1, (char)random());
  case 2:
    return text.insert(at, text.substr(below(random, text.size() + 1), count));
  case 3: {
    const std::string &other = seeds[below(random, seeds.size())];
    return text.insert(at, other.substr(below(random, other.size()), 1 + below(random, 24)));
  }
  case 4:
    if (at < text.size())
      text[at] = kSigns[below(random, sizeof kSigns - 1)];
    return text;
  case 5:
    return text.insert(
        at, std::string(count * count * 4, text.empty() ? '(' : text[below(random, text.size())]));
  default:
    return text.insert(at, 1, kSigns[below(random, sizeof kSigns - 1)]);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  unsigned mutations = (unsigned)atoi(argv[1]), tried = 0;
  std::ifstream file(argv[2]);
  std::vector<std::string> whats, texts;
  for (std::string line; std::getline(file, line);)
    if (size_t tab = line.find('\t'); tab != line.npos && line[0] != '#') {
      whats.push_back(line.substr(0, tab));
      texts.push_back(line.substr(tab + 1));
    }
  for (size_t i = 0; i < texts.size(); i++)
    for (unsigned n = 0; n <= mutations; n++, tried++) {
      std::mt19937 random(n);
      std::string text = texts[i];
      for (unsigned changes = 0; n && changes <= n % 5; changes++)
        text = mutated(text, texts, random);
      nophook::check_control(whats[i] + "\n" + text);
    }
  printf("%zu seeds, %u inputs tried\n", texts.size(), tried);
  return texts.empty();
}
