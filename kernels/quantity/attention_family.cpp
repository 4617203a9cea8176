#include "kernels/quantity/attention_family.hpp"

#include "kernels/random/stream.hpp"

namespace attest::quantities {

using spectra::AttentionFamily;

std::vector<Parameter> attention_parameters(std::int64_t tokens, std::int64_t most_tokens) {
  std::vector<std::string> families;
  for (int i = 0; i < spectra::attention_family_count; ++i)
    families.emplace_back(spectra::name(static_cast<AttentionFamily>(i)));
  return {Parameter::word("family", "asymmetric", std::move(families), "how queries and keys are related"),
          Parameter::integer("N", tokens, 2, most_tokens, "tokens"),
          Parameter::integer("D", 16, 1, 4096, "features of queries and keys"),
          Parameter::real("temperature", 1, 1e-6, 1e6, "factor of the softmax's temperature sqrt(D)")};
}

Eigen::MatrixXd sampled_attention(const Arguments& arguments, std::uint64_t seed, std::uint64_t sample) {
  int family = 0;
  while (arguments.word("family") != spectra::name(static_cast<AttentionFamily>(family))) ++family;
  spectra::AttentionDraw draw = spectra::draw_attention(
      static_cast<AttentionFamily>(family), static_cast<int>(arguments.integer("N")),
      static_cast<int>(arguments.integer("D")), seed, random::stream_key("random attention"), sample);
  draw.temperature *= arguments.real("temperature");
  return spectra::attention_matrix(draw);
}

}  // namespace attest::quantities
