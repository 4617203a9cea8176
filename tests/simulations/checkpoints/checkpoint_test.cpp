#include "simulations/checkpoints/checkpoint.hpp"

#include <map>
#include <stdexcept>
#include <tuple>

#include <gtest/gtest.h>

#include "simulations/arrays/array_file.hpp"
#include "simulations/arrays/safetensors.hpp"
#include "tests/support/scratch_folder.hpp"

namespace attest::checkpoints {
namespace {

using test_support::content_of;
using test_support::message_of;
using test_support::ScratchFolder;

const std::vector<ParameterSpec> parameters = {{"w", {2, 2}, {}}, {"b", {1}, {}}};

TrainerState state() {
  TrainerState s;
  s.step = 12;
  s.weights = {{1, 2, 3, 4}, {5}};
  s.first_moments = {{0, 0, 0, 1}, {2}};
  s.second_moments = {{9, 8, 7, 6}, {5}};
  s.best_weights = {{4, 3, 2, 1}, {0}};
  s.best_loss = 0.1;
  s.best_step = 10;
  s.without_gain = 2;
  s.stopped = true;
  return s;
}

TEST(Checkpoint, gives_back_everything) {
  const ScratchFolder folder;
  const auto file = folder.path() / "c.safetensors";
  EXPECT_FALSE(read_checkpoint(file, parameters, "run").has_value());
  write_checkpoint(file, parameters, state(), "run");
  const TrainerState read = *read_checkpoint(file, parameters, "run"), s = state();
  EXPECT_EQ(std::tie(read.step, read.weights, read.first_moments, read.second_moments, read.best_weights,
                     read.best_loss, read.best_step, read.without_gain, read.stopped),
            std::tie(s.step, s.weights, s.first_moments, s.second_moments, s.best_weights, s.best_loss, s.best_step,
                     s.without_gain, s.stopped));
}

TEST(Checkpoint, that_was_cut_or_changed_anywhere_is_refused) {
  const ScratchFolder folder;
  const auto file = folder.path() / "c.safetensors";
  write_checkpoint(file, parameters, state(), "run");
  const std::string whole = content_of(file);
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    folder.write("c.safetensors", changed);
    EXPECT_THROW(read_checkpoint(file, parameters, "run"), std::invalid_argument) << at;
    folder.write("c.safetensors", whole.substr(0, at));
    EXPECT_THROW(read_checkpoint(file, parameters, "run"), std::invalid_argument) << at;
  }
}

TEST(Checkpoint, of_something_else_is_refused) {
  const ScratchFolder folder;
  const auto file = folder.path() / "c.safetensors";
  write_checkpoint(file, parameters, state(), "run");
  EXPECT_NE(message_of<std::invalid_argument>([&] { read_checkpoint(file, parameters, "other"); }).find("digest"),
            std::string::npos);
  EXPECT_NE(message_of<std::invalid_argument>([&] {
              read_checkpoint(file, {{"w", {4}, {}}, {"b", {1}, {}}}, "run");
            }).find("another model"),
            std::string::npos);
}

constexpr ModelShape shape{9, 0, 0, 1, 0, 29, 12, true, false};

TEST(Checkpoint, of_weights_alone_has_the_parameters_names) {
  const ScratchFolder folder;
  const auto file = folder.path() / "w.safetensors";
  write_weights(file, parameters, state().weights, {"title = \"t\"", "boost", 7, shape});
  const auto arrays = arrays::read_arrays(file);
  ASSERT_EQ(arrays.size(), 2U);
  EXPECT_EQ(arrays::floating_values<float>(arrays.at("w")), (std::vector<float>{1, 2, 3, 4}));
}

TEST(Checkpoint, of_weights_says_what_model_it_is_of) {
  const ScratchFolder folder;
  const auto file = folder.path() / "w.safetensors";
  write_weights(file, parameters, state().weights, {"title = \"t\"", "boost", 7, shape});
  const WeightsOrigin origin = read_weights_origin(file);
  EXPECT_EQ(origin.experiment, "title = \"t\"");
  EXPECT_EQ(origin.variant, "boost");
  EXPECT_EQ(origin.seed, 7U);
  EXPECT_EQ(origin.shape, shape);
  EXPECT_EQ(read_weights(file, parameters), state().weights);
  write_checkpoint(file, parameters, state(), "run");
  EXPECT_NE(message_of<std::invalid_argument>([&] { read_weights_origin(file); }).find("what model"),
            std::string::npos);
}

TEST(Checkpoint, of_weights_with_a_seed_or_shape_that_is_none_is_refused_in_a_sentence) {
  const ScratchFolder folder;
  const auto file = folder.path() / "w.safetensors";
  const auto write = [&](const std::string& seed, const std::string& numbers) {
    const std::map<std::string, std::string> strings{
        {"experiment", "e"}, {"variant", "v"}, {"seed", seed}, {"shape", numbers}};
    folder.write("w.safetensors", arrays::safetensors_bytes({}, strings));
  };
  const auto refusal = [&](const std::string& seed, const std::string& numbers) {
    write(seed, numbers);
    return message_of<std::invalid_argument>([&] { read_weights_origin(file); });
  };
  write("7", "9 0 0 1 0 29 12 1 0");
  EXPECT_EQ(read_weights_origin(file).shape, shape) << "a file of an older version";
  const std::string fine = "9 0 0 1 0 29 12 1 0 0";
  for (const char* seed : {"", "-1", "seven", "7x", "18446744073709551616"})
    EXPECT_NE(refusal(seed, fine).find("w.safetensors is damaged: its seed"), std::string::npos) << seed;
  for (const char* numbers : {"", "9 0", "9 0 0 1 0 29 12 x 0", "9 0 0 1 0 29 1e999 1 0", "9 0 0 1 0 29 12 1 0 x"})
    EXPECT_NE(refusal("7", numbers).find("w.safetensors is damaged: its shape"), std::string::npos) << numbers;
}

}  // namespace
}  // namespace attest::checkpoints
