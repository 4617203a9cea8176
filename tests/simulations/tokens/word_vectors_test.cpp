#include "simulations/tokens/word_vectors.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "kernels/random/stream.hpp"

namespace attest::tokens {
namespace {

// Words 0..9 stand in sentences of their own, words 10..19 in others: two topics.
std::vector<std::int32_t> two_topics() {
  std::vector<std::int32_t> text;
  random::Stream stream(7, random::stream_key("test/two-topics"), 0);
  for (int sentence = 0; sentence < 400; ++sentence) {
    const auto topic = static_cast<std::int32_t>(stream.integer(2));
    for (int word = 0; word < 12; ++word) text.push_back(10 * topic + static_cast<std::int32_t>(stream.integer(10)));
  }
  return text;
}

TEST(WordVectors, put_words_of_one_topic_together_and_topics_apart) {
  const Eigen::MatrixXd vectors = word_vectors(two_topics(), 20, 4, 2);
  const auto cosine = [&](int a, int b) {
    return vectors.row(a).dot(vectors.row(b)) / (vectors.row(a).norm() * vectors.row(b).norm());
  };
  for (int a = 0; a < 10; ++a) {
    for (int b = 0; b < 10; ++b) {
      EXPECT_GT(cosine(a, b), 0.5) << a << " " << b;
      EXPECT_GT(cosine(10 + a, 10 + b), 0.5) << a << " " << b;
      EXPECT_LT(cosine(a, 10 + b), -0.5) << a << " " << b;
    }
  }
}

TEST(WordVectors, are_centred_and_scaled_over_the_text) {
  const std::vector<std::int32_t> text = two_topics();
  const Eigen::MatrixXd vectors = word_vectors(text, 20, 4, 3);
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(3);
  double squares = 0;
  for (const std::int32_t word : text) {
    sum += vectors.row(word);
    squares += vectors.row(word).squaredNorm();
  }
  const auto n = static_cast<double>(text.size());
  const double rounding = n * 0x1p-50;  // a sum of n terms of order 1
  EXPECT_LT((sum / n).norm(), rounding);
  EXPECT_NEAR(squares / (3 * n), 1, rounding);
  EXPECT_EQ(vectors, word_vectors(text, 20, 4, 3)) << "the same text gives the same bits";
}

}  // namespace
}  // namespace attest::tokens
