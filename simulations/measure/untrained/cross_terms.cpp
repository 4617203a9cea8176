#include "simulations/measure/untrained/cross_terms.hpp"

#include <cmath>
#include <span>
#include <utility>

#include "kernels/random/stream.hpp"
#include "kernels/softmax/softmax.hpp"

namespace attest::measure {
namespace {

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Pearson's correlation; 0 when either side does not vary.
double correlation(std::span<const double> a, std::span<const double> b) {
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

// Fisher and Yates.
void shuffle(std::vector<double>& values, random::Stream& stream) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[stream.integer(i)]);
}

}  // namespace

LogitRow logit_row(const Eigen::MatrixXd& tokens, const Eigen::MatrixXd& positions, const Eigen::MatrixXd& form,
                   Eigen::Index query) {
  const double root = std::sqrt(static_cast<double>(tokens.cols()));
  const Eigen::VectorXd e = form.transpose() * tokens.row(query).transpose() / root;
  const Eigen::VectorXd p = form.transpose() * positions.row(query).transpose() / root;
  const Eigen::VectorXd content = positions * p + tokens * e;
  const Eigen::VectorXd cross = tokens * p + positions * e;
  return {{content.begin(), content.end()}, {cross.begin(), cross.end()}};
}

CrossTerms cross_terms(const LogitRow& row, std::uint64_t shuffle_seed, std::uint64_t sample) {
  CrossTerms result;
  const std::span<const double> eta = row.cross;
  const double root = std::sqrt(static_cast<double>(eta.size()));
  double squares = 0;
  for (const double value : eta) squares += value * value;
  const double norm = std::sqrt(squares);
  result.sigma = norm / root;
  if (norm > 0) result.offset = std::abs(mean_of(eta)) / result.sigma;
  result.autocorrelation = correlation(eta.first(eta.size() - 1), eta.last(eta.size() - 1));
  result.dependence = correlation(eta, row.content);
  const softmax::SoftmaxPerturbation softmax(row.content);
  std::vector<double> work = row.cross;
  result.perturbation = softmax.norm(work);
  work = row.cross;
  random::Stream stream(shuffle_seed, random::stream_key("measure/shuffle"), sample);
  shuffle(work, stream);
  result.shuffled = softmax.norm(work);
  result.bound = norm / 2;
  result.local_bound = norm * softmax::jacobian_norm(softmax.probabilities());
  return result;
}

}  // namespace attest::measure
