// How far noise moves a softmax, for vectors that are never stored: draw, transform and reduce in one pass.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/softmax/perturbation_cuda.hpp"
#include "kernels/streams/noise.hpp"
#include "kernels/streams/operations.hpp"

namespace attest::softmax {

/// |softmax(c + eta) - softmax(c)| and the spectral norm of the Jacobian at c + eta, for one c and many eta
/// ("Revisiting Transformers with Insights from Image Filtering and Boosting", Eq 3.12).
///
/// With p = softmax(c), w_i = exp(eta_i) - 1 and W = sum p_i w_i the difference is p_i (w_i - W) / (1 + W), so its
/// square needs only sum p w, sum p^2 w and sum p^2 w^2: one pass over the noise, which is drawn block by block and
/// never stored. Relative error below about 1e-12 (double) and 1e-5 (float), also for noise of size 1e-8, where the
/// difference of two computed softmaxes has lost every digit. Softmax does not feel a constant added to eta: the pass
/// is repeated with the largest eta taken off where exp would overflow or 1 + W vanish, and with log(1 + W) taken off
/// where the w_i are so nearly equal that the sums would cancel. T: precision of the draws and of the arithmetic inside
/// short chunks; sums of chunks are double. The bits depend on neither threads nor instructions.
template <typename T>
class StreamedPerturbation {
 public:
  /// Logits of the caller's; kept as N weights. Errors: std::invalid_argument for no logits, NaN, +infinity, or no
  /// finite entry.
  explicit StreamedPerturbation(std::span<const double> c);

  /// `n` logits c_i = logits.scale X_i (X: `logits`, sample 0), drawn anew in every pass: no memory of size n.
  /// Errors: std::invalid_argument for n outside 1, ..., 2^40 or a scale that is not finite.
  StreamedPerturbation(std::uint64_t n, const streams::Noise& logits, unsigned threads = 1);

  /// The same with every sum made elsewhere (perturbation_blocks_on_cuda()), to the same bits; `threads` then mean
  /// nothing. Jacobian norms are still made here. Errors: as above; std::invalid_argument for single precision.
  StreamedPerturbation(std::uint64_t n, const streams::Noise& logits, PerturbationBlocks elsewhere);

  /// norms[k] = |softmax(c + eta) - softmax(c)| for sample first_sample + k of `noise`. Memory: none that grows with
  /// n or the number of samples, up to a few megabytes of partial sums. Errors: std::invalid_argument for a scale that
  /// is not finite.
  void norms(const streams::Noise& noise, std::uint64_t first_sample, std::span<double> norms, unsigned threads) const;

  /// The norm of one sample and the means that it is made of, whose expectations are known where the laws' moment
  /// generating functions are: control variates. Infinite or NaN where exp(c) or exp(eta) overflows. Errors: as norms.
  streams::PerturbationMeans means(const streams::Noise& noise, std::uint64_t sample, unsigned threads) const;

  /// Largest eigenvalue of diag(q) - q q^T, q = softmax(c + eta) of one sample: the local Lipschitz constant, at most
  /// 1/2. Root of the secular equation sum_i q_i/(q_i - lambda) = 0 between the two largest q, by about four passes
  /// that draw the noise again; relative accuracy 1e-13 (double), 1e-5 (float). 0 for n = 1.
  double jacobian_norm(const streams::Noise& noise, std::uint64_t sample, unsigned threads) const;

  /// max_i softmax(c + eta)_i of one sample, by two passes that draw the noise.
  double largest_share(const streams::Noise& noise, std::uint64_t sample, unsigned threads) const;

  std::uint64_t size() const { return n_; }

  /// Uses another of the sets of operations(): for tests, which compare them.
  void use(const streams::Operations<T>& operations) { operations_ = &operations; }

 private:
  using Sums = streams::PerturbationSums;
  struct Top;
  struct Shift {
    double taken_off = 0;
    bool minus_one = true;
  };

  // Calls body(weights and noise of a chunk) for the chunks of one block.
  void for_each_chunk(const streams::Noise& noise, std::uint64_t sample, std::uint64_t block, Shift shift,
                      const std::function<void(const streams::NoisyWeights<T>&)>& body) const;
  std::uint64_t blocks() const;
  Sums block_sums(const streams::Noise& noise, std::uint64_t sample, std::uint64_t block, Shift shift) const;
  static Sums combined(std::span<const Sums> parts);
  Sums sample_sums(const streams::Noise& noise, std::uint64_t sample, Shift shift, unsigned threads) const;
  double norm(const streams::Noise& noise, std::uint64_t sample, const Sums& sums, unsigned threads) const;
  // The two largest exp(c + eta - shift), and their sum.
  std::pair<Top, double> top_and_sum(const streams::Noise& noise, std::uint64_t sample, Shift shift,
                                     unsigned threads) const;
  void find_shift_and_totals(unsigned threads);
  // Of drawn logits, before the weights are known.
  double largest_logit(unsigned threads) const;
  void find_totals(unsigned threads);

  std::uint64_t n_ = 0;
  const streams::Operations<T>* operations_;
  std::vector<T> weights_;         // exp(c - max c), padded with zeros; empty when the logits are drawn
  streams::Noise logits_;          // of drawn logits
  PerturbationBlocks elsewhere_;   // empty where sums are made here
  double logit_shift_ = 0;         // the largest logit
  double total_ = 0, total2_ = 0;  // sums of a and a^2
};

extern template class StreamedPerturbation<float>;
extern template class StreamedPerturbation<double>;

}  // namespace attest::softmax
