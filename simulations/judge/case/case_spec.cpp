#include "simulations/judge/case/case_spec.hpp"

#include <algorithm>
#include <concepts>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/plain_reason.hpp"
#include "kernels/names/whole_number.hpp"
#include "reports/text/numbers.hpp"

namespace attest::judge {
namespace {

ElementType type_named(const std::string& text) {
  for (const ElementType type :
       {ElementType::float64, ElementType::float32, ElementType::float16, ElementType::bfloat16})
    if (arrays::name(type) == text) return type;
  throw std::invalid_argument(fmt::format("the case's dtype is '{}': use float64, float32, float16 or bfloat16", text));
}

/// Calls visit(key, member) for every member of the spec but the few that need a form of their own.
template <typename Spec, typename Visit>
void for_each_member(Spec& s, const Visit& visit) {
  visit("mechanism", s.mechanism);
  visit("batch", s.batch);
  visit("heads", s.heads);
  visit("kv_heads", s.kv_heads);
  visit("queries", s.queries);
  visit("keys", s.keys);
  visit("width", s.width);
  visit("value_width", s.value_width);
  visit("family", s.family);
  visit("seed", s.seed);
  visit("number", s.number);
  visit("causal", s.causal);
  visit("scale", s.scale);
  visit("softcap", s.softcap);
  visit("mask", s.mask);
  visit("empty_row", s.empty_row);
  visit("bias", s.bias);
  visit("alibi", s.alibi);
  visit("sinks", s.sinks);
  visit("dropout", s.dropout);
  visit("packed", s.packed);
  visit("packed_keys", s.packed_keys);
  visit("gradient", s.gradient);
  visit("lse_gradient", s.lse_gradient);
  visit("settings", s.settings);
  visit("padding", s.padding);
}

/// Reads a member of a case, whole numbers checked: alone, in a list or as the pair of a window.
template <typename T>
void read_member(const nlohmann::json& json, const std::string& what, T& member) {
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    member = names::whole_number<T>(json, what);
  } else if constexpr (std::same_as<T, Window>) {
    read_member(json.at(0), what, member.first);
    read_member(json.at(1), what, member.second);
  } else if constexpr (std::same_as<T, std::vector<Index>>) {
    const auto entries = json.get<std::vector<nlohmann::json>>();
    for (const nlohmann::json& entry : entries) read_member(entry, what, member.emplace_back());
  } else {
    json.get_to(member);
  }
}

void require_sane(const CaseSpec& s) {
  constexpr Index most = Index{1} << 20;
  for (const Index extent : {s.batch, s.heads, s.kv_heads, s.queries, s.keys, s.width, s.value_width})
    if (extent < 1 || extent > most)
      throw std::invalid_argument(fmt::format("the case has an extent of {}: use 1 to {}", extent, most));
  if (s.heads % s.kv_heads != 0)
    throw std::invalid_argument(fmt::format("the case has {} over {} of keys: the second must divide the first",
                                            reports::counted(s.heads, "head"), s.kv_heads));
  if (s.padding < 0 || s.padding >= s.keys || (s.padding > 0 && is_plain_attention(s.mechanism)))
    throw std::invalid_argument(fmt::format("the case has {} of {}: use fewer than all, and none with softmax",
                                            reports::counted(s.padding, "padded key"), s.keys));
  const auto total = [](const std::vector<Index>& lengths) {
    Index sum = 0;
    for (const Index length : lengths) sum += length < 0 ? most : length;
    return sum;
  };
  if (!s.packed.empty()) {
    const std::vector<Index>& keys = s.packed_keys.empty() ? s.packed : s.packed_keys;
    if (total(s.packed) != s.queries || total(keys) != s.keys || keys.size() != s.packed.size())
      throw std::invalid_argument("the case's packed lengths do not sum to its queries and keys");
  }
}

}  // namespace

nlohmann::ordered_json json_of(const CaseSpec& spec) {
  const CaseSpec plain;
  nlohmann::ordered_json json, defaults;
  for_each_member(plain, [&](const char* key, const auto& member) { defaults[key] = member; });
  if (spec.property != plain.property) json["property"] = name(spec.property);
  for_each_member(spec, [&](const char* key, const auto& member) {
    const nlohmann::ordered_json value = member;
    if (value != defaults[key]) json[key] = value;
  });
  json["dtype"] = arrays::name(spec.type);
  if (spec.window) json["window"] = {spec.window->first, spec.window->second};
  if (spec.corner == Corner::top_left) json["alignment"] = "top_left";
  return json;
}

CaseSpec case_from_json(const nlohmann::json& json) {
  if (!json.is_object()) throw std::invalid_argument("a case is a JSON object");
  CaseSpec spec;
  std::vector<std::string> known = {"property", "dtype", "window", "alignment"};
  try {
    for_each_member(spec, [&](const char* key, auto& member) {
      known.emplace_back(key);
      if (json.contains(key)) read_member(json.at(key), fmt::format("the case's '{}'", key), member);
    });
    if (json.contains("property")) spec.property = property_named(json.at("property").get<std::string>());
    if (json.contains("dtype")) spec.type = type_named(json.at("dtype").get<std::string>());
    if (json.contains("window")) read_member(json.at("window"), "the case's 'window'", spec.window.emplace());
    if (json.contains("alignment"))
      spec.corner = json.at("alignment") == "top_left" ? Corner::top_left : Corner::bottom_right;
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(fmt::format("the case cannot be read: {}", names::plain_reason(error.what())));
  }
  for (const auto& [key, value] : json.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw std::invalid_argument(fmt::format("the case has the unknown key '{}'", key));
  require_sane(spec);
  return spec;
}

std::string text_of(const CaseSpec& s) {
  std::string text = fmt::format("{}, B {}, H {}{}, N {}", arrays::name(s.type), s.batch, s.heads,
                                 s.kv_heads == s.heads ? "" : fmt::format(" over {}", s.kv_heads), s.queries);
  if (s.keys != s.queries) text += fmt::format(" x {}", s.keys);
  text += fmt::format(", D {}", s.width);
  if (s.value_width != s.width) text += fmt::format(", D_v {}", s.value_width);
  if (s.family != "gaussian") text += ", " + s.family;
  if (s.causal) text += ", causal";
  if (s.corner == Corner::top_left) text += ", top left";
  if (s.scale != 0) text += fmt::format(", scale {:g}", s.scale);
  if (s.window) text += fmt::format(", window ({}, {})", s.window->first, s.window->second);
  if (s.softcap != 0) text += fmt::format(", softcap {:g}", s.softcap);
  if (!s.mask.empty()) text += ", mask " + s.mask;
  if (s.empty_row) text += " with an empty row";
  if (!s.bias.empty()) text += ", bias";
  if (s.alibi) text += ", ALiBi";
  if (s.sinks) text += ", sinks";
  if (s.dropout != 0) text += fmt::format(", dropout {:g}", s.dropout);
  if (!s.packed.empty()) text += fmt::format(", packed {}", fmt::join(s.packed, "+"));
  if (!s.packed_keys.empty()) text += fmt::format(" over {}", fmt::join(s.packed_keys, "+"));
  if (s.gradient) text += ", gradients";
  if (s.lse_gradient) text += " of lse too";
  if (s.padding != 0) text += fmt::format(", the last {} padded", reports::counted(s.padding, "key"));
  for (const auto& [key, value] : s.settings) text += fmt::format(", {}={}", key, value);
  return text;
}

}  // namespace attest::judge
