#include "simulations/training/update/device_state.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attest::training {

using at::Tensor;

namespace {

constexpr std::int64_t alignment = 64;  // entries: kernels read whole vectors from where a parameter starts

void copy_to(const Tensor& to, const std::vector<float>& values) {
  // LibTorch takes borrowed memory as writable, but only reads it.
  to.copy_(at::from_blob(const_cast<float*>(values.data()), to.sizes(), at::kFloat));  // NOLINT
}

void copy_from(const Tensor& from, std::vector<float>& values) {
  at::from_blob(values.data(), from.sizes(), at::kFloat).copy_(from);
}

/// Matrices come first, then what does not decay, then what is measured.
int group_of(const ParameterSpec& parameter) { return parameter.statistic ? 2 : parameter.decays() ? 0 : 1; }

}  // namespace

DeviceState::DeviceState(const std::vector<ParameterSpec>& parameters, const at::Device& device)
    : places_(parameters.size()) {
  std::vector<std::size_t> order(parameters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return group_of(parameters[a]) < group_of(parameters[b]); });
  std::int64_t size = 0;
  for (const std::size_t p : order) {
    places_[p] = {size, parameters[p].entries(), parameters[p].shape};
    size += (places_[p].entries + alignment - 1) / alignment * alignment;
    if (group_of(parameters[p]) == 0) decaying_ = size;
    if (group_of(parameters[p]) <= 1) learned_ = size;
  }
  const auto zeros = [&] { return at::zeros({size}, at::TensorOptions(device).dtype(at::kFloat)); };
  weights_ = zeros(), gradient_ = zeros(), first_moments_ = zeros(), second_moments_ = zeros();
  for (const Place& place : places_) gradients_.push_back(part(gradient_, place));
}

Tensor DeviceState::part(const Tensor& all, const Place& place) const {
  return all.narrow(0, place.first, place.entries).view(place.shape);
}

std::vector<Tensor> DeviceState::leaves() const {
  std::vector<Tensor> leaves;
  for (const Place& place : places_) leaves.push_back(part(weights_, place).detach().requires_grad_(true));
  return leaves;
}

void DeviceState::take(const TrainerState& state) {
  for (std::size_t p = 0; p < places_.size(); ++p) {
    copy_to(part(weights_, places_[p]), state.weights[p]);
    copy_to(part(first_moments_, places_[p]), state.first_moments[p]);
    copy_to(part(second_moments_, places_[p]), state.second_moments[p]);
  }
}

void DeviceState::give(TrainerState& state) const {
  for (std::size_t p = 0; p < places_.size(); ++p) {
    copy_from(part(weights_, places_[p]), state.weights[p]);
    copy_from(part(first_moments_, places_[p]), state.first_moments[p]);
    copy_from(part(second_moments_, places_[p]), state.second_moments[p]);
  }
}

void DeviceState::clear_gradient() { gradient_.zero_(); }

void DeviceState::add_gradient(const std::vector<Tensor>& found, double share) {
  std::vector<Tensor> to, terms;
  for (std::size_t p = 0; p < found.size(); ++p) {
    if (!found[p].defined()) continue;
    to.push_back(gradients_[p]);
    terms.push_back(found[p].reshape(places_[p].shape));
  }
  if (!to.empty()) at::_foreach_add_(to, terms, share);
}

double DeviceState::gradient_norm() const {
  return at::norm(gradient_.narrow(0, 0, learned_), 2, at::kDouble).item<double>();
}

std::size_t DeviceState::first_not_finite() const {
  const auto bad = std::find_if_not(gradients_.begin(), gradients_.end(),
                                    [](const Tensor& one) { return at::isfinite(one).all().item<bool>(); });
  return static_cast<std::size_t>(bad - gradients_.begin());
}

void DeviceState::update(const TrainingSpec& training, double rate, double norm, double moving_share,
                         std::int64_t step) {
  const torch::autograd::AutoGradMode off(false);
  const auto learned = [&](const Tensor& all) { return all.narrow(0, 0, learned_); };
  const Tensor weights = learned(weights_), gradient = learned(gradient_), first = learned(first_moments_),
               second = learned(second_moments_);
  if (training.clip > 0 && norm > training.clip) gradient.mul_(training.clip / norm);
  const bool decoupled = training.optimiser == TrainingSpec::Optimiser::adamw;
  if (!decoupled) gradient.add_(weights, training.weight_decay);
  first.mul_(training.beta1).add_(gradient, 1 - training.beta1);
  second.mul_(training.beta2).addcmul_(gradient, gradient, 1 - training.beta2);
  if (decoupled) weights.narrow(0, 0, decaying_).mul_(1 - rate * training.weight_decay);
  const auto count = static_cast<double>(step);
  const Tensor divisor = second.sqrt().mul_(1 / std::sqrt(1 - std::pow(training.beta2, count))).add_(training.epsilon);
  weights.addcdiv_(first, divisor, -rate / (1 - std::pow(training.beta1, count)));
  const std::int64_t measured = weights_.size(0) - learned_;
  weights_.narrow(0, learned_, measured).lerp_(gradient_.narrow(0, learned_, measured), moving_share);
}

}  // namespace attest::training
