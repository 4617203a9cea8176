// Adversarial images in the l-infinity norm: the sign attack, projected gradient descent, SPSA, and random noise.
#pragma once

#include <cstdint>
#include <vector>

#include "simulations/checkpoints/trained_model.hpp"
#include "simulations/experiment/evaluation_spec.hpp"

namespace attest::evaluation {

using checkpoints::TrainedModel;
using experiment::EvaluationSpec;
using tasks::Task;

enum class Attack { fgsm, pgd, spsa, noise };

/// What an attack of one radius does; radius 0 is the same examples unharmed.
struct AttackResult {
  double radius = 0;          ///< in 255ths of a pixel's range
  double loss = 0;            ///< mean over the examples
  double accuracy = 0;        ///< share of examples whose best-scored class is right still
  double zero_gradients = 0;  ///< share of examples whose gradient is 0 everywhere: the attack cannot see its way there
};

/// Attacks the first `examples` images of the task's evaluated part with each radius, after radius 0.
///
/// FGSM: x + radius sign(g) (Goodfellow, Shlens and Szegedy 2015). PGD: `spec.pgd_steps` steps of spec.pgd_step radii
/// each along sign(g) from a random point of the ball, each projected back into it; of all points seen, the unharmed
/// one among them, the one of the largest loss counts for each example (Madry et al. 2018). SPSA: as `spsa` describes.
/// Noise: each pixel moves by the radius, up or down at random, no attack but what an attack of that norm must beat.
/// Pixels stay in their range. Random points are a pure function of (seed, example), so variants with one seed are
/// attacked from equal points. Precondition: a vision model with classes.
std::vector<AttackResult> attack(const TrainedModel& model, const Task& task, Attack kind,
                                 const std::vector<double>& radii, const EvaluationSpec& spec, std::uint64_t seed,
                                 unsigned threads);

/// Whether an attack shows the strength it must have to say anything of robustness: its loss never falls with the
/// radius, and rises above the unharmed one.
bool loss_rises(const std::vector<AttackResult>& results);

}  // namespace attest::evaluation
