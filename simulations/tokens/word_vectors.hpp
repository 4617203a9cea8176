// Word vectors by a truncated singular value decomposition of co-occurrence statistics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <Eigen/Core>

namespace attest::tokens {

/// Word vectors of a text: rows of U diag(sqrt(singular values)) of its positive mutual information, from which the
/// mean over the text is taken, scaled to mean square 1 a coordinate over the text. vocabulary_size x dimensions.
/// Errors: those of positive_mutual_information and truncated_svd.
Eigen::MatrixXd word_vectors(std::span<const std::int32_t> text, std::size_t vocabulary_size, std::size_t window,
                             std::size_t dimensions);

}  // namespace attest::tokens
