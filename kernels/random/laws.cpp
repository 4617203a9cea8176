#include "kernels/random/laws.hpp"

#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "kernels/random/law_steps.hpp"
#include "kernels/random/law_words.hpp"

namespace attest::random {
namespace {

// Calls body(make) for the law's own generator, so that `fill` decides on the law once and not once a number.
// make(next) makes a draw of the words that next() gives.
template <typename Body>
void with_generator(const Law& law, const Body& body) {
  const double parameter = law.parameter;
  switch (law.kind) {
    case LawKind::gaussian:
      return body([](const auto& next) { return normal_quantile(Stream::to_unit(next())); });
    case LawKind::rademacher:
      return body([](const auto& next) { return rademacher_steps<double, double>(next()); });
    case LawKind::uniform:
      return body([](const auto& next) { return uniform_steps<double, double>(next()); });
    case LawKind::laplace:
      return body([](const auto& next) { return laplace_steps<double, double>(next()); });
    case LawKind::student_t:
      return body([parameter](const auto& next) {
        const std::uint64_t first = next();
        return student_steps<double, double>(first, next(), parameter);
      });
    case LawKind::sparse_three_point:
      return body([parameter](const auto& next) { return sparse_steps<double, double>(next(), parameter); });
  }
  throw std::invalid_argument("random::draw: the law's kind is not one of LawKind");
}

}  // namespace

Law Law::student_t(double nu) {
  if (!(nu > 2)) throw std::invalid_argument(fmt::format("Law::student_t: nu is {}, give one above 2", nu));
  return {LawKind::student_t, nu};
}

Law Law::sparse_three_point(double p) {
  if (!(p > 0 && p <= 1)) {
    throw std::invalid_argument(fmt::format("Law::sparse_three_point: p is {}, give one in (0, 1]", p));
  }
  return {LawKind::sparse_three_point, p};
}

std::string name(const Law& law) {
  switch (law.kind) {
    case LawKind::gaussian:
      return "gaussian";
    case LawKind::rademacher:
      return "rademacher";
    case LawKind::uniform:
      return "uniform";
    case LawKind::laplace:
      return "laplace";
    case LawKind::student_t:
      return fmt::format("student_t({})", law.parameter);
    case LawKind::sparse_three_point:
      return fmt::format("sparse_three_point({})", law.parameter);
  }
  throw std::invalid_argument("random::name: the law's kind is not one of LawKind");
}

Law law_from_name(std::string_view text) {
  const auto unknown = [&] {
    return std::invalid_argument(
        fmt::format("'{}' is not a noise law; give gaussian, rademacher, uniform, laplace, "
                    "student_t(NU) or sparse_three_point(P)",
                    text));
  };
  for (const Law& law : {Law::gaussian(), Law::rademacher(), Law::uniform(), Law::laplace()}) {
    if (text == name(law)) return law;
  }
  if (text == "student_t") return Law::student_t();
  if (text == "sparse_three_point") return Law::sparse_three_point();
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || text.back() != ')') throw unknown();
  const std::string number(text.substr(open + 1, text.size() - open - 2));
  char* end = nullptr;
  const double parameter = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0') throw unknown();
  if (text.substr(0, open) == "student_t") return Law::student_t(parameter);
  if (text.substr(0, open) == "sparse_three_point") return Law::sparse_three_point(parameter);
  throw unknown();
}

double fourth_moment(const Law& law) {
  switch (law.kind) {
    case LawKind::gaussian:
      return 3;
    case LawKind::rademacher:
      return 1;
    case LawKind::uniform:
      return 1.8;
    case LawKind::laplace:
      return 6;
    case LawKind::student_t:
      if (law.parameter <= 4) return std::numeric_limits<double>::infinity();
      return 3 * (law.parameter - 2) / (law.parameter - 4);
    case LawKind::sparse_three_point:
      return 1 / law.parameter;
  }
  throw std::invalid_argument("random::fourth_moment: the law's kind is not one of LawKind");
}

int words_per_draw(const Law& law) { return law.kind == LawKind::student_t ? 2 : 1; }

double draw(const Law& law, Stream& stream) {
  double value = 0;
  with_generator(law, [&](auto make) { value = make([&] { return stream.next_u64(); }); });
  return value;
}

double draw_from_words(const Law& law, std::uint64_t first, std::uint64_t second) {
  double value = 0;
  with_generator(law, [&](auto make) {
    std::uint64_t word = first;
    value = make([&] { return std::exchange(word, second); });
  });
  return value;
}

void fill(const Law& law, Stream& stream, std::span<double> out) {
  with_generator(law, [&](auto make) {
    const auto next = [&] { return stream.next_u64(); };
    for (double& x : out) x = make(next);
  });
}

}  // namespace attest::random
