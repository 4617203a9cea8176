// Softmax attention with one fault planted at a time: the property that is about it must complain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/kernels/attention/mechanisms/mechanism_calls.hpp"

namespace attest::attention {
namespace {

using testing::IsEmpty;
using testing::Not;

const Mechanism& softmax() { return find_mechanism("softmax"); }
const Variant causal = {{{"causal", "true"}}, {}};

/// Softmax attention whose results `spoil` changes.
template <typename Spoil>
Mechanism spoilt(Spoil spoil) {
  Mechanism wrong = softmax();
  wrong.forward_double = [spoil](const Call<double>& call) { return spoil(call, softmax().forward_double(call)); };
  return wrong;
}

/// Softmax attention called as `rewrite` says.
template <typename Rewrite>
Mechanism called_wrongly(Rewrite rewrite) {
  Mechanism wrong = softmax();
  wrong.forward_double = [rewrite](Call<double> call) {
    rewrite(call);
    return softmax().forward_double(call);
  };
  return wrong;
}

TEST(PlantedFaults, the_mechanism_they_are_planted_in_is_right) {
  EXPECT_THAT(wrong_gradients(softmax(), {}), IsEmpty());
  EXPECT_THAT(float_errors(softmax(), {}), IsEmpty());
  EXPECT_THAT(leaks_from_the_future(softmax(), causal), IsEmpty());
  EXPECT_THAT(wrong_equivariance(softmax(), {}), IsEmpty());
  EXPECT_THAT(errors_of_key_lengths(softmax(), {}), IsEmpty());
  EXPECT_THAT(bits_that_depend_on_threads(softmax(), {}), IsEmpty());
  EXPECT_THAT(errors_of_rows_without_keys(softmax(), {}), IsEmpty());
  EXPECT_THAT(wrong_calls_accepted(softmax(), {}), IsEmpty());
}

TEST(PlantedFaults, a_gradient_off_by_a_millionth_is_found) {
  const Mechanism wrong = spoilt([](const Call<double>&, Evaluation<double> evaluation) {
    evaluation.backward = [right = evaluation.backward](const Tensor<double>& dout) {
      Arrays<double> gradients = right(dout);
      for (double& entry : gradients.at("k").values()) entry *= 1 + 1e-6;
      return gradients;
    };
    return evaluation;
  });
  EXPECT_THAT(wrong_gradients(wrong, {}), Not(IsEmpty()));
}

TEST(PlantedFaults, a_missing_gradient_is_found) {
  const Mechanism wrong = spoilt([](const Call<double>&, Evaluation<double> evaluation) {
    evaluation.backward = [right = evaluation.backward](const Tensor<double>& dout) {
      Arrays<double> gradients = right(dout);
      gradients.erase("v");
      return gradients;
    };
    return evaluation;
  });
  EXPECT_THAT(wrong_gradients(wrong, {}), Not(IsEmpty()));
}

TEST(PlantedFaults, a_float_path_that_loses_bits_is_found) {
  Mechanism wrong = softmax();
  wrong.forward_float = [](const Call<float>& call) {
    Evaluation<float> evaluation = softmax().forward_float(call);
    for (float& entry : evaluation.out.values()) entry *= 1 + 4e-6F;
    return evaluation;
  };
  EXPECT_THAT(float_errors(wrong, {}), Not(IsEmpty()));
}

TEST(PlantedFaults, a_leak_of_one_token_in_value_or_gradient_is_found) {
  // The mask one place too wide: query i sees key i + 1.
  const Mechanism shifted = called_wrongly([](Call<double>& call) {
    call.settings.erase("causal");
    const Index tokens = call.inputs.at("q").extent(2);
    for (Index i = 0; i < tokens; ++i)
      for (Index j = 0; j < tokens; ++j) call.mask.visible.push_back(j <= i + 1 ? 1 : 0);
  });
  EXPECT_THAT(leaks_from_the_future(shifted, causal), Not(IsEmpty()));
  const Mechanism leaking_back = spoilt([](const Call<double>&, Evaluation<double> evaluation) {
    evaluation.backward = [right = evaluation.backward](const Tensor<double>& dout) {
      Arrays<double> gradients = right(dout);
      gradients.at("v").values().back() += 1e-300;
      return gradients;
    };
    return evaluation;
  });
  EXPECT_THAT(leaks_from_the_future(leaking_back, causal), Not(IsEmpty()));
}

TEST(PlantedFaults, a_dependence_on_the_order_of_tokens_is_found_and_a_wrong_claim_of_it) {
  const Mechanism wrong = spoilt([](const Call<double>&, Evaluation<double> evaluation) {
    evaluation.out.values().back() *= 1 + 1e-9;
    return evaluation;
  });
  EXPECT_THAT(wrong_equivariance(wrong, {}), Not(IsEmpty()));
  Mechanism boasting = softmax();
  boasting.positional = true;
  EXPECT_THAT(wrong_equivariance(boasting, {}), Not(IsEmpty()));
}

TEST(PlantedFaults, key_lengths_off_by_one_are_found) {
  const Mechanism wrong = called_wrongly([](Call<double>& call) {
    for (Index& length : call.mask.key_lengths) length = std::max(length - 1, Index{1});
  });
  EXPECT_THAT(errors_of_key_lengths(wrong, {}), Not(IsEmpty()));
}

TEST(PlantedFaults, bits_that_follow_the_threads_are_found) {
  const Mechanism wrong = spoilt([](const Call<double>& call, Evaluation<double> evaluation) {
    if (call.threads == 7 && call.inputs.at("q").extent(2) > 64) evaluation.out.values().front() *= 1 + 0x1p-50;
    return evaluation;
  });
  EXPECT_THAT(bits_that_depend_on_threads(wrong, {}), Not(IsEmpty()));
}

TEST(PlantedFaults, a_row_without_keys_that_sees_all_of_them_is_found) {
  // What a softmax over equal large negative logits does instead.
  const Mechanism wrong = called_wrongly([](Call<double>& call) {
    call.mask.visible.clear();
    call.mask.key_lengths.clear();
  });
  EXPECT_THAT(errors_of_rows_without_keys(wrong, {}), Not(IsEmpty()));
}

TEST(PlantedFaults, a_description_that_lets_wrong_calls_pass_is_found) {
  Mechanism wrong = softmax();
  wrong.forward_double = [](const Call<double>& call) {
    return Evaluation<double>{call.inputs.at("v"), [](const Tensor<double>&) { return Arrays<double>{}; }};
  };
  wrong.options.push_back({"unread", "1", "an option whose value nobody looks at", "2"});
  EXPECT_THAT(wrong_calls_accepted(wrong, {}), Not(IsEmpty()));
}

}  // namespace
}  // namespace attest::attention
