#include "simulations/judge/target/conventions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "simulations/arrays/rounding.hpp"

namespace attest::judge {
namespace {

using arrays::Array;

/// What `**options` promises: the list of the contract.
constexpr std::array promised = {"mask",       "causal", "scale",        "window", "softcap",
                                 "cu_seqlens", "bias",   "dropout_mask", "dout"};

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// [B][H][N][D] with the two middle axes exchanged.
Array exchanged(const Array& array) {
  if (array.shape.size() < 3) return array;
  const auto outer = static_cast<std::size_t>(array.shape[0]), first = static_cast<std::size_t>(array.shape[1]),
             second = static_cast<std::size_t>(array.shape[2]);
  Array result = array;
  std::swap(result.shape[1], result.shape[2]);
  const std::size_t block = array.bytes.empty() ? 0 : array.bytes.size() / (outer * first * second);
  for (std::size_t b = 0; b < outer; ++b)
    for (std::size_t i = 0; i < first; ++i)
      for (std::size_t j = 0; j < second; ++j)
        std::memcpy(result.bytes.data() + ((b * second + j) * first + i) * block,
                    array.bytes.data() + ((b * first + i) * second + j) * block, block);
  return result;
}

template <typename T>
std::vector<Index> shape_of(const PairArray<T>& array, Index batch) {
  if (array.per_sequence) return {batch, array.per_head ? array.heads : 1, array.queries, array.keys};
  if (array.per_head) return {array.heads, array.queries, array.keys};
  return {array.queries, array.keys};
}

Array flags(const PairArray<std::uint8_t>& array, Index batch) {
  return {arrays::ElementType::boolean, shape_of(array, batch), std::string(array.values.begin(), array.values.end())};
}

void put_window(Request& request, const Problem& p, const Conventions& c) {
  if (!p.window) return;
  if (c.window_as_pair) {
    request.options["window"] = {p.window->first, p.window->second};
  } else {
    request.options["window"] = p.window->first + (c.window_counts_self ? 1 : 0);
  }
}

void put_dropout(Request& request, const Problem& p, const Conventions& c) {
  if (!p.kept.present()) return;
  const std::string rate = c.first_taken({"dropout_rate", "dropout_p"});
  if (!rate.empty()) {
    request.arrays["dropout_mask"] = flags(p.kept, p.batch);
    request.options[rate] = p.dropout;
    return;
  }
  // Without a rate the mask holds the factors themselves: 0 or 1 / (1 - rate).
  std::vector<double> factors;
  for (const std::uint8_t kept : p.kept.values) factors.push_back(kept != 0 ? 1 / (1 - p.dropout) : 0);
  request.arrays["dropout_mask"] = array_in(p.type, shape_of(p.kept, p.batch), factors);
}

/// Options without a default get the value that changes nothing.
void put_required(Request& request, const Problem& p, const Conventions& c) {
  for (const std::string& name : c.signature.required) {
    if (request.options.contains(name) || request.arrays.contains(name)) continue;
    if (name == "scale")
      request.options[name] = 1 / std::sqrt(static_cast<double>(p.width));
    else if (name == "causal")
      request.options[name] = false;
    else if (name == "alignment")
      request.options[name] = "bottom_right";
    else if (name == "dropout_rate" || name == "dropout_p")
      request.options[name] = 0.0;
    else
      request.options[name] = nullptr;
  }
}

}  // namespace

std::vector<std::string> known_options(std::string_view mechanism) {
  if (is_plain_attention(mechanism))
    return {"mask",       "causal",       "alignment", "scale",        "window",       "softcap",
            "cu_seqlens", "cu_seqlens_q", "bias",      "cu_seqlens_k", "alibi_slopes", "sinks",
            "seed",       "dout",         "dlse",      "dropout_mask", "dropout_rate", "dropout_p"};
  const attention::Mechanism& known = attention::find_mechanism(mechanism);
  std::vector<std::string> names = {"mask", "key_lengths", "dout"};
  for (const attention::InputSpec& input : known.inputs)
    if (input.name != "q" && input.name != "k" && input.name != "v") names.push_back(input.name);
  for (const attention::OptionSpec& option : known.options) names.push_back(option.name);
  return names;
}

Array array_of_lengths(const std::vector<Index>& values) {
  Array array{arrays::ElementType::int32, {static_cast<Index>(values.size())}, {}};
  for (const Index value : values) {
    const auto narrow = static_cast<std::int32_t>(value);
    array.bytes.append(reinterpret_cast<const char*>(&narrow), sizeof narrow);
  }
  return array;
}

bool Conventions::takes(const std::string& option) const {
  return has(signature.parameters, option) ||
         (signature.any && std::find(promised.begin(), promised.end(), option) != promised.end());
}

std::string Conventions::first_taken(std::initializer_list<const char*> options) const {
  for (const char* option : options)
    if (has(signature.parameters, option)) return option;
  return {};
}

Request request_of(const Problem& p, const Conventions& c) {
  Request request;
  const auto floating = [&](std::vector<Index> shape, const std::vector<double>& values) {
    return array_in(p.type, std::move(shape), values);
  };
  const auto tokens = [&](const Array& array) { return c.token_major ? exchanged(array) : array; };
  request.arrays["q"] = tokens(floating({p.batch, p.heads, p.queries, p.width}, p.q));
  request.arrays["k"] = tokens(floating({p.batch, p.kv_heads, p.keys, p.width}, p.k));
  request.arrays["v"] = tokens(floating({p.batch, p.kv_heads, p.keys, p.value_width}, p.v));
  if (!p.dout.empty()) request.arrays["dout"] = tokens(floating({p.batch, p.heads, p.queries, p.value_width}, p.dout));
  if (!p.dlse.empty()) request.arrays["dlse"] = floating({p.batch, p.heads, p.queries}, p.dlse);
  if (p.causal && (!c.causal_always || c.takes("causal"))) request.options["causal"] = true;
  if ((p.causal || p.window || !p.slopes.empty()) && c.takes("alignment"))
    request.options["alignment"] = p.corner == Corner::bottom_right ? "bottom_right" : "top_left";
  if (p.scale) request.options["scale"] = *p.scale;
  if (p.softcap != 0) request.options["softcap"] = p.softcap;
  put_window(request, p, c);
  if (p.visible.present()) request.arrays["mask"] = flags(p.visible, p.batch);
  if (p.added.present()) request.arrays["mask"] = floating(shape_of(p.added, p.batch), p.added.values);
  if (p.bias.present()) request.arrays["bias"] = floating(shape_of(p.bias, p.batch), p.bias.values);
  if (!p.slopes.empty()) request.arrays["alibi_slopes"] = floating({p.heads}, p.slopes);
  if (!p.sinks.empty()) request.arrays["sinks"] = floating({p.heads}, p.sinks);
  put_dropout(request, p, c);
  if (!p.q_bounds.empty()) {
    if (c.takes("cu_seqlens"))
      request.arrays["cu_seqlens"] = array_of_lengths(p.q_bounds);
    else
      request.arrays["cu_seqlens_q"] = array_of_lengths(p.q_bounds);
    if (p.k_bounds != p.q_bounds || !c.takes("cu_seqlens"))
      if (c.takes("cu_seqlens_k")) request.arrays["cu_seqlens_k"] = array_of_lengths(p.k_bounds);
  }
  put_required(request, p, c);
  return request;
}

bool takes_all(const Conventions& c, const CaseSpec& spec, std::string& lacking) {
  const auto needs = [&](bool needed, const char* option) {
    if (needed && lacking.empty() && !c.takes(option)) lacking = option;
  };
  lacking.clear();
  needs(spec.causal && !c.causal_always, "causal");
  needs(spec.scale != 0, "scale");
  needs(spec.window.has_value(), "window");
  needs(spec.softcap != 0, "softcap");
  needs(!spec.mask.empty(), "mask");
  needs(!spec.bias.empty(), "bias");
  needs(spec.alibi, "alibi_slopes");
  needs(spec.sinks, "sinks");
  needs(spec.dropout != 0, "dropout_mask");
  if (!spec.packed.empty() && !(c.takes("cu_seqlens_q") && c.takes("cu_seqlens_k"))) needs(true, "cu_seqlens");
  needs(!spec.packed_keys.empty(), "cu_seqlens_k");
  if (!c.signature.differentiates) {
    needs(spec.gradient, "dout");
    needs(spec.lse_gradient, "dlse");
  }
  const bool aligned = spec.causal || spec.window || spec.alibi;
  if (lacking.empty() && aligned && spec.queries != spec.keys && spec.corner != c.corner && !c.takes("alignment"))
    lacking = "alignment";
  if (lacking.empty() && spec.window && !c.window_as_pair &&
      !(spec.window->second == 0 && spec.causal && spec.window->first >= 0))
    lacking = "window (before, after)";
  if (lacking.empty() && spec.type == ElementType::bfloat16 && !c.signature.without_bfloat16.empty())
    lacking = "bfloat16";
  return lacking.empty();
}

std::vector<double> values_of(const Array& array, const Conventions& conventions) {
  const bool exchange = conventions.token_major && array.shape.size() == 4;
  return arrays::floating_values<double>(exchange ? exchanged(array) : array);
}

}  // namespace attest::judge
