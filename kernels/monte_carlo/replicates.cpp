#include "kernels/monte_carlo/replicates.hpp"

#include <memory>
#include <stdexcept>
#include <vector>

#include <boost/random/sobol.hpp>
#include <fmt/format.h>

#include "kernels/monte_carlo/affine_permutation.hpp"
#include "kernels/parallel/blocks.hpp"
#include "kernels/random/stream.hpp"
#include "kernels/statistics/compensated_sum.hpp"

namespace attest::monte_carlo {
namespace {

constexpr std::size_t most_sobol_dimensions = 3667;

void require(const Points& points, std::uint64_t replicates) {
  if (points.dimensions == 0 || points.in_each == 0 || replicates == 0)
    throw std::invalid_argument(
        fmt::format("replicate_means: {} replicates of {} points in {} dimensions; none may be 0", replicates,
                    points.in_each, points.dimensions));
  if (points.design == Design::sobol && points.dimensions > most_sobol_dimensions)
    throw std::invalid_argument(fmt::format("replicate_means: {} dimensions; the Sobol sequence has up to {}",
                                            points.dimensions, most_sobol_dimensions));
  if (points.design == Design::latin_hypercube && (points.in_each >> 32U != 0 || !is_prime_or_one(points.in_each)))
    throw std::invalid_argument(
        fmt::format("replicate_means: {} points of a Latin hypercube; give a prime below 2^32", points.in_each));
}

/// The points of one replicate, one after the other. The stream's sample r holds what replicate r draws.
class Replicate {
 public:
  Replicate(const Points& points, std::uint64_t number)
      : points_(points), stream_(points.seed, points.key, number), words_(points.dimensions) {
    if (points.design == Design::sobol) {
      sobol_ = std::make_unique<boost::random::sobol>(points.dimensions);
      shifts_.resize(points.dimensions);
      for (std::uint64_t& shift : shifts_) shift = stream_.next_u64();
    }
    if (points.design == Design::latin_hypercube)
      for (std::size_t i = 0; i < points.dimensions; ++i) {
        const std::uint64_t first = stream_.next_u64();
        orders_.push_back(AffinePermutation::chosen_by(points.in_each, first, stream_.next_u64()));
      }
  }

  std::span<const std::uint64_t> point(std::uint64_t index) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = coordinate(i, index);
    return words_;
  }

 private:
  std::uint64_t coordinate(std::size_t i, std::uint64_t index) {
    switch (points_.design) {
      case Design::independent:
        break;
      case Design::latin_hypercube: {
        __extension__ using Wide = unsigned __int128;
        const Wide interval = orders_[i](index);
        return static_cast<std::uint64_t>(((interval << 64U) | stream_.next_u64()) / points_.in_each);
      }
      case Design::sobol:
        // Boost's sequence leaves out its first point, 0.
        return shifts_[i] ^ (index == 0 ? 0 : (*sobol_)());
    }
    return stream_.next_u64();
  }

  const Points& points_;
  random::Stream stream_;
  std::vector<std::uint64_t> words_, shifts_;
  std::vector<AffinePermutation> orders_;
  std::unique_ptr<boost::random::sobol> sobol_;
};

}  // namespace

statistics::Welford replicate_means(const Points& points, std::uint64_t replicates, const PointStatistic& statistic,
                                    unsigned threads) {
  require(points, replicates);
  std::vector<double> means(replicates);
  parallel::for_each_block(static_cast<std::int64_t>(replicates), threads, [&](std::int64_t number) {
    Replicate replicate(points, static_cast<std::uint64_t>(number));
    statistics::CompensatedSum sum;
    for (std::uint64_t i = 0; i < points.in_each; ++i) sum.add(statistic(replicate.point(i)));
    means[static_cast<std::size_t>(number)] = sum.value() / static_cast<double>(points.in_each);
  });
  statistics::Welford moments;
  for (const double mean : means) moments.add(mean);
  return moments;
}

}  // namespace attest::monte_carlo
