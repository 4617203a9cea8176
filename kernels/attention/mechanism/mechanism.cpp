#include "kernels/attention/mechanism/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/names/nearest.hpp"

namespace attest::attention {

std::vector<Mechanism> build_all_mechanisms();  // in the generated file

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

template <typename Named>
std::string names_of(const std::vector<Named>& all) {
  std::vector<std::string> list;
  for (const Named& one : all) list.push_back(one.name);
  return list.empty() ? "none" : fmt::format("{}", fmt::join(list, ", "));
}

std::vector<std::string> letters_of(const std::string& shape) {
  std::vector<std::string> letters;
  for (std::size_t open = shape.find('['); open != std::string::npos; open = shape.find('[', open + 1)) {
    std::string letter = shape.substr(open + 1, shape.find(']', open) - open - 1);
    if (!letter.empty()) letters.push_back(std::move(letter));
  }
  return letters;
}

using Extents = std::map<std::string, std::pair<Index, std::string>, std::less<>>;  // letter -> extent, who fixed it

void check_shape(const InputSpec& spec, const Shape& shape, Extents& extents) {
  auto letters = letters_of(spec.shape);
  if (letters.size() != shape.size() && !spec.also.empty()) letters = letters_of(spec.also);
  if (letters.size() != shape.size())
    refuse(fmt::format("input {}: shape [{}] is not of the form {}{}", spec.name, fmt::join(shape, ", "), spec.shape,
                       spec.also.empty() ? "" : " or " + spec.also));
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] < 1) refuse(fmt::format("input {}: {} is 0; give at least 1", spec.name, letters[axis]));
    const auto [entry, first] = extents.try_emplace(letters[axis], shape[axis], spec.name);
    if (entry->second.first != shape[axis])
      refuse(fmt::format("input {}: {} is {}, but {} has {}", spec.name, letters[axis], shape[axis],
                         entry->second.second, entry->second.first));
  }
}

template <typename T>
Extents check_inputs(const Mechanism& m, const Arrays<T>& inputs) {
  for (const auto& [name, array] : inputs)
    if (std::none_of(m.inputs.begin(), m.inputs.end(), [&](const InputSpec& spec) { return spec.name == name; }))
      refuse(fmt::format("input {}: {} takes {}", name, m.name, names_of(m.inputs)));
  Extents extents;
  for (const InputSpec& spec : m.inputs) {
    const auto found = inputs.find(spec.name);
    if (found == inputs.end()) {
      if (spec.required)
        refuse(fmt::format("input {} is missing: {} needs it ({}, {})", spec.name, m.name, spec.shape, spec.meaning));
      continue;
    }
    check_shape(spec, found->second.shape(), extents);
    for (const T entry : found->second.values()) {
      if (!std::isfinite(entry)) refuse(fmt::format("input {} has an entry {}; give finite numbers", spec.name, entry));
      if (spec.positive && !(entry > 0))
        refuse(fmt::format("input {} has an entry {}; give positive numbers", spec.name, entry));
    }
  }
  return extents;
}

Index extent(const Extents& extents, const char* letter) {
  const auto found = extents.find(letter);
  return found != extents.end() ? found->second.first : extents.at("N").first;
}

void check_settings(const Mechanism& m, const Settings& settings) {
  for (const auto& [name, value] : settings) {
    const auto known = [&, &wanted = name](const OptionSpec& spec) { return spec.name == wanted; };
    if (std::any_of(m.options.begin(), m.options.end(), known)) continue;
    if (name == "causal" && value == "false") continue;
    if (name == "causal")
      refuse(
          fmt::format("option causal={}: {} has no causal form, because what it computes from the keys would see the "
                      "future",
                      value, m.name));
    refuse(fmt::format("option {}={}: {} knows {}", name, value, m.name, names_of(m.options)));
  }
}

void check_mask(const Mechanism& m, const Mask& mask, const Dropout& dropout, const Extents& extents) {
  const Index queries = extent(extents, "N_q"), keys = extent(extents, "N_k"), batch = extent(extents, "B");
  const bool has_causal =
      std::any_of(m.options.begin(), m.options.end(), [](const OptionSpec& spec) { return spec.name == "causal"; });
  if (mask.causal && !has_causal) check_settings(m, {{"causal", "true"}});
  if (!mask.visible.empty()) {
    if (!m.takes_mask) refuse(fmt::format("mask: {} takes none", m.name));
    if (static_cast<Index>(mask.visible.size()) != queries * keys)
      refuse(fmt::format("mask: {} entries, but N_q N_k is {}", mask.visible.size(), queries * keys));
  }
  if (!mask.key_lengths.empty()) {
    if (!m.takes_key_lengths) refuse(fmt::format("key_lengths: {} takes none", m.name));
    if (static_cast<Index>(mask.key_lengths.size()) != batch)
      refuse(fmt::format("key_lengths: {} entries for {} sequences", mask.key_lengths.size(), batch));
    for (const Index length : mask.key_lengths)
      if (length < 0 || length > keys) refuse(fmt::format("key_lengths: {} is not in 0..{}", length, keys));
  }
  if (!(dropout.rate >= 0 && dropout.rate < 1)) refuse(fmt::format("dropout: rate {} is not in [0, 1)", dropout.rate));
  if (dropout.rate > 0 && !m.takes_dropout)
    refuse(fmt::format("dropout: {} never forms the attention weights that dropout acts on", m.name));
}

const std::function<Evaluation<float>(const Call<float>&)>& forward_of(const Mechanism& m, float) {
  return m.forward_float;
}
const std::function<Evaluation<double>(const Call<double>&)>& forward_of(const Mechanism& m, double) {
  return m.forward_double;
}

}  // namespace

const std::vector<Mechanism>& mechanisms() {
  static const std::vector<Mechanism> all = build_all_mechanisms();
  return all;
}

const Mechanism& find_mechanism(std::string_view name) {
  const auto& all = mechanisms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Mechanism& m) { return m.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string> known;
  for (const Mechanism& m : all) known.push_back(m.name);
  refuse(fmt::format("no attention mechanism is called {}; the nearest names are {}", name,
                     fmt::join(names::nearest(std::move(known), name, 3), ", ")));
}

template <typename T>
Evaluation<T> evaluate(const Mechanism& mechanism, const Call<T>& call) {
  check_settings(mechanism, call.settings);
  if (call.device == Device::cuda && !mechanism.takes_cuda)
    refuse(fmt::format("{} runs on the processor alone in this version; leave cuda out", mechanism.name));
  check_mask(mechanism, call.mask, call.dropout, check_inputs(mechanism, call.inputs));
  return forward_of(mechanism, T{})(call);
}

template Evaluation<float> evaluate(const Mechanism&, const Call<float>&);
template Evaluation<double> evaluate(const Mechanism&, const Call<double>&);

}  // namespace attest::attention
