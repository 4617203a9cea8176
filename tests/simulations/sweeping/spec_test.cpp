#include "simulations/sweeping/spec.hpp"

#include <stdexcept>
#include <variant>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace attest::sweeps {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Spec read(std::string_view text) { return read_spec(text, "sweep.toml", "sweep"); }

std::vector<double> numbers(const Axis& axis) {
  std::vector<double> all;
  for (const quantities::Value& value : axis.values) all.push_back(std::get<double>(value));
  return all;
}

TEST(Spec, keeps_the_axes_in_the_order_of_the_file) {
  const Spec spec = read("quantity = 'grc_ratio'\n[axes]\nt = [0.5]\nL = [1, 2]\nn = [3]\n");
  ASSERT_EQ(spec.axes.size(), 3U);
  EXPECT_EQ(spec.axes[0].parameter->name, "t");
  EXPECT_EQ(spec.axes[1].parameter->name, "L");
  EXPECT_EQ(spec.axes[2].parameter->name, "n");
}

TEST(Spec, makes_linear_and_logarithmic_grids_that_meet_both_ends) {
  const Spec spec = read(
      "quantity = 'grc_ratio'\n[axes]\nt = {from = 0.1, to = 0.7, points = 4}\n"
      "L = {from = 0.01, to = 100, points = 5, scale = 'log'}\n");
  EXPECT_THAT(numbers(spec.axes[0]), testing::Pointwise(testing::DoubleNear(1e-15), {0.1, 0.3, 0.5, 0.7}));
  EXPECT_EQ(numbers(spec.axes[0]).back(), 0.7);
  EXPECT_THAT(numbers(spec.axes[1]), testing::Pointwise(testing::DoubleNear(1e-12), {0.01, 0.1, 1.0, 10.0, 100.0}));
}

TEST(Spec, rounds_a_grid_of_integers_and_takes_each_once) {
  const Spec spec = read("quantity = 'grc_ratio'\n[axes]\nn = {from = 1, to = 4, points = 9, scale = 'log'}\n");
  EXPECT_THAT(numbers(spec.axes[0]), testing::ElementsAre(1, 2, 3, 4));
}

TEST(Spec, names_file_line_and_fix_of_what_it_does_not_take) {
  const auto refuses = [](const char* text, const char* sentence) {
    EXPECT_THAT([&] { read(text); }, ThrowsMessage<std::invalid_argument>(HasSubstr(sentence))) << text;
  };
  refuses("quantity = 'grc_ratio'\n\nqantity = 3\n[axes]\nt = [1]\n",
          "sweep.toml, line 3: the sweep has no key qantity; did you mean quantity?");
  refuses("quantity = 'grc_ratio'\n[axes]\nt = [1, 2]\n", "sweep.toml, line 3: t = 2: it is a number from 0 to 1");
  refuses("quantity = 'grc_ratio'\n[axes]\nt = {from = 0, to = 1}\n", "axis t has no points");
  refuses("quantity = 'grc_ratio'\n[axes]\nt = [0.5, 0.25, 0.5]\n", "axis t holds 0.5 twice");
  refuses("quantity = 'softmax_lipschitz'\n[axes]\nlaw = ['cauchy']\n", "law = \"cauchy\": use one of gaussian");
  refuses("quantity = 'grc_ratio'\n[axes]\nt = [0, 1]\n[[figure]]\nx = 't'\ny = 'printed'\npower_law = 'sharp'\n",
          "line 7: power_law = \"sharp\" is not among y");
  refuses("quantity = 'grc_ratio'\n[axes]\nt = [0, 1]\nL = [1]\n[[figure]]\nx = 't'\ny = 'printed'\nat = {L = 2}\n",
          "L = 2 is not a value of its axis");
  refuses("quantity = 'grc_ratio'\n[axes]\nt = [0, 1]\n[[figure]]\nx = 't'\ny = 'printed'\nname = '../up'\n",
          "use letters, digits, _ and -");
}

TEST(Spec, of_any_file_name_has_figures_with_names_of_plain_letters) {
  const char* text = "quantity = 'grc_ratio'\n[axes]\nt = [0, 1]\n[[figure]]\nx = 't'\ny = 'printed'\n";
  const auto name = [&](const char* spec) { return read_spec(text, "sweep.toml", spec).figures.front().name; };
  EXPECT_EQ(name("grc_law"), "grc_law-1");
  EXPECT_EQ(name("my sweep.v2"), "my_sweep_v2-1");
}

TEST(Spec, takes_a_word_that_names_a_law_with_a_parameter) {
  const Spec spec = read("quantity = 'softmax_lipschitz'\n[axes]\nlaw = ['gaussian', 'student_t(7)']\n");
  EXPECT_EQ(std::get<std::string>(spec.axes[0].values[1]), "student_t(7)");
}

}  // namespace
}  // namespace attest::sweeps
