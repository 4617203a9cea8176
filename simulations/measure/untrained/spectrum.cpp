#include "simulations/measure/untrained/spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/spectra/attention_matrices.hpp"
#include "kernels/spectra/dense_spectrum.hpp"
#include "kernels/spectra/symmetric_spectrum.hpp"

namespace attest::measure {

std::vector<std::complex<double>> attention_eigenvalues(const Eigen::MatrixXd& tokens, const Eigen::MatrixXd& form,
                                                        bool symmetric) {
  const Eigen::MatrixXd queries = tokens * form;
  const double temperature = std::sqrt(static_cast<double>(tokens.cols()));
  if (!symmetric) return spectra::eigenvalues(spectra::softmax_attention(queries, tokens, temperature));
  Eigen::MatrixXd logits = queries * tokens.transpose() / temperature;
  // The product is symmetric up to rounding only; the eigenvalues belong to a matrix that is.
  logits = ((logits + logits.transpose()) / 2).eval();
  const Eigen::MatrixXd w = (logits.array() - logits.maxCoeff()).exp().matrix();
  std::vector<std::complex<double>> values;
  for (const double value : spectra::normalised_kernel_eigenvalues(w)) values.emplace_back(value, 0.0);
  std::stable_sort(values.begin(), values.end(), [](auto a, auto b) { return std::abs(a) > std::abs(b); });
  return values;
}

double mean_power(const std::vector<std::complex<double>>& eigenvalues, int n, bool twicing) {
  double sum = 0;
  for (const std::complex<double> value : eigenvalues) {
    sum += std::pow(std::abs(twicing ? value * (2.0 - value) : value), n);
  }
  return sum / static_cast<double>(eigenvalues.size());
}

double eigencapacity(int n, bool twicing) {
  if (!twicing) return 1.0 / (n + 1);
  double value = 1;  // I_n = I_{n-1} 2n/(2n + 1), I_0 = 1, by parts
  for (int k = 1; k <= n; ++k) value *= 2.0 * k / (2.0 * k + 1);
  return value;
}

}  // namespace attest::measure
