// The support vector regression dual beside libsvm: processor seconds of one thread to the same duality gap.
//   bench_svr N [C]: n points of 8 coordinates, Gaussian kernel, targets sin(sum x) with noise; kernel columns are
//   computed on
// demand on both sides. N above 5000 runs ours alone, with room for 2000 columns.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <svm.h>

#include "kernels/random/stream.hpp"
#include "kernels/svr/point_kernels.hpp"
#include "kernels/svr/solver.hpp"

namespace {

using namespace attest;
constexpr std::size_t dimension = 8;
constexpr double gamma_of_kernel = 0.125, epsilon = 0.1;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Data {
  std::vector<double> points, targets;
};

Data make(std::size_t n) {
  random::Stream stream(1, random::stream_key("bench_svr"), 0);
  Data data;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < dimension; ++k) sum += data.points.emplace_back(stream.normal());
    data.targets.push_back(std::sin(sum) + 0.1 * stream.normal());
  }
  return data;
}

// primal - dual at any beta of sum 0 in the box, with its bias.
double gap(const Data& data, double box, const std::vector<double>& beta, double bias) {
  auto gram = svr::gaussian_gram(data.points, dimension, gamma_of_kernel, 2);
  std::vector<double> fitted(beta.size(), bias);
  for (std::size_t j = 0; j < beta.size(); ++j) {
    if (beta[j] == 0) continue;
    const auto column = gram.column(j);
    for (std::size_t i = 0; i < beta.size(); ++i) fitted[i] += column[i] * beta[j];
  }
  double sum = 0;
  for (std::size_t i = 0; i < beta.size(); ++i) {
    const double residual = data.targets[i] - fitted[i];
    sum += box * std::fmax(std::fabs(residual) - epsilon, 0) + epsilon * std::fabs(beta[i]) - beta[i] * residual;
  }
  return sum;
}

struct Run {
  double seconds, gap;
};

Run libsvm(Data& data, double box, double violation) {
  const std::size_t n = data.targets.size();
  const double start = processor_seconds();
  std::vector<std::vector<svm_node>> rows(n);
  std::vector<svm_node*> pointers(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < dimension; ++k)
      rows[i].push_back({static_cast<int>(k + 1), data.points[i * dimension + k]});
    rows[i].push_back({-1, 0});
    pointers[i] = rows[i].data();
  }
  svm_problem problem{static_cast<int>(n), data.targets.data(), pointers.data()};
  svm_parameter parameter{};
  parameter.svm_type = EPSILON_SVR;
  parameter.kernel_type = RBF;
  parameter.gamma = gamma_of_kernel;
  parameter.cache_size = 400;
  parameter.eps = violation;
  parameter.C = box;
  parameter.p = epsilon;
  parameter.shrinking = 1;
  svm_set_print_string_function([](const char*) {});
  svm_model* model = svm_train(&problem, &parameter);
  const double seconds = processor_seconds() - start;
  std::vector<double> beta(n, 0.0);
  for (int s = 0; s < model->l; ++s) beta[static_cast<std::size_t>(model->sv_indices[s] - 1)] = model->sv_coef[0][s];
  const double bias = -model->rho[0];
  svm_free_and_destroy_model(&model);
  return {seconds, gap(data, box, beta, bias)};
}

Run ours(const Data& data, double box, double tolerance, std::size_t kept) {
  const double start = processor_seconds();
  svr::Problem problem{svr::gaussian_gram(data.points, dimension, gamma_of_kernel, kept), data.targets, epsilon, box,
                       true};
  const auto solution = svr::solve(problem, {.tolerance = tolerance});
  const double seconds = processor_seconds() - start;
  return {seconds, gap(data, box, solution.beta, solution.bias)};
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 2000;
  const double box = argc > 2 ? std::stod(argv[2]) : 1;
  Data data = make(n);
  if (n > 5000) {
    const Run mine = ours(data, box, 1e-3, 2000);
    std::printf("{\"n\": %zu, \"C\": %g, \"seconds\": %.2f, \"gap\": %.3e}\n", n, box, mine.seconds, mine.gap);
    return 0;
  }
  for (const double violation : {1e-3, 1e-5}) {
    const Run theirs = libsvm(data, box, violation);
    double tolerance = 1e-3;
    Run mine = ours(data, box, tolerance, n);
    while (!(mine.gap <= theirs.gap) && tolerance > 1e-13) mine = ours(data, box, tolerance /= 3, n);
    std::printf(
        "{\"n\": %zu, \"C\": %g, \"libsvm_eps\": %g, \"libsvm_seconds\": %.3f, \"libsvm_gap\": %.3e, "
        "\"seconds\": %.3f, \"gap\": %.3e, \"speedup\": %.2f}\n",
        n, box, violation, theirs.seconds, theirs.gap, mine.seconds, mine.gap, theirs.seconds / mine.seconds);
  }
  return 0;
}
