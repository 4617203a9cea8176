#include "simulations/judge/reference/gradient_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attest::judge {
namespace {

std::size_t at(Index n) { return static_cast<std::size_t>(n); }

template <typename T>
double size(T x) {
  return std::abs(static_cast<double>(x));
}

/// Weights from the true lse, as kernels form them that saved it.
template <typename T>
void form_from_saved(double lse, SoftmaxRow<T>& row) {
  for (std::size_t j = 0; j < row.weights.size(); ++j)
    row.weights[j] = std::isinf(static_cast<double>(row.logits[j])) || std::isinf(lse)
                         ? T(0)
                         : std::exp(row.logits[j] - static_cast<T>(lse));
}

}  // namespace

template <typename T>
GradientSums<T>::GradientSums(const Reading& reading, const Expected* truth)
    : r_(reading), p_(reading.p), truth_(truth), u_(reading.precision.sums), w_(reading.precision.between) {
  if (r_.is.saved_forward && truth == nullptr) throw std::logic_error("saved_forward needs the truth");
  dq_.resize(p_.q.size());
  dk_.resize(p_.k.size());
  dv_.resize(p_.v.size());
  if (p_.bias.present()) dbias_.resize(p_.bias.values.size());
}

template <typename T>
void GradientSums<T>::fill_dp(Index b, Index h, std::size_t number, const SoftmaxRow<T>& row) {
  const std::size_t first = number * at(p_.value_width);
  const Index g = r_.kv_head(h);
  dp_.assign(row.weights.size(), T(0));
  dp_error_.assign(row.weights.size(), 0.0);
  for (Index j = 0; j < p_.keys; ++j) {
    if (row.weights[at(j)] == 0) continue;
    T dot = 0;
    double magnitude = 0;
    for (Index d = 0; d < p_.value_width; ++d) {
      const double x = p_.dout[first + at(d)], y = p_.v[r_.value_at(b, g, j, d)];
      dot += static_cast<T>(x) * static_cast<T>(y);
      magnitude += std::abs(x * y);
    }
    const double kept = r_.is.dropout_missing_in_dp ? 1 : row.drop[at(j)];
    dp_[at(j)] = dot * static_cast<T>(kept);
    dp_error_[at(j)] = kept * magnitude * (static_cast<double>(p_.value_width + 4) * u_ + 2 * w_);
  }
}

template <typename T>
void GradientSums<T>::fill_row_sum(std::size_t number, const SoftmaxRow<T>& row, double row_error,
                                   const Expected& expected) {
  const std::size_t first = number * at(p_.value_width);
  double magnitude = 0, from_weights = 0, from_output = 0, output_magnitude = 0;
  row_sum_ = 0;
  for (std::size_t j = 0; j < row.weights.size(); ++j) {
    if (row.weights[j] == 0) continue;
    const auto weight = static_cast<double>(row.weights[j]);
    row_sum_ += row.weights[j] * dp_[j];
    magnitude += weight * size(dp_[j]);
    from_weights += weight * (size(dp_[j]) * (row.relative[j] + row_error + w_) + dp_error_[j]);
  }
  from_weights += static_cast<double>(p_.keys + 2) * u_ * magnitude;
  T saved = 0;
  for (Index d = 0; d < p_.value_width; ++d) {
    const std::size_t n = first + at(d);
    from_output += std::abs(p_.dout[n]) * expected.out.bounds[n];
    output_magnitude += std::abs(p_.dout[n] * expected.out.values[n]);
    if (truth_ != nullptr) saved += static_cast<T>(p_.dout[n]) * static_cast<T>(truth_->out.values[n]);
  }
  from_output += static_cast<double>(p_.value_width + 2) * u_ * output_magnitude;
  row_sum_bound_ = std::max(from_weights, from_output);
  if (r_.is.saved_forward) row_sum_ = saved;
  if (r_.is.row_sum_is_mean) {
    row_sum_ = 0;
    for (const T entry : dp_) row_sum_ += entry / static_cast<T>(p_.keys);
  }
  if (r_.is.no_row_sum) row_sum_ = 0;
  if (r_.is.row_sum_negated) row_sum_ = -row_sum_;
}

