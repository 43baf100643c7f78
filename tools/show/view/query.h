// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The query of a URL, behind the `?`. It comes from outside, so a number may be anything; callers
// get it only within limits that they name.

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

// The number as an integer between two limits, as a cast of a number that does not fit is
// undefined. The fraction is cut off; NaN becomes `least`.
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
  explicit ViewQuery(std::string_view text); // decodes the text

  bool has(const std::string &name) const { return values_.contains(name); }
  std::string text(const std::string &name) const;
  // A number; `otherwise` if it is missing or not finite.
  double number(const std::string &name, double otherwise) const;
  template <class Integer>
  Integer integer(const std::string &name, Integer otherwise, Integer least, Integer most) const {
    return clamped<Integer>(number(name, (double)otherwise), least, most);
  }
  // The numbers of a list with commas; those that do not fit 32 bits are left out.
  std::vector<uint32_t> numbers(const std::string &name) const;

private:
  std::map<std::string, std::string> values_;
};

} // namespace nophook
