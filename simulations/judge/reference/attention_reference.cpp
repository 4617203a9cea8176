#include "simulations/judge/reference/attention_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "simulations/judge/reference/visibility.hpp"

namespace attest::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t at(Index n) { return static_cast<std::size_t>(n); }

/// A sum of the result, of its terms' bounds and of its terms' magnitudes.
template <typename T>
struct Sums {
  std::vector<T> value;
  std::vector<double> error, magnitude;
  void resize(Index count) {
    value.assign(at(count), T(0));
    error.assign(at(count), 0.0);
    magnitude.assign(at(count), 0.0);
  }
  void add(std::size_t n, T factor, double factor_error, double other) {
    value[n] += factor * static_cast<T>(other);
    error[n] += factor_error * std::abs(other);
    magnitude[n] += std::abs(static_cast<double>(factor) * other);
  }
};

template <typename T>
class Attention {
 public:
  Attention(const Problem& p, const Precision& precision, const Semantics& semantics, const Expected* truth)
      : p_(p),
        u_(precision.sums),
        w_(precision.between),
        o_(precision.stored),
        precision_(precision),
        is_(semantics),
        truth_(truth),
        visibility_(p, semantics) {
    if (is_.saved_forward && truth == nullptr) throw std::logic_error("saved_forward needs the truth");
  }

  Expected run() {
    const Index rows = p_.batch * p_.heads * p_.queries;
    result_.out.values.assign(at(rows * p_.value_width), 0.0);
    result_.out.bounds = result_.out.values;
    result_.lse.values.assign(at(rows), -infinity);
    result_.lse.bounds.assign(at(rows), 0.0);
    if (!p_.dout.empty()) {
      dq_.resize(rows * p_.width);
      dk_.resize(static_cast<Index>(p_.k.size()));
      dv_.resize(static_cast<Index>(p_.v.size()));
      if (p_.bias.present()) dbias_.resize(static_cast<Index>(p_.bias.values.size()));
    }
    if (is_.rows == Semantics::Rows::over_queries) normalise_over_queries();
    for (Index b = 0; b < p_.batch; ++b)
      for (Index h = 0; h < p_.heads; ++h)
        for (Index i = 0; i < p_.queries; ++i) row(b, h, i);
    if (!p_.dout.empty()) finish_gradients();
    return std::move(result_);
  }

 private:
  /// The head of keys that head h reads.
  Index kv_head(Index h) const {
    const Index group = p_.heads / p_.kv_heads;
    switch (is_.heads) {
      case Semantics::Heads::tiled:
        return h % p_.kv_heads;
      case Semantics::Heads::first:
        return 0;
      case Semantics::Heads::next:
        return (h / group + 1) % p_.kv_heads;
      case Semantics::Heads::reversed:
        return p_.kv_heads - 1 - h / group;
      case Semantics::Heads::right:
        break;
    }
    return h / group;
  }
  Index sequence(Index b) const {
    if (is_.batches == Semantics::Batches::first) return 0;
    return is_.batches == Semantics::Batches::next ? (b + 1) % p_.batch : b;
  }
  std::size_t key_at(Index b, Index g, Index j, Index d) const {
    if (is_.keys == Semantics::Keys::index_of_16_bits) j %= 65536;
    return p_.key_offset(sequence(b), g, j, d);
  }
  std::size_t value_at(Index b, Index g, Index j, Index d) const {
    if (is_.keys == Semantics::Keys::index_of_16_bits || is_.keys == Semantics::Keys::values_of_16_bits) j %= 65536;
    if (is_.value_heads == Semantics::ValueHeads::next) g = (g + p_.kv_heads - 1) % p_.kv_heads;
    if (is_.value_heads == Semantics::ValueHeads::first) g = 0;
    if (is_.values_next_key) j = (j + 1) % p_.keys;
    if (is_.values_by_key_width)
      return at((sequence(b) * p_.kv_heads + g) * p_.keys * p_.value_width) +
             at((j * p_.width + d) % (p_.keys * p_.value_width));
    return p_.value_offset(sequence(b), g, j, d);
  }