template <typename T>
void GradientSums<T>::add_row(Index b, Index h, Index i, SoftmaxRow<T>& row, double row_error,
                              const Expected& expected) {
  const std::size_t number = at((b * p_.heads + h) * p_.queries + i);
  const std::size_t first_q = number * at(p_.width), first_out = number * at(p_.value_width);
  const Index g = r_.kv_head(h);
  const double factor = r_.scale();
  if (r_.is.saved_forward) form_from_saved(truth_->lse.values[number], row);
  fill_dp(b, h, number, row);
  fill_row_sum(number, row, row_error, expected);
  T dlse = p_.dlse.empty() || r_.is.no_lse_gradient ? T(0) : static_cast<T>(p_.dlse[number]);
  if (r_.is.lse_gradient_negated) dlse = -dlse;
  if (r_.is.lse_gradient_halved) dlse /= 2;
  for (Index j = 0; j < p_.keys; ++j) {
    const T weight = row.weights[at(j)];
    if (weight == 0) continue;
    const bool on_dp = r_.is.softcap_derivative_on_dp;
    const T inner = dp_[at(j)] * (on_dp ? row.slopes[at(j)] : T(1)) - row_sum_ + dlse;
    T ds = weight * inner;
    const double sizes = size(dp_[at(j)]) + size(row_sum_) + size(dlse);
    double error = static_cast<double>(weight) * ((row.relative[at(j)] + row_error) * size(inner) + dp_error_[at(j)] +
                                                  row_sum_bound_ + 3 * (u_ + w_) * sizes) +
                   w_ * size(ds) + r_.precision.tiny * (1 + sizes);
    if (p_.bias.present()) dbias_.add(p_.bias.offset(b, h, i, j), ds, error, 1);
    if (p_.softcap != 0) {
      const double slope = static_cast<double>(row.slopes[at(j)]), t = std::sqrt(std::max(0.0, 1 - slope));
      error =
          error * slope + size(ds) * (2 * t * (slope * row.errors[at(j)] / p_.softcap + 3 * u_ + 2 * w_) + 2 * u_ + w_);
      if (!on_dp) ds *= row.slopes[at(j)];
    }
    if (row.seen[at(j)] == 0 && r_.is.masked == Semantics::Masked::zero_logit) ds = 0;
    const T kept = weight * static_cast<T>(r_.is.dropout_missing_in_dv ? 1 : row.drop[at(j)]);
    const double kept_error =
        size(kept) * (row.relative[at(j)] + row_error + 2 * w_) + r_.precision.tiny * std::max(1.0, row.drop[at(j)]);
    const std::size_t key = r_.key_at(b, g, j);
    const bool counts = counts_for_keys(h);
    for (Index d = 0; d < p_.width; ++d) {
      dq_.add(first_q + at(d), ds * static_cast<T>(factor), error * factor, p_.k[key + at(d)]);
      if (counts) dk_.add(key + at(d), ds * static_cast<T>(factor), error * factor, p_.q_at(b, h, i, d));
    }
    for (Index d = 0; counts && d < p_.value_width; ++d)
      dv_.add(r_.value_at(b, g, j, d), kept, kept_error, p_.dout[first_out + at(d)]);
  }
}

/// Whether head h's share of dK and dV is counted.
template <typename T>
bool GradientSums<T>::counts_for_keys(Index h) const {
  const Index group = p_.heads / p_.kv_heads;
  if (r_.is.group == Semantics::Group::first) return h % group == 0;
  if (r_.is.group == Semantics::Group::last) return h % group == group - 1;
  return true;
}

template <typename T>
void GradientSums<T>::write(const Sums<T>& sums, Index terms, double factor, Judged& to) const {
  to.values.resize(sums.value.size());
  to.bounds.resize(sums.value.size());
  for (std::size_t n = 0; n < sums.value.size(); ++n) {
    to.values[n] = static_cast<double>(sums.value[n]) * factor;
    to.bounds[n] = sums.error[n] + (static_cast<double>(terms + 6) * u_ + 3 * w_) * sums.magnitude[n] +
                   static_cast<double>(terms) * r_.precision.tiny + r_.precision.stored * std::abs(to.values[n]) +
                   r_.precision.tiny_stored;
  }
}

template <typename T>
void GradientSums<T>::finish(Expected& expected) const {
  using By = Semantics::GradientScale;
  const Index group = p_.heads / p_.kv_heads;
  const double mean = r_.is.group == Semantics::Group::mean ? 1 / static_cast<double>(group) : 1;
  const double factor = r_.scale();
  const double scaled = r_.is.gradient_scale == By::missing   ? 1 / factor
                        : r_.is.gradient_scale == By::squared ? factor
                                                              : 1;
  write(dq_, p_.keys, scaled, expected.dq);
  write(dk_, p_.queries * group, scaled * mean, expected.dk);
  write(dv_, p_.queries * group, mean, expected.dv);
  if (p_.bias.present()) write(dbias_, p_.batch, 1, expected.dbias);
}

template class GradientSums<double>;
template class GradientSums<long double>;

}  // namespace attest::judge
