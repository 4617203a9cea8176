#include "simulations/judge/activations/activations.hpp"

#include <sstream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace attest::judge {

using attention::Index;

double Activations::at(const std::vector<double>& array, Index head, Index token, Index feature) const {
  return array[static_cast<std::size_t>((head % heads * tokens + token % tokens) * features + feature % features)];
}

Activations parse_activations(std::string_view table) {
  Activations all;
  std::istringstream lines{std::string(table)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string array;
    Index head = -1, token = -1;
    words >> array >> head >> token;
    std::vector<double> features;
    for (double x = 0; words >> x;) features.push_back(x);
    std::vector<double>* into = array == "q" ? &all.q : array == "k" ? &all.k : array == "v" ? &all.v : nullptr;
    if (all.features == 0) all.features = static_cast<Index>(features.size());
    if (into == nullptr || head < 0 || token < 0 || features.empty() ||
        static_cast<Index>(features.size()) != all.features || !words.eof())
      throw std::invalid_argument(fmt::format(
          "line {} of the activations is not q, k or v, a head, a token and {} numbers", number, all.features));
    all.heads = std::max(all.heads, head + 1);
    all.tokens = std::max(all.tokens, token + 1);
    into->insert(into->end(), features.begin(), features.end());
  }
  const auto entries = static_cast<std::size_t>(all.heads * all.tokens * all.features);
  if (entries == 0 || all.q.size() != entries || all.k.size() != entries || all.v.size() != entries)
    throw std::invalid_argument("the activations do not hold q, k and v for every head and token");
  return all;
}

}  // namespace attest::judge
