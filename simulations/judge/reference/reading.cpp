#include "simulations/judge/reference/reading.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace attest::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t at(Index n) { return static_cast<std::size_t>(n); }

}  // namespace

Index Reading::kv_head(Index h) const {
  const Index group = p.heads / p.kv_heads;
  switch (is.heads) {
    case Semantics::Heads::tiled:
      return h % p.kv_heads;
    case Semantics::Heads::first:
      return 0;
    case Semantics::Heads::next:
      return (h / group + 1) % p.kv_heads;
    case Semantics::Heads::reversed:
      return p.kv_heads - 1 - h / group;
    case Semantics::Heads::right:
      break;
  }
  return h / group;
}

std::size_t Reading::odd_value_at(Index b, Index g, Index j, Index d) const {
  if (is.keys == Semantics::Keys::index_of_16_bits || is.keys == Semantics::Keys::values_of_16_bits) j %= 65536;
  if (is.value_heads == Semantics::ValueHeads::next) g = (g + p.kv_heads - 1) % p.kv_heads;
  if (is.value_heads == Semantics::ValueHeads::first) g = 0;
  if (is.values_next_key) j = (j + 1) % p.keys;
  if (is.values_by_key_width)
    return at((sequence(b) * p.kv_heads + g) * p.keys * p.value_width) +
           at((j * p.width + d) % (p.keys * p.value_width));
  return p.value_offset(sequence(b), g, j, d);
}

double Reading::scale() const {
  using Scale = Semantics::Scale;
  const double plain = 1 / std::sqrt(static_cast<double>(p.width)), given = p.scale.value_or(plain);
  switch (is.scale) {
    case Scale::one:
      return p.scale.value_or(1);
    case Scale::by_width:
      return 1 / static_cast<double>(p.width);
    case Scale::by_value_width:
      return 1 / std::sqrt(static_cast<double>(p.value_width));
    case Scale::by_keys:
      return 1 / std::sqrt(static_cast<double>(p.keys));
    case Scale::by_heads:
      return p.scale.value_or(1 / std::sqrt(static_cast<double>(p.width * p.heads)));
    case Scale::squared:
      return given * plain;
    case Scale::default_always:
      return plain;
    case Scale::by_width_of_8: {
      const Index padded = (p.width + 7) / 8 * 8;
      return p.scale.value_or(1 / std::sqrt(static_cast<double>(padded)));
    }
    case Scale::right:
      break;
  }
  return given;
}

double Reading::added(Index b, Index h, Index i, Index j) const {
  double sum = 0;
  if (is.logits_without_bias) return 0;
  if (p.bias.present()) {
    using Is = Semantics::BiasIs;
    double term = 0;
    if (is.bias == Is::transposed && p.queries == p.keys)
      term = p.bias.at(b, h, j, i);
    else
      term = p.bias.at(b, is.bias == Is::first_head ? 0 : is.bias == Is::reversed_heads ? p.heads - 1 - h : h, i, j);
    if (is.bias == Is::ignored) term = 0;
    if (is.bias == Is::negated) term = -term;
    if (is.bias == Is::doubled) term = 2 * term;
    if (is.bias == Is::before_scale) term *= scale();
    sum += term;
  }
  using Mask = Semantics::Mask;
  if (p.added.present() && is.mask != Mask::ignored && is.mask != Mask::only_boolean &&
      is.mask != Mask::cast_to_boolean && !(is.mask == Mask::not_with_causal && p.causal)) {
    double term = p.added.at(is.mask == Mask::first_sequence ? 0 : b, is.mask == Mask::first_head ? 0 : h, i, j);
    if (term == -infinity) term = 0;  // visibility speaks for it
    if (is.mask == Mask::before_scale) term *= scale();
    if (is.mask == Mask::negated) term = -term;
    sum += term;
  }
  if (p.visible.present() && is.mask == Mask::added_as_number) sum += p.visible.at(b, h, i, j);
  if (!p.slopes.empty()) {
    using Alibi = Semantics::Alibi;
    double slope = p.slopes[at(is.alibi == Alibi::first_head       ? 0
                               : is.alibi == Alibi::reversed_heads ? p.heads - 1 - h
                                                                   : h)];
    if (is.alibi == Alibi::scaled) slope *= scale();
    if (is.alibi == Alibi::ignored) slope = 0;
    if (is.alibi == Alibi::negated) slope = -slope;
    if (is.alibi == Alibi::doubled) slope *= 2;
    if (is.alibi == Alibi::default_slopes)
      slope = std::exp2(-8.0 * static_cast<double>(h + 1) / static_cast<double>(p.heads));
    const Index distance = visibility.distance(i, j);
    const bool has_sign = is.alibi == Alibi::signed_distance || is.alibi == Alibi::by_column;
    sum -= slope * static_cast<double>(has_sign ? distance : std::abs(distance));
  }
  return sum;
}

double Reading::drop_factor(Index b, Index h, Index i, Index j) const {
  if (!p.kept.present()) return 1;
  using Dropout = Semantics::Dropout;
  if (is.dropout == Dropout::first_head) h = 0;
  if (is.dropout == Dropout::first_sequence) b = 0;
  const bool kept = is.dropout == Dropout::transposed && p.queries == p.keys ? p.kept.at(b, h, j, i) != 0
                                                                             : p.kept.at(b, h, i, j) != 0;
  const double rescaled = 1 / (1 - p.dropout);
  switch (is.dropout) {
    case Dropout::ignored:
      return 1;
    case Dropout::not_rescaled:
      return kept ? 1 : 0;
    case Dropout::inverted:
      return kept ? 0 : rescaled;
    case Dropout::all_dropped:
      return 0;
    case Dropout::scaled_twice:
      return kept ? rescaled * rescaled : 0;
    default:
      return kept ? rescaled : 0;
  }
}

double Reading::sink(Index h) const {
  using Sinks = Semantics::Sinks;
  if (p.sinks.empty() || is.sinks == Sinks::ignored || is.sinks == Sinks::at_first_key) return -infinity;
  const double value = p.sinks[at(is.sinks == Sinks::first_head ? 0 : h)];
  if (is.sinks == Sinks::scaled) return value * scale();
  return is.sinks == Sinks::twice ? value + std::log(2.0) : value;
}

}  // namespace attest::judge
