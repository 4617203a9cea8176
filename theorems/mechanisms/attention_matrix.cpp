#include "theorems/mechanisms/attention_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "theorems/mechanisms/library.hpp"

namespace attest::mechanisms {
namespace {

using rigor::Ball;
using rigor::BallMatrix;
using rigor::BallVector;

double dot(std::span<const double> a, std::span<const double> b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

/// Queries of which the mechanisms' scale 1/sqrt(width) makes 1/temperature.
std::vector<double> tempered(std::span<const double> queries, std::size_t width, double temperature) {
  const double factor = std::sqrt(static_cast<double>(width)) / temperature;
  std::vector<double> scaled(queries.begin(), queries.end());
  for (double& entry : scaled) entry *= factor;
  return scaled;
}

Setting causal_setting(Weighting weighting) { return {.mask = {.causal = weighting.causal}}; }

/// The logits of query i for the keys that it sees.
BallVector seen_logits(const BallMatrix& q, const BallMatrix& k, std::size_t i, const Ball& temperature,
                       Weighting weighting) {
  BallVector logits;
  for (std::size_t j = 0; j < (weighting.causal ? i + 1 : k.rows); ++j) {
    if (weighting.similarity == Similarity::dot_product) {
      logits.push_back(rigor::dot(q.row(i), k.row(j)) / temperature);
    } else {
      const BallVector difference = rigor::subtract(q.row(i), k.row(j));
      logits.push_back(-rigor::dot(difference, difference) / (2 * temperature));
    }
  }
  return logits;
}

BallMatrix balls(std::span<const double> rows, std::size_t width) {
  return rigor::to_balls(rows, rows.size() / width, width);
}

}  // namespace

std::vector<double> attention_matrix(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                                     double temperature, Weighting weighting) {
  const std::size_t n = keys.size() / width;
  if (weighting.similarity == Similarity::euclidean) {
    const double bandwidth = std::sqrt(temperature);
    return weights("kernel-regression",
                   {rows("q", queries, width), rows("k", keys, width), {"bandwidth", {&bandwidth, 1}, {}}}, n,
                   causal_setting(weighting));
  }
  const std::vector<double> q = tempered(queries, width, temperature);
  return weights("softmax", {rows("q", q, width), rows("k", keys, width)}, n, causal_setting(weighting));
}

BallMatrix attention_matrix(const BallMatrix& queries, const BallMatrix& keys, const Ball& temperature,
                            Weighting weighting) {
  BallMatrix matrix(queries.rows, keys.rows);
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    BallVector row = rigor::softmax(seen_logits(queries, keys, i, temperature, weighting));
    std::move(row.begin(), row.end(), matrix.row(i).begin());
  }
  return matrix;
}

BallMatrix attention_matrix(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                            const Ball& temperature) {
  return attention_matrix(balls(queries, width), balls(keys, width), temperature);
}

std::vector<double> attend(std::span<const double> compared, std::span<const double> values, std::size_t width,
                           Similarity similarity) {
  // The bandwidth that `kernel-regression` starts from, D^(1/4), is the temperature sqrt(D).
  return output(similarity == Similarity::dot_product ? "softmax" : "kernel-regression",
                {rows("q", compared, width), rows("k", compared, width), rows("v", values, width)});
}

BallMatrix attend(const BallMatrix& compared, const BallMatrix& values, Similarity similarity) {
  return rigor::multiply(
      attention_matrix(compared, compared, rigor::sqrt(Ball(compared.cols)), {.similarity = similarity}), values);
}

std::vector<double> twiced(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                           double temperature, std::span<const double> v) {
  const std::vector<double> q = tempered(queries, width, temperature);
  return output("twicing", {rows("q", q, width), rows("k", keys, width), rows("v", v, 1)});
}

BallVector twiced(const BallMatrix& matrix, const BallVector& v) { return rigor::multiply(twicing_matrix(matrix), v); }

std::vector<double> twicing_matrix(std::span<const double> queries, std::span<const double> keys, std::size_t width,
                                   double temperature) {
  const std::vector<double> q = tempered(queries, width, temperature);
  return weights("twicing", {rows("q", q, width), rows("k", keys, width)}, keys.size() / width);
}

BallMatrix twicing_matrix(const BallMatrix& matrix) {
  return rigor::subtract(rigor::scale(2, matrix), rigor::multiply(matrix, matrix));
}

std::vector<double> multiply(const std::vector<double>& matrix, std::span<const double> v) {
  std::vector<double> product(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) product[i] = dot({matrix.data() + i * v.size(), v.size()}, v);
  return product;
}

}  // namespace attest::mechanisms
