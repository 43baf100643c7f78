// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a URL behind the `?`: what the page asks for. It comes from outside, so a number may
// be anything; a question gets it only within the limits that it names.

#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace nophook {

// The number as an integer between two ends: casting one that does not fit is undefined. What is
// below an integer is cut off; NaN becomes `least`.
template <class Integer>
Integer clamped(double number, Integer least = 0,
                Integer most = std::numeric_limits<Integer>::max()) {
  static_assert(std::is_integral_v<Integer>);
  if (!(number > (double)least))
    return least;
  return number >= (double)most ? most : (Integer)number;
}

class ViewQuery {
public:
  explicit ViewQuery(std::string_view text); // decoded here

  bool has(const std::string &name) const { return values_.contains(name); }
  std::string text(const std::string &name) const;
  // `otherwise`: it is not there, or no finite number.
  double number(const std::string &name, double otherwise) const;
  template <class Integer>
  Integer integer(const std::string &name, Integer otherwise, Integer least, Integer most) const {
    return clamped<Integer>(number(name, (double)otherwise), least, most);
  }
  // Separated by commas; what fits no number of 32 bits is left out.
  std::vector<uint32_t> numbers(const std::string &name) const;

private:
  std::map<std::string, std::string> values_;
};

} // namespace nophook
