#include "theorems/primal_dual/several_heads.hpp"

#include <string>

#include "theorems/engine/protocols/composite.hpp"
#include "theorems/primal_dual/heads.hpp"
#include "theorems/primal_dual/prescribed_values.hpp"
#include "theorems/primal_dual/two_sides.hpp"

namespace attest::primal_dual {
namespace {

using engine::Inputs;
using std::to_string;

constexpr std::size_t dimension = 2;  // D
constexpr std::size_t width = 2;      // D_v and the rows of W_O

template <class Real>
using Vector = std::vector<Real>;

engine::Layout layout(const std::vector<std::size_t>& sizes) {
  std::vector<engine::Block> blocks;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    blocks.push_back({"keys " + to_string(s + 1), sizes[s] * dimension, -1.5, 1.5});
    blocks.push_back({"values " + to_string(s + 1), sizes[s] * width, -3, 3});
    blocks.push_back({"query " + to_string(s + 1), dimension, -1.5, 1.5});
    blocks.push_back({"W_O " + to_string(s + 1), width * width, -1, 1});
  }
  blocks.push_back({"b", sizes.size() * width, -2, 2});
  return engine::Layout(blocks);
}

template <class Real>
struct Head {
  Keys<Real> keys;
  Vector<Real> values, query, output;  // N_s x D_v, D, rows x D_v
};

template <class Real>
Head<Real> head(const Inputs& inputs, std::size_t s, std::size_t size) {
  const auto get = [&](const char* name, std::size_t count) { return values(inputs, name + to_string(s + 1), count); };
  return {Keys<Real>(get("keys ", size * dimension), dimension), as<Real>(get("values ", size * width)),
          as<Real>(get("query ", dimension)), as<Real>(get("W_O ", width * width))};
}

template <class Real>
void add(Vector<Real>& sum, const Vector<Real>& part) {
  for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += part[r];
}

// The block of W_O that meets head s.
std::size_t block(std::size_t s, std::size_t heads, bool swapped) { return swapped ? heads - 1 - s : s; }

// Left: Eq 17. Right: the middle of Eq 18. The entries of "values" are the multipliers alpha_j - alpha~_j.
template <class Real>
engine::Pair<Real> layers(const Inputs& inputs, const FiniteFeatures& map, const std::vector<std::size_t>& sizes,
                          const HeadVariation& change) {
  Vector<Real> lhs(width, Real(0));
  Vector<Real> rhs(width, Real(0));
  const auto b = as<Real>(values(inputs, "b", sizes.size() * width));
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const auto h = head<Real>(inputs, s, sizes[s]);
    Vector<Real> layer;
    Vector<Real> expansion;
    for (std::size_t d = 0; d < width; ++d) {
      Vector<Real> beta;
      for (std::size_t j = 0; j < sizes[s]; ++j) beta.push_back(h.values[j * width + d]);
      const auto [left, right] = layer_and_expansion<Real>(map, h.keys, h.query, beta, change.value);
      layer.push_back(left + b[s * width + d]);
      expansion.push_back(right + b[s * width + d]);
    }
    const std::size_t other = block(s, sizes.size(), change.blocks_swapped);
    add(lhs, projected(h.output, std::span<const Real>(layer)));
    add(rhs, projected(head<Real>(inputs, other, sizes[other]).output, std::span<const Real>(expansion)));
  }
  return {lhs, rhs};
}

// Left: Eqs 18 and 25. Right: Eq 3, one product with the concatenated heads.
template <class Real>
engine::Pair<Real> concatenation(const Inputs& inputs, const std::vector<std::size_t>& sizes,
                                 const HeadVariation& change) {
  Vector<Real> lhs(width, Real(0));
  Vector<Real> concatenated;
  std::vector<Vector<Real>> rows(width);  // of [W_O^1, ..., W_O^H]
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const auto h = head<Real>(inputs, s, sizes[s]);
    auto output = h.keys.attend_rows(h.query, h.values);
    add(lhs, projected(h.output, std::span<const Real>(output)));
    const std::size_t other = block(s, sizes.size(), change.blocks_swapped);
    const auto columns = head<Real>(inputs, other, sizes[other]).output;
    for (std::size_t d = 0; d < width; ++d) {
      concatenated.push_back(Real(change.value) * output[d]);
      for (std::size_t r = 0; r < width; ++r) rows[r].push_back(columns[r * width + d]);
    }
  }
  Vector<Real> rhs;
  for (const auto& row : rows) rhs.push_back(inner_product(row, concatenated));
  return {lhs, rhs};
}

}  // namespace

engine::Check one_regression_a_head(std::vector<std::size_t> sizes, HeadVariation change) {
  const FiniteFeatures map(dimension, 2);
  const engine::Layout box = layout(sizes);
  return engine::composite(
      {{"layers and expansions", engine::Kind::identity,
        identity_of(
            box, 2 * width * layer_scale, 2 * layer_rounding, 500,
            [=](const Inputs& inputs, auto zero) { return layers<decltype(zero)>(inputs, map, sizes, change); })},
       // Values of at most 3, weights of sum one from about 40 roundings, four terms with |W_O| <= 1.
       {"softmax and concatenation", engine::Kind::identity,
        identity_of(box, 12, 64 * 0x1p-53, 500, [=](const Inputs& inputs, auto zero) {
          return concatenation<decltype(zero)>(inputs, sizes, change);
        })}});
}

}  // namespace attest::primal_dual
