// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes values by hand where that is easy, else by nlohmann's library, which also reads.

#include "foundation/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace nophook {

Json::Json(int64_t value) : text_(std::to_string(value)) {}

Json::Json(uint64_t value) : text_(std::to_string(value)) {}

Json::Json(double value) : text_(nlohmann::json(value).dump()) {}

Json::Json(std::string_view value) {
  append_text(value);
}

Json::Json(std::initializer_list<Member> members) : Json('{', '}') {
  for (const Member &member : members)
    add(member.name, member.value);
}

Json &Json::add(std::string_view name, const Json &value) {
  if (text_.size() > 1)
    text_ += ',';
  append_text(name);
  text_ += ':';
  append(value);
  return *this;
}

Json &Json::push(const Json &value) {
  if (text_.size() > 1)
    text_ += ',';
  append(value);
  return *this;
}

std::string Json::text() const {
  return close_ ? text_ + close_ : text_;
}

void Json::append(const Json &value) {
  text_ += value.text_;
  if (value.close_)
    text_ += value.close_;
}

void Json::append_text(std::string_view value) {
  if (!std::ranges::all_of(value, is_plain)) {
    constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
    text_ += nlohmann::json(value).dump(-1, ' ', /*ensure_ascii=*/false, kReplace);
    return;
  }
  text_ += '"';
  text_ += value;
  text_ += '"';
}

namespace {

std::vector<std::string> texts_in(const nlohmann::json &list) {
  std::vector<std::string> texts;
  for (const auto &value : list)
    if (value.is_string())
      texts.push_back(value.get<std::string>());
  return texts;
}

} // namespace

bool JsonFields::read(std::string_view text) {
  auto object = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object())
    return false;
  fields_.clear();
  for (const auto &[name, value] : object.items())
    if (value.is_string())
      fields_[name] = value.get<std::string>();
    else if (value.is_number_integer())
      fields_[name] = value.get<int64_t>();
    else if (value.is_boolean())
      fields_[name] = value.get<bool>();
    else if (value.is_array())
      fields_[name] = texts_in(value);
  return true;
}

std::vector<std::string> JsonFields::texts(const std::string &name) const {
  auto found = fields_.find(name);
  const auto *list =
      found == fields_.end() ? nullptr : std::get_if<std::vector<std::string>>(&found->second);
  return list ? *list : std::vector<std::string>();
}

std::string JsonFields::text(const std::string &name) const {
  auto found = fields_.find(name);
  const auto *text = found == fields_.end() ? nullptr : std::get_if<std::string>(&found->second);
  return text ? *text : "";
}

int64_t JsonFields::number(const std::string &name) const {
  auto found = fields_.find(name);
  const auto *number = found == fields_.end() ? nullptr : std::get_if<int64_t>(&found->second);
  return number ? *number : 0;
}

bool JsonFields::flag(const std::string &name) const {
  auto found = fields_.find(name);
  const auto *flag = found == fields_.end() ? nullptr : std::get_if<bool>(&found->second);
  return flag && *flag;
}

} // namespace nophook