  double scale() const {
    using Scale = Semantics::Scale;
    const double plain = 1 / std::sqrt(static_cast<double>(p_.width)), given = p_.scale.value_or(plain);
    switch (is_.scale) {
      case Scale::one:
        return p_.scale.value_or(1);
      case Scale::by_width:
        return 1 / static_cast<double>(p_.width);
      case Scale::by_value_width:
        return 1 / std::sqrt(static_cast<double>(p_.value_width));
      case Scale::by_keys:
        return 1 / std::sqrt(static_cast<double>(p_.keys));
      case Scale::by_heads:
        return p_.scale.value_or(1 / std::sqrt(static_cast<double>(p_.width * p_.heads)));
      case Scale::squared:
        return given * plain;
      case Scale::default_always:
        return plain;
      case Scale::by_width_of_8:
        return p_.scale.value_or(1 / std::sqrt(static_cast<double>((p_.width + 7) / 8 * 8)));
      case Scale::right:
        break;
    }
    return given;
  }

  /// What is added to the scaled, capped logit.
  double added(Index b, Index h, Index i, Index j) const {
    double sum = 0;
    if (is_.logits_without_bias) return 0;
    if (p_.bias.present()) {
      using Is = Semantics::BiasIs;
      double term = 0;
      if (is_.bias == Is::transposed && p_.queries == p_.keys)
        term = p_.bias.at(b, h, j, i);
      else
        term = p_.bias.at(b,
                          is_.bias == Is::first_head       ? 0
                          : is_.bias == Is::reversed_heads ? p_.heads - 1 - h
                                                           : h,
                          i, j);
      if (is_.bias == Is::ignored) term = 0;
      if (is_.bias == Is::negated) term = -term;
      if (is_.bias == Is::doubled) term = 2 * term;
      if (is_.bias == Is::before_scale) term *= scale();
      sum += term;
    }
    using Mask = Semantics::Mask;
    if (p_.added.present() && is_.mask != Mask::ignored && is_.mask != Mask::only_boolean &&
        is_.mask != Mask::cast_to_boolean && !(is_.mask == Mask::not_with_causal && p_.causal)) {
      double term = p_.added.at(is_.mask == Mask::first_sequence ? 0 : b, is_.mask == Mask::first_head ? 0 : h, i, j);
      if (term == -infinity) term = 0;  // visibility speaks for it
      if (is_.mask == Mask::before_scale) term *= scale();
      if (is_.mask == Mask::negated) term = -term;
      sum += term;
    }
    if (p_.visible.present() && is_.mask == Mask::added_as_number) sum += p_.visible.at(b, h, i, j);
    if (!p_.slopes.empty()) {
      using Alibi = Semantics::Alibi;
      double slope = p_.slopes[at(is_.alibi == Alibi::first_head       ? 0
                                  : is_.alibi == Alibi::reversed_heads ? p_.heads - 1 - h
                                                                       : h)];
      if (is_.alibi == Alibi::scaled) slope *= scale();
      if (is_.alibi == Alibi::ignored) slope = 0;
      if (is_.alibi == Alibi::negated) slope = -slope;
      if (is_.alibi == Alibi::doubled) slope *= 2;
      if (is_.alibi == Alibi::default_slopes)
        slope = std::exp2(-8.0 * static_cast<double>(h + 1) / static_cast<double>(p_.heads));
      const Index distance = visibility_.distance(i, j);
      sum -= slope * static_cast<double>(is_.alibi == Alibi::signed_distance ? distance : std::abs(distance));
    }
    return sum;
  }

