#include "simulations/tokens/word_vectors.hpp"

#include <cmath>

#include "simulations/tokens/cooccurrence.hpp"
#include "simulations/tokens/truncated_svd.hpp"

namespace attest::tokens {

Eigen::MatrixXd word_vectors(std::span<const std::int32_t> text, std::size_t vocabulary_size, std::size_t window,
                             std::size_t dimensions) {
  const TruncatedSvd svd =
      truncated_svd(positive_mutual_information(text, vocabulary_size, window), vocabulary_size, dimensions);
  Eigen::MatrixXd vectors = svd.left;
  for (Eigen::Index k = 0; k < vectors.cols(); ++k) {
    vectors.col(k) *= std::sqrt(svd.singular_values[static_cast<std::size_t>(k)]);
  }
  Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(vectors.cols());
  for (const std::int32_t word : text) mean += vectors.row(word);
  mean /= static_cast<double>(text.size());
  vectors.rowwise() -= mean;
  double squares = 0;
  for (const std::int32_t word : text) squares += vectors.row(word).squaredNorm();
  vectors /= std::sqrt(squares / (static_cast<double>(text.size()) * static_cast<double>(vectors.cols())));
  return vectors;
}

}  // namespace attest::tokens
