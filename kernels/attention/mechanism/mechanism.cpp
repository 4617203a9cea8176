#include "kernels/attention/mechanism/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/attention/attend/key_range.hpp"
#include "kernels/attention/mechanism/all_finite.hpp"
#include "kernels/attention/mechanism/letters.hpp"
#include "kernels/attention/mechanism/parts.hpp"
#include "kernels/names/nearest.hpp"

namespace attest::attention {

std::vector<Mechanism> build_all_mechanisms();  // in the generated file

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

/// What `name` may have been meant to be, then all: "; did you mean causal? softmax knows causal, scale".
template <typename Named>
std::string known_instead(const std::string& name, const Mechanism& m, const char* verb,
                          const std::vector<Named>& all) {
  std::vector<std::string> list;
  for (const Named& one : all) list.push_back(one.name);
  const std::string all_of_them = list.empty() ? "none" : fmt::format("{}", fmt::join(list, ", "));
  return names::did_you_mean(list, name, fmt::format("{} {} {}", m.name, verb, all_of_them));
}

using Extents = std::map<std::string, std::pair<Index, std::string>, std::less<>>;  // letter -> extent, who fixed it

void check_shape(const InputSpec& spec, const Shape& shape, Extents& extents) {
  const std::string form = form_of(spec, shape);
  const std::vector<std::string> letters = letters_of(form);
  if (letters.size() != shape.size())
    refuse(fmt::format("input {}: shape [{}] is not of the form {}", spec.name, fmt::join(shape, ", "),
                       fmt::join(forms_of(spec), " or ")));
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] < 1) refuse(fmt::format("input {}: {} is 0; give at least 1", spec.name, letters[axis]));
    if (is_extent(letters[axis])) continue;
    const auto [entry, first] = extents.try_emplace(letters[axis], shape[axis], spec.name);
    if (entry->second.first != shape[axis])
      refuse(fmt::format("input {}: {} is {}, but {} has {}", spec.name, letters[axis], shape[axis],
                         entry->second.second, entry->second.first));
  }
}

template <typename T>
Extents check_shapes(const Mechanism& m, const Arrays<T>& inputs) {
  for (const auto& input : inputs) {
    const std::string& name = input.first;
    if (std::none_of(m.inputs.begin(), m.inputs.end(), [&](const InputSpec& spec) { return spec.name == name; }))
      refuse(fmt::format("unknown input {}{}", name, known_instead(name, m, "takes", m.inputs)));
  }
  Extents extents;
  for (const InputSpec& spec : m.inputs) {
    const auto found = inputs.find(spec.name);
    if (found == inputs.end()) {
      if (spec.required)
        refuse(fmt::format("input {} is missing: {} needs it ({}, {})", spec.name, m.name, spec.shape, spec.meaning));
      continue;
    }
    check_shape(spec, found->second.shape(), extents);
  }
  const auto heads = extents.find("H"), key_heads = extents.find("H_kv");
  if (heads != extents.end() && key_heads != extents.end() && heads->second.first % key_heads->second.first != 0)
    refuse(fmt::format("input {}: H_kv is {}, which does not divide the {} heads of {}", key_heads->second.second,
                       key_heads->second.first, heads->second.first, heads->second.second));
  return extents;
}

/// `hidden`: entry (b, h, j) of [B][H_kv][N_k] is 1 for a token that is never read; null: all are.
template <typename T>
void check_entries(const InputSpec& spec, const Tensor<T>& array, const std::vector<std::uint8_t>* hidden) {
  if (!spec.positive && all_finite<T>(array.values())) return;
  const bool of_tokens = hidden != nullptr && (spec.name == "k" || spec.name == "v");
  for (Index i = 0; i < array.size(); ++i) {
    const T entry = array.data()[i];
    if (spec.positive && !(entry > 0))
      refuse(fmt::format("input {} has an entry {}; give positive numbers", spec.name, entry));
    if (std::isfinite(entry) || (spec.may_hide && entry < 0)) continue;
    if (of_tokens && (*hidden)[static_cast<std::size_t>(i / array.extent(3))] != 0) continue;
    refuse(fmt::format("input {} has an entry {}; give finite numbers", spec.name, entry));
  }
}

template <typename T>
bool is_finite(const Tensor<T>& array) {
  return all_finite<T>(array.values());
}

/// The inputs with zeros for tokens that no query sees; the call itself when all its keys and values are finite.
template <typename T>
const Call<T>& without_hidden_tokens(const Mechanism& m, const Call<T>& call, Call<T>& memory) {
  const std::vector<std::uint8_t>* hidden = nullptr;
  std::vector<std::uint8_t> found;
  if (m.ignores_hidden_tokens && !m.adds_own_values &&
      !(is_finite(call.inputs.at("k")) && is_finite(call.inputs.at("v")))) {
    found = hidden_keys(call.inputs.at("q").shape(), call.inputs.at("k").shape(),
                        definitions::attend_options(call, OptionReader(m.options, call.settings)));
    hidden = &found;
  }
  for (const InputSpec& spec : m.inputs)
    if (const auto array = call.inputs.find(spec.name); array != call.inputs.end())
      check_entries(spec, array->second, hidden);
  if (hidden == nullptr) return call;
  memory = call;
  memory.inputs_stay = false;
  for (const char* name : {"k", "v"}) {
    Tensor<T>& array = memory.inputs.at(name);
    for (Index i = 0; i < array.size(); ++i)
      if (found[static_cast<std::size_t>(i / array.extent(3))] != 0) array.data()[i] = 0;
  }
  return memory;
}