  double drop_factor(Index b, Index h, Index i, Index j) const {
    if (!p_.kept.present()) return 1;
    using Dropout = Semantics::Dropout;
    if (is_.dropout == Dropout::first_head) h = 0;
    if (is_.dropout == Dropout::first_sequence) b = 0;
    const bool kept = is_.dropout == Dropout::transposed && p_.queries == p_.keys ? p_.kept.at(b, h, j, i) != 0
                                                                                  : p_.kept.at(b, h, i, j) != 0;
    const double rescaled = 1 / (1 - p_.dropout);
    switch (is_.dropout) {
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

  /// Logits s_j of row (b, h, i) with their bounds e_j; unseen keys are -infinity.
  void logits(Index b, Index h, Index i) {
    const Index g = kv_head(h), keys = p_.keys;
    s_.assign(at(keys), T(-infinity));
    e_.assign(at(keys), 0.0);
    slope_.assign(at(keys), T(1));
    seen_.assign(at(keys), 0);
    seen_count_ = 0;
    const double factor = scale();
    using Masked = Semantics::Masked;
    using Softcap = Semantics::Softcap;
    for (Index j = 0; j < keys; ++j) {
      const bool sees = visibility_.sees(b, h, i, j);
      seen_[at(j)] = sees ? 1 : 0;
      seen_count_ += sees ? 1 : 0;
      if (!sees && is_.masked == Masked::excluded) continue;
      T dot = 0;
      double magnitude = 0;
      const Index features = is_.odd_width_cut && p_.width > 1 ? p_.width / 2 * 2 : p_.width;
      for (Index d = 0; d < features; ++d) {
        const double x = p_.q_at(b, h, i, d), y = p_.k[key_at(b, g, j, d)];
        dot += static_cast<T>(x) * static_cast<T>(y);
        magnitude += std::abs(x * y);
      }
      const bool early_cap = is_.softcap == Softcap::before_scale;
      const double term = added(b, h, i, j);
      T s = early_cap ? dot : dot * static_cast<T>(factor);
      double e = std::abs(factor) * magnitude * (static_cast<double>(p_.width + 3) * u_ + 3 * w_);
      if (is_.softcap == Softcap::after_bias) s += static_cast<T>(term);
      if (p_.softcap != 0 && is_.softcap != Softcap::ignored) {
        const T cap = static_cast<T>(p_.softcap), t = std::tanh(s / cap);
        slope_[at(j)] = 1 - t * t;
        if (is_.no_softcap_derivative) slope_[at(j)] = 1;
        if (is_.softcap_derivative_linear) slope_[at(j)] = 1 - std::abs(t);
        s = is_.softcap == Softcap::without_factor ? t : is_.softcap == Softcap::times_logit ? s * t : cap * t;
        e += 3 * (u_ + w_) * std::abs(static_cast<double>(s));
      }
      if (early_cap) s *= static_cast<T>(factor);
      if (is_.softcap != Softcap::after_bias) s += static_cast<T>(term);
      e += 3 * (u_ + w_) * (std::abs(static_cast<double>(s)) + std::abs(term));
      if (!sees) {
        if (is_.masked == Masked::zero_logit) s = 0;
        if (is_.masked == Masked::small_logit) s = T(-30);
        if (is_.masked == Masked::capped) s = static_cast<T>(-p_.softcap + term);
        if (is_.masked == Masked::finite) s += T(-1e4);
        if (is_.masked == Masked::finite_instead) s = T(-1e4);
      }
      if (is_.sinks == Semantics::Sinks::at_first_key && j == 0 && !p_.sinks.empty())
        s += static_cast<T>(p_.sinks[at(h)]);
      s_[at(j)] = s;
      e_[at(j)] = e;
    }
  }

  double sink(Index h) const {
    using Sinks = Semantics::Sinks;
    if (p_.sinks.empty() || is_.sinks == Sinks::ignored || is_.sinks == Sinks::at_first_key) return -infinity;
    const double value = p_.sinks[at(is_.sinks == Sinks::first_head ? 0 : h)];
    if (is_.sinks == Sinks::scaled) return value * scale();
    return is_.sinks == Sinks::twice ? value + std::log(2.0) : value;
  }

  /// sum over queries of the exponentials, for the hypothesis that the softmax ran over the wrong axis.
  void normalise_over_queries() {
    column_.assign(at(p_.batch * p_.heads * p_.keys), T(0));
    for (Index b = 0; b < p_.batch; ++b)
      for (Index h = 0; h < p_.heads; ++h)
        for (Index i = 0; i < p_.queries; ++i) {
          logits(b, h, i);
          for (Index j = 0; j < p_.keys; ++j) column_[at((b * p_.heads + h) * p_.keys + j)] += std::exp(s_[at(j)]);
        }
  }

  void row(Index b, Index h, Index i) {
    logits(b, h, i);
    const std::size_t row = at((b * p_.heads + h) * p_.queries + i);
    const Index keys = p_.keys, g = kv_head(h);
    using Rows = Semantics::Rows;
    using Keys = Semantics::Keys;
    T largest = static_cast<T>(sink(h));
    for (const T s : s_) largest = std::max(largest, s);
    T padding = 0;  // weights of keys that are not there
    if (is_.keys == Keys::last_partial_tile_padded && keys % is_.tile != 0) {
      largest = std::max(largest, T(0));
      padding = static_cast<T>(is_.tile - keys % is_.tile);
    }
    if (largest == T(-infinity)) return empty_row(b, h, i);
    p_weights_.assign(at(keys), T(0));
    T sum = std::exp(static_cast<T>(sink(h)) - largest) + (padding != 0 ? padding * std::exp(-largest) : T(0));
    T running = T(-infinity);
    for (Index j = 0; j < keys; ++j) {
      T& weight = p_weights_[at(j)];
      weight = std::exp(s_[at(j)] - largest);
      if (is_.unstable) weight = static_cast<double>(s_[at(j)]) > log_largest() ? T(infinity) : std::exp(s_[at(j)]);
      if (is_.keys == Keys::last_twice && j == keys - 1) weight *= 2;
      if (is_.keys == Keys::first_tile_twice && keys > is_.tile && j < is_.tile) weight *= 2;
      sum += weight;
      running = std::max(running, s_[at(j)]);
    }
    if (is_.two_tiles_forget_rescale || is_.normaliser_not_rescaled) forget_rescaling(sum, largest);
    if (is_.parts != Semantics::Parts::none) combine_parts(sum);
    if (is_.rows == Rows::not_normalised) sum = 1;
    double row_error = 0;
    relative_.assign(at(keys), 0.0);
    const double wide_terms = static_cast<double>(2 * keys + 16) * u_;
    const bool any_weight = sum != T(0);
    for (Index j = 0; j < keys; ++j) {
      T& weight = p_weights_[at(j)];
      if (is_.rows == Rows::over_queries) sum = column_[at((b * p_.heads + h) * keys + j)] * std::exp(-largest);
      weight = any_weight ? weight / sum : T(0);
      if (is_.masked == Semantics::Masked::after_normalising && seen_[at(j)] == 0) weight = 0;
      if (weight == 0) continue;
      const double e = e_[at(j)] + u_ * std::abs(static_cast<double>(s_[at(j)] - largest)) + 4 * u_ + w_;
      relative_[at(j)] = std::expm1(std::min(e, 60.0));
      row_error += static_cast<double>(weight) * relative_[at(j)];
    }
    drop_.assign(at(keys), 1.0);
    if (p_.kept.present()) drop_row(b, h, i);
    output_row(b, h, i, g, row_error, wide_terms);

    const double log_sum = static_cast<double>(std::log(sum));
    const double top = static_cast<double>(largest);
    const double lse_error =
        row_error + static_cast<double>(keys + 8) * u_ + u_ * (3 * std::abs(top) + 3 * std::abs(log_sum) + 4);
    result_.lse.values[row] = lse_of(largest, sum);
    result_.lse.bounds[row] = lse_error + o_ * std::abs(result_.lse.values[row]) + precision_.tiny_stored;
    if (!p_.dout.empty()) gradient_row(b, h, i, g, row_error + std::max(wide_terms, lse_error));
  }

  double log_largest() const { return o_ < 1e-10 ? 709.0 : w_ > 4e-4 && precision_.tiny > 1e-10 ? 11.0 : 88.0; }

  /// In tiles, what was summed before a higher maximum keeps its old scale.
  void forget_rescaling(T& sum, T largest) {
    static_cast<void>(largest);
    T running = T(-infinity);
    sum = 0;
    for (Index first = 0; first < p_.keys; first += is_.tile) {
      const Index end = std::min(first + is_.tile, p_.keys);
      T top = running;
      for (Index j = first; j < end; ++j) top = std::max(top, s_[at(j)]);
      if (!is_.normaliser_not_rescaled && running != T(-infinity)) sum *= std::exp(running - top);
      for (Index j = first; j < end; ++j) {
        const T weight = std::exp(s_[at(j)] - top);
        sum += weight;
        // The numerator: rescaled when the sum alone is wrong.
        p_weights_[at(j)] = weight;
      }
      if (is_.normaliser_not_rescaled && running != T(-infinity) && top != running)
        for (Index j = 0; j < first; ++j) p_weights_[at(j)] *= std::exp(running - top);
      running = top;
    }
  }

  /// Parts of the keys, each normalised by itself, with equal weights or weights 2^lse.
  void combine_parts(T& sum) {
    const Index parts = std::min(is_.tile, p_.keys);
    T total = 0;
    std::vector<T> shares;
    for (Index part = 0, first = 0; part < parts; ++part) {
      const Index end = first + p_.keys / parts + (part < p_.keys % parts ? 1 : 0);
      T of_part = 0;
      for (Index j = first; j < end; ++j) of_part += p_weights_[at(j)];
      T share = of_part == 0 ? T(0) : T(1);
      if (is_.parts == Semantics::Parts::base_2 && of_part != 0) share = std::exp2(std::log(of_part));
      for (Index j = first; j < end && of_part != 0; ++j) p_weights_[at(j)] *= share / of_part;
      total += share;
      first = end;
    }
    sum = total;
  }

  double lse_of(T largest, T sum) const {
    using Lse = Semantics::Lse;
    const T log_sum = std::log(sum);
    const T lse = largest + log_sum;
    switch (is_.lse) {
      case Lse::base_2:
        return static_cast<double>(lse / std::log(T(2)));
      case Lse::without_largest:
        return static_cast<double>(log_sum);
      case Lse::without_scale:
        return static_cast<double>(largest / static_cast<T>(scale()) + log_sum);
      case Lse::largest_only:
        return static_cast<double>(largest);
      case Lse::negated:
        return static_cast<double>(-lse);
      case Lse::zero:
        return 0;
      case Lse::after_dropout: {
        T kept = 0;
        for (Index j = 0; j < p_.keys; ++j) kept += p_weights_[at(j)] * static_cast<T>(drop_[at(j)]);
        return static_cast<double>(lse + std::log(kept));
      }
      case Lse::right:
        break;
    }
    return static_cast<double>(lse);
  }

  void empty_row(Index b, Index h, Index i) {
    if (is_.rows == Semantics::Rows::mean_of_values) mean_row(b, h, i);
    if (is_.lse == Semantics::Lse::zero) result_.lse.values[at((b * p_.heads + h) * p_.queries + i)] = 0;
  }

  void mean_row(Index b, Index h, Index i) {
    const std::size_t row = at((b * p_.heads + h) * p_.queries + i);
    for (Index d = 0; d < p_.value_width; ++d) {
      T sum = 0;
      for (Index j = 0; j < p_.keys; ++j) sum += static_cast<T>(p_.v[value_at(b, kv_head(h), j, d)]);
      const double mean = static_cast<double>(sum) / static_cast<double>(p_.keys);
      result_.out.values[row * at(p_.value_width) + at(d)] = mean;
      result_.out.bounds[row * at(p_.value_width) + at(d)] =
          (static_cast<double>(p_.keys) * u_ + 2 * o_) * std::abs(mean);
    }
  }

  void drop_row(Index b, Index h, Index i) {
    T kept_sum = 0;
    for (Index j = 0; j < p_.keys; ++j) {
      drop_[at(j)] = drop_factor(b, h, i, j);
      if (drop_[at(j)] != 0) kept_sum += p_weights_[at(j)];
    }
    if (is_.dropout == Semantics::Dropout::normalised_again && kept_sum != 0)
      for (double& factor : drop_) factor = factor == 0 ? 0 : static_cast<double>(1 / kept_sum);
  }

  void output_row(Index b, Index h, Index i, Index g, double row_error, double wide_terms) {
    using Rows = Semantics::Rows;
    const Index keys = p_.keys, width = p_.value_width;
    if (is_.rows == Rows::zeros) return;
    if (is_.rows == Rows::mean_of_values) return mean_row(b, h, i);
    if (is_.rows == Rows::mean_of_seen || is_.rows == Rows::first_key || is_.rows == Rows::largest_key) {
      const auto top = std::max_element(s_.begin(), s_.end()) - s_.begin();
      for (Index j = 0; j < keys; ++j) {
        const bool first = j == (is_.rows == Rows::first_key ? 0 : top);
        p_weights_[at(j)] = is_.rows == Rows::mean_of_seen ? static_cast<T>(seen_[at(j)]) / static_cast<T>(seen_count_)
                                                           : T(first ? 1 : 0);
      }
    }
    const std::size_t row = at(((b * p_.heads + h) * p_.queries + i) * width);
    for (Index d = 0; d < width; ++d) {
      T sum = 0;
      double error = 0, magnitude = 0, hull = 0, all = 0;
      for (Index j = 0; j < keys; ++j) {
        const T weight = p_weights_[at(j)];
        if (seen_[at(j)] == 0 && weight == 0) continue;
        const double v = p_.v[value_at(b, g, j, d)], kept = static_cast<double>(weight) * drop_[at(j)];
        sum += weight * static_cast<T>(drop_[at(j)]) * static_cast<T>(v);
        error += kept * relative_[at(j)] * std::abs(v);
        magnitude += std::abs(kept * v);
        hull = std::max(hull, std::abs(v) * std::max(1.0, drop_[at(j)]));
        all += std::abs(v);
      }
      const double value = static_cast<double>(sum);
      error += row_error * magnitude + (wide_terms + 2 * w_) * magnitude + precision_.tiny * all;
      result_.out.values[row + at(d)] = value;
      result_.out.bounds[row + at(d)] =
          std::min(error, hull + std::abs(value)) + (o_ + wide_terms) * std::abs(value) + precision_.tiny_stored;
    }
  }

  void gradient_row(Index b, Index h, Index i, Index g, double row_error) {
    const Index keys = p_.keys;
    const std::size_t row = at((b * p_.heads + h) * p_.queries + i), out_row = row * at(p_.value_width);
    const double factor = scale();
    if (is_.saved_forward) weights_from_saved(row);
    std::vector<T> dp(at(keys), T(0));
    std::vector<double> dp_error(at(keys), 0.0);
    T row_sum = 0;
    double row_sum_magnitude = 0, row_sum_error = 0, from_output = 0, output_magnitude = 0;
    for (Index j = 0; j < keys; ++j) {
      if (p_weights_[at(j)] == 0) continue;
      T dot = 0;
      double magnitude = 0;
      for (Index d = 0; d < p_.value_width; ++d) {
        const double x = p_.dout[out_row + at(d)], y = p_.v[value_at(b, g, j, d)];
        dot += static_cast<T>(x) * static_cast<T>(y);
        magnitude += std::abs(x * y);
      }
      const double kept = is_.dropout_missing_in_dp ? 1 : drop_[at(j)];
      dp[at(j)] = dot * static_cast<T>(kept);
      dp_error[at(j)] = kept * magnitude * (static_cast<double>(p_.value_width + 4) * u_ + 2 * w_);
      const double weight = static_cast<double>(p_weights_[at(j)]), size = std::abs(static_cast<double>(dp[at(j)]));
      row_sum += p_weights_[at(j)] * (is_.row_sum_without_dropout ? dot : dp[at(j)]);
      row_sum_magnitude += weight * size;
      row_sum_error += weight * (size * (relative_[at(j)] + row_error + w_) + dp_error[at(j)]);
    }
    row_sum_error += static_cast<double>(keys + 2) * u_ * row_sum_magnitude;
    T saved_row_sum = 0;
    for (Index d = 0; d < p_.value_width; ++d) {
      const double x = std::abs(p_.dout[out_row + at(d)]);
      from_output += x * result_.out.bounds[out_row + at(d)];
      output_magnitude += x * std::abs(result_.out.values[out_row + at(d)]);
      if (truth_ != nullptr)
        saved_row_sum += static_cast<T>(p_.dout[out_row + at(d)]) * static_cast<T>(truth_->out.values[out_row + at(d)]);
    }
    from_output += static_cast<double>(p_.value_width + 2) * u_ * output_magnitude;
    const double row_sum_bound = std::max(row_sum_error, from_output);
    if (is_.saved_forward) row_sum = saved_row_sum;
    if (is_.no_row_sum) row_sum = 0;
    if (is_.row_sum_negated) row_sum = -row_sum;
    T dlse = p_.dlse.empty() || is_.no_lse_gradient ? T(0) : static_cast<T>(p_.dlse[row]);
    if (is_.lse_gradient_negated) dlse = -dlse;
    if (is_.lse_gradient_halved) dlse /= 2;
    for (Index j = 0; j < keys; ++j) {
      const T weight = p_weights_[at(j)];
      if (weight == 0) continue;
      const T inner = dp[at(j)] - row_sum + dlse;
      T ds = weight * inner;
      const double p = static_cast<double>(weight);
      const double sizes = std::abs(static_cast<double>(dp[at(j)])) + std::abs(static_cast<double>(row_sum)) +
                           std::abs(static_cast<double>(dlse));
      double error = p * ((relative_[at(j)] + row_error) * std::abs(static_cast<double>(inner)) + dp_error[at(j)] +
                          row_sum_bound + 3 * (u_ + w_) * sizes) +
                     w_ * std::abs(static_cast<double>(ds)) + precision_.tiny * (1 + sizes);
      if (p_.bias.present()) dbias_.add(p_.bias.offset(b, h, i, j), ds, error, 1);
      if (p_.softcap != 0) {
        const double slope = static_cast<double>(slope_[at(j)]), t = std::sqrt(std::max(0.0, 1 - slope));
        error = error * slope + std::abs(static_cast<double>(ds)) *
                                    (2 * t * (slope * e_[at(j)] / p_.softcap + 3 * u_ + 2 * w_) + 2 * u_ + w_);
        ds *= slope_[at(j)];
      }
      if (seen_[at(j)] == 0 && is_.masked == Semantics::Masked::zero_logit) ds = 0;
      const T kept = weight * static_cast<T>(is_.dropout_missing_in_dv ? 1 : drop_[at(j)]);
      const double kept_error =
          std::abs(static_cast<double>(kept)) * (relative_[at(j)] + row_error + 2 * w_) + precision_.tiny;
      for (Index d = 0; d < p_.width; ++d) {
        dq_.add(row * at(p_.width) + at(d), ds * static_cast<T>(factor), error * factor, p_.k[key_at(b, g, j, d)]);
        if (counts_for_keys(h, i))
          dk_.add(key_at(b, g, j, d), ds * static_cast<T>(factor), error * factor, p_.q_at(b, h, i, d));
      }
      if (counts_for_keys(h, i))
        for (Index d = 0; d < p_.value_width; ++d)
          dv_.add(value_at(b, g, j, d), kept, kept_error, p_.dout[out_row + at(d)]);
    }
  }

  /// Whether head h's and query i's share of dK and dV is counted.
  bool counts_for_keys(Index h, Index i) const {
    const Index group = p_.heads / p_.kv_heads;
    if (is_.last_query_tile_lost && i >= p_.queries / is_.tile * is_.tile) return false;
    if (is_.group == Semantics::Group::first) return h % group == 0;
    if (is_.group == Semantics::Group::last) return h % group == group - 1;
    return true;
  }

  /// Weights from the true lse, as kernels form them that saved it.
  void weights_from_saved(std::size_t row) {
    const double lse = truth_->lse.values[row];
    for (Index j = 0; j < p_.keys; ++j)
      p_weights_[at(j)] =
          s_[at(j)] == T(-infinity) || lse == -infinity ? T(0) : std::exp(s_[at(j)] - static_cast<T>(lse));
  }

  void finish(const Sums<T>& sums, Index terms, double factor, Judged& to) {
    to.values.resize(sums.value.size());
    to.bounds.resize(sums.value.size());
    for (std::size_t n = 0; n < sums.value.size(); ++n) {
      to.values[n] = static_cast<double>(sums.value[n]) * factor;
      to.bounds[n] = sums.error[n] + (static_cast<double>(terms + 6) * u_ + 3 * w_) * sums.magnitude[n] +
                     o_ * std::abs(to.values[n]) + precision_.tiny_stored;
    }
  }

  void finish_gradients() {
    using By = Semantics::GradientScale;
    const Index group = p_.heads / p_.kv_heads;
    const double mean = is_.group == Semantics::Group::mean ? 1 / static_cast<double>(group) : 1;
    double for_q = 1, for_k = 1;
    const double factor = scale();
    if (is_.gradient_scale == By::missing || is_.gradient_scale == By::only_dk) for_q = 1 / factor;
    if (is_.gradient_scale == By::missing || is_.gradient_scale == By::only_dq) for_k = 1 / factor;
    if (is_.gradient_scale == By::squared) for_q = for_k = factor;
    if (is_.gradient_scale == By::inverse) for_q = for_k = 1 / (factor * factor);
    const auto sign = [&](Semantics::Negated which) { return is_.negated == which ? -1.0 : 1.0; };
    finish(dq_, p_.keys, for_q * sign(Semantics::Negated::dq), result_.dq);
    finish(dk_, p_.queries * group, for_k * mean * sign(Semantics::Negated::dk), result_.dk);
    finish(dv_, p_.queries * group, mean * sign(Semantics::Negated::dv), result_.dv);
    if (p_.bias.present()) finish(dbias_, p_.batch, 1, result_.dbias);
    using Wiped = Semantics::Wiped;
    const auto wipe = [&](Wiped which, Judged& judged) {
      if (is_.wiped == which || is_.wiped == Wiped::all) std::fill(judged.values.begin(), judged.values.end(), 0.0);
    };
    wipe(Wiped::dq, result_.dq);
    wipe(Wiped::dk, result_.dk);
    wipe(Wiped::dv, result_.dv);
    if (is_.dq_dk_swapped && result_.dq.values.size() == result_.dk.values.size()) std::swap(result_.dq, result_.dk);
  }

  const Problem& p_;
  const double u_, w_, o_;
  const Precision precision_;
  const Semantics is_;
  const Expected* truth_;
  const Visibility visibility_;
  Expected result_;
  Sums<T> dq_, dk_, dv_, dbias_;
  std::vector<T> s_, p_weights_, slope_, column_;
  std::vector<double> e_, relative_, drop_;
  std::vector<std::uint8_t> seen_;
  Index seen_count_ = 0;
};

/// The hypothesis that queries and keys change places.
Problem swapped(const Problem& problem) {
  Problem p = problem;
  if (p.q.size() == p.k.size()) std::swap(p.q, p.k);
  return p;
}

}  // namespace

const Judged* Expected::find(const std::string& name) const {
  if (name == "out") return &out;
  if (name == "lse") return &lse;
  if (name == "dq") return &dq;
  if (name == "dk") return &dk;
  if (name == "dv") return &dv;
  return name == "dbias" ? &dbias : nullptr;
}

Expected expected_attention(const Problem& problem, const Precision& precision, const Semantics& semantics,
                            const Expected* truth) {
  if (semantics.swapped && problem.q.size() == problem.k.size()) {
    Semantics rest = semantics;
    rest.swapped = false;
    return expected_attention(swapped(problem), precision, rest, truth);
  }
  if (problem.type == ElementType::float64) return Attention<long double>(problem, precision, semantics, truth).run();
  return Attention<double>(problem, precision, semantics, truth).run();
}

}  // namespace attest::judge
