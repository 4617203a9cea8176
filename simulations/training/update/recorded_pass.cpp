#include "simulations/training/update/recorded_pass.hpp"

#include <utility>

namespace attest::training {

using at::Tensor;

RecordedPass::RecordedPass(const tasks::Slice& like, models::ForwardPass pass, const at::Device& device)
    : slice_{{at::empty_like(like.input.values, at::TensorOptions(device))},
             at::empty_like(like.answers, at::TensorOptions(device))},
      pass_(std::move(pass)),
      loss_(at::zeros({}, at::TensorOptions(device).dtype(at::kFloat))) {
  pass_.dropout_seed = 0;
  pass_.added_seed = at::zeros({1}, at::TensorOptions(device).dtype(at::kLong));
}

double RecordedPass::operator()(const tasks::Slice& slice, std::uint64_t dropout_seed, const Work& work) {
  slice_.input.values.copy_(slice.input.values);
  slice_.answers.copy_(slice.answers);
  pass_.added_seed.fill_(static_cast<std::int64_t>(models::base_of_seeds(dropout_seed)));
  if (!recorded_.is_recorded()) recorded_.record([&] { loss_.copy_(work(slice_, pass_)); });
  recorded_.repeat();
  return loss_.item<double>();
}

}  // namespace attest::training
