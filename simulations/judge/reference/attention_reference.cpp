#include "simulations/judge/reference/attention_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "simulations/judge/reference/gradient_sums.hpp"
#include "simulations/judge/reference/softmax_row.hpp"

namespace attest::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t at(Index n) { return static_cast<std::size_t>(n); }

template <typename T>
class Attention {
 public:
  Attention(const Problem& problem, const Precision& precision, const Semantics& semantics, const Expected* truth)
      : p_(problem), r_(problem, precision, semantics), u_(precision.sums) {
    if (!p_.dout.empty()) gradients_.emplace(r_, truth);
  }

  Expected run(const GoesOn& goes_on, std::size_t first_row) {
    const Index rows = p_.batch * p_.heads * p_.queries;
    result_.out.values.assign(at(rows * p_.value_width), 0.0);
    result_.out.bounds = result_.out.values;
    result_.lse.values.assign(at(rows), -infinity);
    result_.lse.bounds.assign(at(rows), 0.0);
    if (goes_on && first_row > 0 && !goes_on_after(goes_on, first_row)) return std::move(result_);
    for (Index b = 0; b < p_.batch; ++b)
      for (Index h = 0; h < p_.heads; ++h) {
        if (r_.is.rows == Semantics::Rows::over_queries) sum_over_queries(b, h);
        for (Index i = 0; i < p_.queries; ++i) {
          add_row(b, h, i);
          if (goes_on && !goes_on(result_, at((b * p_.heads + h) * p_.queries + i))) return std::move(result_);
        }
      }
    if (gradients_) gradients_->finish(result_);
    return std::move(result_);
  }

 private:
  /// One row by itself, and what is asked after it.
  bool goes_on_after(const GoesOn& goes_on, std::size_t row) {
    const auto number = static_cast<Index>(row);
    const Index b = number / p_.queries / p_.heads, h = number / p_.queries % p_.heads;
    if (r_.is.rows == Semantics::Rows::over_queries) sum_over_queries(b, h);
    add_row(b, h, number % p_.queries);
    return goes_on(result_, row);
  }

  /// The sums of exponentials by key, for the hypothesis that the softmax ran over the wrong axis.
  void sum_over_queries(Index b, Index h) {
    column_.assign(at(p_.keys), T(0));
    for (Index i = 0; i < p_.queries; ++i) {
      fill_logits(r_, b, h, i, row_);
      for (Index j = 0; j < p_.keys; ++j) column_[at(j)] += std::exp(row_.logits[at(j)]);
    }
  }

  void add_row(Index b, Index h, Index i) {
    const std::size_t number = at((b * p_.heads + h) * p_.queries + i);
    fill_logits(r_, b, h, i, row_);
    if (!fill_weights(r_, b, h, i, column_.empty() ? nullptr : column_.data(), row_)) return empty_row(b, h, number);
    const double wide_terms = static_cast<double>(2 * p_.keys + 16) * u_;
    output_row(b, h, number, wide_terms);
    const double of_sum =
        static_cast<double>(p_.keys + 8) * u_ + u_ * (3 * std::abs(static_cast<double>(row_.largest)) +
                                                      3 * std::abs(static_cast<double>(std::log(row_.sum))) + 4);
    const double lse_error = row_.error + of_sum;
    result_.lse.values[number] = lse_of(r_, row_);
    // No logit moves further than the largest error, and lse no further than the logit that moves most.
    result_.lse.bounds[number] = std::min(row_.error, row_.largest_error) + of_sum +
                                 r_.precision.stored * std::abs(result_.lse.values[number]) + r_.precision.tiny_stored;
    if (gradients_) gradients_->add_row(b, h, i, row_, row_.error + std::max(wide_terms, lse_error), result_);
  }

  void empty_row(Index b, Index h, std::size_t number) {
    if (r_.is.rows == Semantics::Rows::mean_of_values) mean_row(b, h, number);
    if (r_.is.lse == Semantics::Lse::zero) result_.lse.values[number] = 0;
  }

  void mean_row(Index b, Index h, std::size_t number) {
    for (Index d = 0; d < p_.value_width; ++d) {
      T sum = 0;
      for (Index j = 0; j < p_.keys; ++j) sum += static_cast<T>(p_.v[r_.value_at(b, r_.kv_head(h), j, d)]);
      const std::size_t n = number * at(p_.value_width) + at(d);
      result_.out.values[n] = static_cast<double>(sum) / static_cast<double>(p_.keys);
      result_.out.bounds[n] =
          (static_cast<double>(p_.keys) * u_ + 2 * r_.precision.stored) * std::abs(result_.out.values[n]);
    }
  }

  void output_row(Index b, Index h, std::size_t number, double wide_terms) {
    using Rows = Semantics::Rows;
    if (r_.is.rows == Rows::zeros) return;
    if (r_.is.rows == Rows::mean_of_values) return mean_row(b, h, number);
    if (r_.is.rows == Rows::mean_of_seen)
      for (Index j = 0; j < p_.keys; ++j)
        row_.weights[at(j)] = static_cast<T>(row_.seen[at(j)]) / static_cast<T>(row_.seen_count);
    const Index g = r_.kv_head(h);
    for (Index d = 0; d < p_.value_width; ++d) {
      T sum = 0;
      double error = 0, magnitude = 0, hull = 0, all = 0;
      for (Index j = 0; j < p_.keys; ++j) {
        const T weight = row_.weights[at(j)];
        if (row_.seen[at(j)] == 0 && weight == 0) continue;
        const double v = p_.v[r_.value_at(b, g, j, d)], kept = static_cast<double>(weight) * row_.drop[at(j)];
        sum += weight * static_cast<T>(row_.drop[at(j)]) * static_cast<T>(v);
        error += kept * row_.relative[at(j)] * std::abs(v);
        magnitude += std::abs(kept * v);
        hull = std::max(hull, std::abs(v) * std::max(1.0, row_.drop[at(j)]));
        all += 1 + std::abs(v) * std::max(1.0, row_.drop[at(j)]);
      }
      const auto value = static_cast<double>(sum);
      error += row_.error * magnitude + (wide_terms + 2 * r_.precision.between) * magnitude + r_.precision.tiny * all;
      const std::size_t n = number * at(p_.value_width) + at(d);
      result_.out.values[n] = value;
      result_.out.bounds[n] = std::min(error, hull + std::abs(value)) +
                              (r_.precision.stored + wide_terms) * std::abs(value) + r_.precision.tiny_stored;
    }
  }

  const Problem& p_;
  const Reading r_;
  const double u_;
  Expected result_;
  SoftmaxRow<T> row_;
  std::vector<T> column_;
  std::optional<GradientSums<T>> gradients_;
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
                            const Expected* truth, const GoesOn& goes_on, std::size_t first_row) {
  if (semantics.swapped && problem.q.size() == problem.k.size()) {
    Semantics rest = semantics;
    rest.swapped = false;
    return expected_attention(swapped(problem), precision, rest, truth, goes_on, first_row);
  }
  if (problem.type == ElementType::float64)
    return Attention<long double>(problem, precision, semantics, truth).run(goes_on, first_row);
  return Attention<double>(problem, precision, semantics, truth).run(goes_on, first_row);
}

}  // namespace attest::judge
