// Section 2, the digression on SimSiam: is KL(q||p) the negative inner product of predictions and targets?
#include "theorems/engine/protocols/input_matrix.hpp"

namespace attest::probdr {
namespace {

using namespace engine;
using namespace generic;
using rigor::cos;
using rigor::sin;
using std::cos;
using std::sin;

constexpr std::size_t sphere = 3;

std::vector<Block> blocks(std::size_t views) {
  return {{"predictions", 2 * views, -3, 3},
          {"other predictions", 2 * views, -3, 3},
          {"targets", 2 * views, -3, 3},
          {"kappa", 1, 0.5, 5}};
}

/// Unit vectors of R^3 from pairs of angles, a row each.
template <class Real>
Matrix<Real> directions(const Inputs& in, const char* name, std::size_t views) {
  const auto angles = values(in, name, 2 * views);
  Matrix<Real> rows(views, sphere);
  for (std::size_t m = 0; m < views; ++m) {
    const Real polar(angles[2 * m]);
    const Real azimuth(angles[2 * m + 1]);
    rows(m, 0) = cos(polar);
    rows(m, 1) = sin(polar) * cos(azimuth);
    rows(m, 2) = sin(polar) * sin(azimuth);
  }
  return rows;
}

/// log of int exp(s'x) dx over the unit sphere of R^3, 4 pi sinh(|s|)/|s|.
template <class Real>
Real log_normaliser(const Real& length, const Real& pi) {
  return log(Real(4) * pi) + log((exp(length) - exp(-length)) / (Real(2) * length));
}

/// Which density of the latent the predictions give.
enum class Model {
  product,       ///< prod_m vMF(x|mu_m, kappa) normalised: the law proportional to it, as printed
  unnormalised,  ///< the product itself
};

/// -E_q log p at the predictions, q uniform on the targets.
template <class Real>
Real cross_entropy(const Matrix<Real>& predictions, const Matrix<Real>& targets, const Real& kappa, Model model,
                   const Real& pi, bool& admissible) {
  std::vector<Real> sum(sphere, Real(0));
  Real normalisers(0);
  for (std::size_t m = 0; m < predictions.rows; ++m) {
    Real square(0);
    for (std::size_t i = 0; i < sphere; ++i) {
      sum[i] += kappa * predictions(m, i);
      square += kappa * kappa * predictions(m, i) * predictions(m, i);
    }
    normalisers += log_normaliser(sqrt(square), pi);
  }
  const Real square = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
  admissible = admissible && positive(Real(square - Real(0.001)));
  if (model == Model::product) normalisers = log_normaliser(sqrt(square), pi);
  Real mean(0);
  for (std::size_t b = 0; b < targets.rows; ++b)
    for (std::size_t i = 0; i < sphere; ++i) mean += sum[i] * targets(b, i) / Real(static_cast<double>(targets.rows));
  return normalisers - mean;
}

/// L_i = -sum_ab mu_a' f_b.
template <class Real>
Real loss(const Matrix<Real>& predictions, const Matrix<Real>& targets) {
  Real total(0);
  for (const Real& product : multiply(predictions, transpose(targets)).entries) total -= product;
  return total;
}

/// The change of -E_q log p from the predictions to other ones against factor (kappa/M, or 1 where `literal`) times the
/// change of L_i: a constant c drops out.
Check same_loss(std::size_t views, Model model, bool literal, double factor) {
  return generic_identity(
      blocks(views),
      [=](const Inputs& in, auto zero) {
        using Real = decltype(zero);
        const Real kappa(in.scalar("kappa"));
        const Real pi = pi_as(zero);
        const auto targets = directions<Real>(in, "targets", views);
        const auto first = directions<Real>(in, "predictions", views);
        const auto second = directions<Real>(in, "other predictions", views);
        bool admissible = true;
        const Real entropy = cross_entropy(first, targets, kappa, model, pi, admissible) -
                             cross_entropy(second, targets, kappa, model, pi, admissible);
        const Real rate = literal ? Real(factor) : Real(Real(factor) * kappa / Real(static_cast<double>(views)));
        return Pair<Real>{{entropy}, {rate * (loss(first, targets) - loss(second, targets))}, admissible};
      },
      {.scale = 10});
}

}  // namespace

Claims simsiam() {
  Claims claims;
  claims.push_back(
      {{.id = "probdr/simsiam-kl",
        .label = "Sec 2 SimSiam as KL",
        .title = "The divergence is the negative inner product, up to a constant",
        .kind = Kind::identity,
        .tex =
            R"(p \propto \prod_m \mathrm{vMF}(X_i\,|\,f(h(Y^m_i)),\kappa),\ q \propto \sum_m\delta(X_i\,|\,f(Y^m_i)) \ \Rightarrow\ \mathrm{KL}(q\|p) = c - \mathbb E_q\log p = -\sum_{a,b} f(h(Y^a_i))^\top f(Y^b_i))",
        .assumptions = {"two views, unit vectors of R^3", "kappa free, as in the paper", "c free of the predictions"},
        .expected = Verdict::refuted,
        .finding = Finding::assumption,
        .note =
            "Two things are lost: the factor kappa/M, M the number of views; and the normaliser of the product of the "
            "M densities, which depends on the predictions (probdr/simsiam-kl-factor). It holds, up to the factor, "
            "where the product is left as it is (probdr/simsiam-kl-unnormalised) or there is one view "
            "(probdr/simsiam-kl-one-view). KL(q||p) itself is infinite, q being discrete: c takes that up."},
       same_loss(2, Model::product, true, 1),
       {{"one percent more", 0.01, same_loss(2, Model::product, true, 1.01)}},
       {{"product not normalised, factor kappa/M", 1, same_loss(2, Model::unnormalised, false, 1)}}});
  claims.push_back(
      {{.id = "probdr/simsiam-kl-factor",
        .label = "Sec 2 SimSiam as KL (factor kappa/M)",
        .title = "With the factor kappa/M put in, the normaliser still depends on the predictions",
        .kind = Kind::identity,
        .tex =
            R"(-\mathbb E_q\log p = c - \tfrac\kappa M\sum_{a,b} f(h(Y^a_i))^\top f(Y^b_i), \quad c \text{ free of } h)",
        .assumptions = {"two views, unit vectors of R^3"},
        .expected = Verdict::refuted,
        .printed = false,
        .amends = "probdr/simsiam-kl",
        .note = "Predictions that agree make the product sharper and its normaliser larger: the divergence charges for "
                "agreement where SimSiam's loss does not."},
       same_loss(2, Model::product, false, 1),
       {{"one percent more", 0.01, same_loss(2, Model::product, false, 1.01)}},
       {{"one view", 1, same_loss(1, Model::product, false, 1)}}});
  claims.push_back(
      {{.id = "probdr/simsiam-kl-unnormalised",
        .label = "Sec 2 SimSiam as KL (a product that is not normalised)",
        .title = "The loss is the cross-entropy with the product of densities left as it is",
        .kind = Kind::identity,
        .tex = R"(-\mathbb E_q\log\prod_m\mathrm{vMF}(X_i\,|\,f(h(Y^m_i)),\kappa) = c + \tfrac\kappa M\,\mathcal L_i)",
        .assumptions = {"two views, unit vectors of R^3"},
        .expected = Verdict::supported,
        .printed = false,
        .amends = "probdr/simsiam-kl"},
       same_loss(2, Model::unnormalised, false, 1),
       {{"one percent more", 0.01, same_loss(2, Model::unnormalised, false, 1.01)}}});
  claims.push_back({{.id = "probdr/simsiam-kl-one-view",
                     .label = "Sec 2 SimSiam as KL (one view)",
                     .title = "For one view the divergence is the loss times kappa, and a constant",
                     .kind = Kind::identity,
                     .tex = R"(M = 1:\quad -\mathbb E_q\log p = c + \kappa\,\mathcal L_i)",
                     .assumptions = {"unit vectors of R^3, kappa from 0.5 to 5"},
                     .expected = Verdict::supported,
                     .printed = false,
                     .amends = "probdr/simsiam-kl"},
                    same_loss(1, Model::product, false, 1),
                    {{"one percent more", 0.01, same_loss(1, Model::product, false, 1.01)},
                     {"two views", 1, same_loss(2, Model::product, false, 1)}}});
  return claims;
}

}  // namespace attest::probdr
