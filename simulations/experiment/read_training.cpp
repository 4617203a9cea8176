#include "simulations/experiment/read_training.hpp"

#include <fmt/format.h>

namespace attest::experiment {
namespace {

void read_numerics(spec::SpecReader& read, TrainingSpec& t) {
  const bool cuda = read.choice("device", {"cpu", "cuda"}, "cpu") == "cuda";
  const bool half = read.choice("precision", {"float32", "bfloat16"}, "float32") == "bfloat16";
  const std::string implementation =
      read.choice("implementation", {"kernels", "operations"}, cuda || half ? "operations" : "kernels");
  if (implementation == "kernels" && (cuda || half))
    read.place().reject("implementation",
                        fmt::format("the library's attention kernels train on the processor in float32, not {}; leave "
                                    "implementation out or set it to operations",
                                    cuda ? "on cuda" : "in bfloat16"));
  t.device = cuda ? TrainingSpec::Device::cuda : TrainingSpec::Device::cpu;
  t.precision = half ? TrainingSpec::Precision::bfloat16 : TrainingSpec::Precision::float32;
  t.operations = implementation == "operations";
  t.cuda_graph = read.flag("cuda_graph", t.cuda_graph);
}

}  // namespace

TrainingSpec read_training(spec::SpecReader read) {
  TrainingSpec t;
  t.optimiser = read.choice("optimiser", {"adamw", "adam"}, "adamw") == "adam" ? TrainingSpec::Optimiser::adam
                                                                               : TrainingSpec::Optimiser::adamw;
  const std::string schedule = read.choice("schedule", {"cosine", "linear", "constant"}, "cosine");
  t.schedule = schedule == "cosine"   ? TrainingSpec::Schedule::cosine
               : schedule == "linear" ? TrainingSpec::Schedule::linear
                                      : TrainingSpec::Schedule::constant;
  t.steps = read.count("steps", t.steps, 1);
  t.batch = read.count("batch", t.batch, 1);
  t.accumulate = read.count("accumulate", t.accumulate, 1);
  t.shards = read.count("shards", t.shards, 1);
  if (t.batch % t.shards != 0)
    read.place().reject("shards", fmt::format("{} shards do not divide a batch of {}", t.shards, t.batch));
  t.learning_rate = read.number("learning_rate", t.learning_rate, 0, 100);
  t.final_learning_rate = read.number("final_learning_rate", t.final_learning_rate, 0, t.learning_rate);
  t.warmup = read.count("warmup", t.warmup, 0);
  t.beta1 = read.number("beta1", t.beta1, 0, 0.999999);
  t.beta2 = read.number("beta2", t.beta2, 0, 0.999999);
  t.epsilon = read.number("epsilon", t.epsilon, 1e-16, 1);
  t.weight_decay = read.number("weight_decay", t.weight_decay, 0, 10);
  t.clip = read.number("clip", t.clip, 0, 1e6);
  t.label_smoothing = read.number("label_smoothing", t.label_smoothing, 0, 0.99);
  t.evaluate_every = read.count("evaluate_every", t.evaluate_every, 0);
  t.patience = read.count("patience", t.patience, 0);
  if (t.patience > 0 && t.evaluate_every == 0)
    read.place().reject("patience", "patience counts evaluations: give evaluate_every too");
  t.checkpoint_every = read.count("checkpoint_every", t.checkpoint_every, 1);
  t.start = read.text("start", "");
  t.gates = read.flag("gates", t.gates);
  read_numerics(read, t);
  read.done();
  return t;
}

}  // namespace attest::experiment