template <typename T>
void refuse_overflow(const Mechanism& m, const Evaluation<T>& evaluation) {
  if (all_finite<T>(evaluation.out.values())) return;
  const Index features = std::max<Index>(1, evaluation.out.shape().back());
  for (Index i = 0; i < evaluation.out.size(); ++i) {
    const T entry = evaluation.out.data()[i];
    if (std::isfinite(entry)) continue;
    if (!evaluation.undefined_rows.empty() && evaluation.undefined_rows[static_cast<std::size_t>(i / features)] != 0)
      continue;
    refuse(
        fmt::format("{}: the output has an entry {} although all inputs are finite, because a number on the way "
                    "overflows {}; give smaller inputs",
                    m.name, entry, sizeof(T) == sizeof(float) ? "float32" : "float64"));
  }
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
    refuse(fmt::format("unknown option {}={}{}", name, value, known_instead(name, m, "knows", m.options)));
  }
}

void check_starts(const Mechanism& m, const char* name, const std::vector<Index>& starts, Index tokens) {
  if (starts.empty()) return;
  if (!m.takes_packing) refuse(fmt::format("{}: {} takes no packed sequences", name, m.name));
  if (starts.size() < 2 || starts.front() != 0 || starts.back() != tokens ||
      !std::is_sorted(starts.begin(), starts.end()))
    refuse(
        fmt::format("{}: give cumulative lengths, from 0 without decreasing to the {} tokens there are", name, tokens));
}

void check_mask(const Mechanism& m, const Mask& mask, const Dropout& dropout, const Extents& extents) {
  const Index queries = extent(extents, "N_q"), keys = extent(extents, "N_k"), batch = extent(extents, "B");
  const bool has_causal =
      std::any_of(m.options.begin(), m.options.end(), [](const OptionSpec& spec) { return spec.name == "causal"; });
  if (mask.causal && !has_causal) check_settings(m, {{"causal", "true"}});
  if (mask.alignment != Alignment::top_left || mask.window_left != -1 || mask.window_right != -1)
    throw std::logic_error("an alignment or a window is asked for by a setting, not by the mask of a call");
  if (!mask.visible.empty()) {
    const Index sequences = mask.visible_sequences, heads = mask.visible_heads;
    if (!m.takes_mask) refuse(fmt::format("mask: {} takes none", m.name));
    if (!m.takes_mask_per_head && (sequences != 1 || heads != 1))
      refuse(fmt::format("mask: {} takes one mask [N_q][N_k] for all sequences and heads", m.name));
    if ((sequences != 1 && sequences != batch) || (heads != 1 && heads != extent(extents, "H")))
      refuse(fmt::format("mask: it is for {} sequences and {} heads, but q has {} and {}", sequences, heads, batch,
                         extent(extents, "H")));
    if (static_cast<Index>(mask.visible.size()) != sequences * heads * queries * keys)
      refuse(fmt::format("mask: {} entries, but N_q N_k is {}", mask.visible.size(), queries * keys));
  }
  check_starts(m, "cu_seqlens_q", mask.query_starts, queries);
  check_starts(m, "cu_seqlens_k", mask.key_starts, keys);
  if (mask.query_starts.size() != mask.key_starts.size())
    refuse(fmt::format("cu_seqlens: {} entries for the queries and {} for the keys; give as many",
                       mask.query_starts.size(), mask.key_starts.size()));
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

bool declares(const Mechanism& mechanism, std::string_view option) {
  return std::any_of(mechanism.options.begin(), mechanism.options.end(),
                     [&](const OptionSpec& each) { return each.name == option; });
}

const Mechanism& find_mechanism(std::string_view name) {
  const auto& all = mechanisms();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Mechanism& m) { return m.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string> known;
  for (const Mechanism& m : all) known.push_back(m.name);
  refuse(fmt::format("no attention mechanism is called {}{}", name,
                     names::did_you_mean(known, name, "`attest list --attention` shows all")));
}

std::vector<std::string> forms_of(const InputSpec& input) {
  std::vector<std::string> forms = {input.shape};
  forms.insert(forms.end(), input.also.begin(), input.also.end());
  return forms;
}

std::string form_of(const InputSpec& input, const Shape& shape) {
  for (std::string& form : forms_of(input))
    if (can_have(form, shape)) return std::move(form);
  return {};
}

template <typename T>
Evaluation<T> evaluate(const Mechanism& mechanism, const Call<T>& call) {
  check_settings(mechanism, call.settings);
  if (call.device == Device::cuda && !mechanism.takes_cuda)
    refuse(fmt::format("{} runs on the processor alone in this version; leave cuda out", mechanism.name));
  check_mask(mechanism, call.mask, call.dropout, check_shapes(mechanism, call.inputs));
  Call<T> memory;
  Evaluation<T> evaluation = forward_of(mechanism, T{})(without_hidden_tokens(mechanism, call, memory));
  refuse_overflow(mechanism, evaluation);
  return evaluation;
}

template Evaluation<float> evaluate(const Mechanism&, const Call<float>&);
template Evaluation<double> evaluate(const Mechanism&, const Call<double>&);

}  // namespace attest::attention
