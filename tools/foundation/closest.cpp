// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the distance of two words as the number of edits.

#include "foundation/closest.h"

#include <algorithm>

namespace nophook {

unsigned edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<unsigned>> least(a.size() + 1, std::vector<unsigned>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); i++)
    for (size_t j = 0; j <= b.size(); j++) {
      if (!i || !j) {
        least[i][j] = (unsigned)(i + j);
        continue;
      }
      least[i][j] = std::min({least[i - 1][j] + 1, least[i][j - 1] + 1,
                              least[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        least[i][j] = std::min(least[i][j], least[i - 2][j - 2] + 1);
    }
  return least[a.size()][b.size()];
}

std::string closest(std::string_view typed, const std::vector<std::string> &words) {
  constexpr size_t kLongest = 64; // longest word that is compared
  if (typed.empty() || typed.size() > kLongest)
    return "";
  std::string best;
  unsigned fewest = ~0u;
  for (const std::string &word : words) {
    const unsigned wrong = edit_distance(typed, word);
    if (wrong * 3 <= std::max(word.size(), typed.size()) && wrong < fewest) {
      best = word;
      fewest = wrong;
    }
  }
  if (!best.empty())
    return best;
  auto begins = [&](const std::string &word) { return word.starts_with(typed); };
  const auto only = std::ranges::find_if(words, begins);
  return typed.size() > 2 && std::ranges::count_if(words, begins) == 1 ? *only : "";
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string> &words) {
  const std::string word = closest(typed, words);
  return word.empty() ? "" : ", did you mean '" + word + "'?";
}

} // namespace nophook
