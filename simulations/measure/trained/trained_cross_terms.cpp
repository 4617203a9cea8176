// Positional cross terms of a trained first layer; and all measurements of a trained model together.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <Eigen/Core>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/random/stream.hpp"
#include "simulations/measure/trained/layer_measures.hpp"
#include "simulations/measure/trained/trained_measurements.hpp"
#include "simulations/measure/untrained/cross_terms.hpp"

namespace attest::measure {
namespace {

constexpr std::uint32_t row_key = random::stream_key("measure/trained-rows");
constexpr std::uint64_t rows_per_example = 4;
constexpr double norm_epsilon = 1e-5;  // of the model's layer norms

/// A parameter as a matrix of its first axis by the rest, or nothing when the model has none of that name.
std::optional<Eigen::MatrixXd> parameter(const TrainedModel& model, const std::string& name) {
  using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  for (std::size_t p = 0; p < model.parameters().size(); ++p) {
    if (model.parameters()[p].name != name) continue;
    const Index rows = model.parameters()[p].shape.front(), entries = static_cast<Index>(model.weights()[p].size());
    return Eigen::Map<const RowMatrix>(model.weights()[p].data(), rows, entries / rows).cast<double>();
  }
  return std::nullopt;
}

struct FirstLayer {
  Eigen::MatrixXd positions, gain, shift, project, bias;
};

/// Nothing when positions are not learned parameters that are added to the tokens.
std::optional<FirstLayer> first_layer(const TrainedModel& model) {
  const auto positions = parameter(model, "positions"), gain = parameter(model, "layer 0.norm.weight"),
             shift = parameter(model, "layer 0.norm.bias"), project = parameter(model, "layer 0.qkv.weight"),
             bias = parameter(model, "layer 0.qkv.bias");
  const auto& inputs = attention::find_mechanism(model.spec().layers.front().attention.mechanism).inputs;
  const bool apart = std::any_of(inputs.begin(), inputs.end(), [](const attention::InputSpec& input) {
    return input.role == attention::Role::position_queries;
  });
  if (!positions || !gain || !shift || !project || !bias || apart) return std::nullopt;
  return FirstLayer{*positions, *gain, *shift, *project, *bias};
}

/// Queries and keys of one head, each parted into what tokens (with all biases) and what positions bring. With the norm
/// of the sum e + p held as it is, layer normalisation is linear in e and in p.
struct Parted {
  Eigen::MatrixXd token_queries, position_queries, token_keys, position_keys;
};

Parted parted(const FirstLayer& layer, const Eigen::MatrixXd& sum, Index heads, Index head) {
  const Index rows = sum.rows(), width = sum.cols(), features = width / heads;
  Eigen::MatrixXd positions = layer.positions.topRows(rows), tokens = sum - positions;
  for (Index i = 0; i < rows; ++i) {
    const double mean = sum.row(i).mean();
    const double deviation = std::sqrt((sum.row(i).array() - mean).square().mean() + norm_epsilon);
    tokens.row(i) =
        ((tokens.row(i).array() - tokens.row(i).mean()) / deviation * layer.gain.col(0).transpose().array() +
         layer.shift.col(0).transpose().array())
            .matrix();
    positions.row(i) =
        ((positions.row(i).array() - positions.row(i).mean()) / deviation * layer.gain.col(0).transpose().array())
            .matrix();
  }
  const auto projected = [&](const Eigen::MatrixXd& x, Index first, bool with_bias) {
    Eigen::MatrixXd y = x * layer.project.middleRows(first + head * features, features).transpose();
    if (with_bias) y.rowwise() += layer.bias.col(0).segment(first + head * features, features).transpose();
    return y;
  };
  return {projected(tokens, 0, true), projected(positions, 0, false), projected(tokens, width, true),
          projected(positions, width, false)};
}

/// The logits of one query over the keys that it sees.
LogitRow row_of(const Parted& p, Index query, Index keys) {
  const double root = std::sqrt(static_cast<double>(p.token_keys.cols()));
  const auto against = [&](const Eigen::MatrixXd& queries, const Eigen::MatrixXd& all) -> Eigen::VectorXd {
    return all.topRows(keys) * queries.row(query).transpose() / root;
  };
  const Eigen::VectorXd content = against(p.token_queries, p.token_keys) + against(p.position_queries, p.position_keys);
  const Eigen::VectorXd cross = against(p.token_queries, p.position_keys) + against(p.position_queries, p.token_keys);
  return {{content.begin(), content.end()}, {cross.begin(), cross.end()}};
}

std::vector<CrossTerms> look_at_block(const TrainedSample& sample, const FirstLayer& layer, const Batch& batch,
                                      std::int64_t first) {
  const ModelSpec& spec = sample.model().spec();
  const bool causal = traits_of(spec.kind).causal();
  const FloatTensor embedded = sample.model().embedded(batch);
  std::vector<CrossTerms> all;
  for (std::int64_t b = 0; b < batch.count; ++b) {
    const Index rows = present_tokens(spec, batch, b, embedded.extent(1));
    const Eigen::MatrixXd sum = tokens_of(embedded, b, rows);
    random::Stream stream(sample.seed, row_key, static_cast<std::uint64_t>(first + b));
    CrossTerms mean;
    for (std::uint64_t i = 0; i < rows_per_example; ++i) {
      const auto head = static_cast<Index>(stream.integer(static_cast<std::uint64_t>(spec.heads)));
      // A causal query that sees fewer than three keys has no correlations.
      const Index least = causal ? std::min<Index>(rows - 1, 7) : 0;
      const Index query = least + static_cast<Index>(stream.integer(static_cast<std::uint64_t>(rows - least)));
      const CrossTerms row =
          measure::cross_terms(row_of(parted(layer, sum, spec.heads, head), query, causal ? query + 1 : rows),
                               sample.seed, static_cast<std::uint64_t>(first + b) * rows_per_example + i);
      for (const auto member :
           {&CrossTerms::sigma, &CrossTerms::offset, &CrossTerms::autocorrelation, &CrossTerms::dependence,
            &CrossTerms::perturbation, &CrossTerms::shuffled, &CrossTerms::bound, &CrossTerms::local_bound})
        mean.*member += row.*member / static_cast<double>(rows_per_example);
    }
    all.push_back(mean);
  }
  return all;
}

}  // namespace

std::string TrainedSample::name() const { return fmt::format("{}, seed {}", loaded.variant, loaded.seed); }

std::string TrainedSample::stem(const std::string& what) const {
  std::string stem = fmt::format("{}{}{}-seed-{}", what, what.empty() ? "" : "-", loaded.variant, loaded.seed);
  std::replace_if(
      stem.begin(), stem.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; }, '-');
  return stem;
}

Measurement measure_trained_cross_terms(const TrainedSample& sample) {
  Measurement result;
  result.id = "trained-cross-terms/" + sample.stem("");
  result.title = fmt::format("Positional cross terms of trained logits as noise ({})", sample.name());
  const auto layer = first_layer(sample.model());
  if (!layer || sample.model().embedded(sample.task.batch(evaluated_part(sample.task), 0, 1)).extent(1) < 8) {
    result.text =
        "Boosting, Section 3.3, speaks of learned positions that are added to the tokens; this model's first layer has "
        "none, or fewer than eight tokens.";
    return result;
  }
  const auto examples = for_each_trained_example(
      sample, [&](const Batch& batch, std::int64_t first) { return look_at_block(sample, *layer, batch, first); });
  const auto values = [&](double CrossTerms::*member) {
    return measure::column(examples, [member](const CrossTerms& one) { return one.*member; });
  };
  const auto mean = [&](double CrossTerms::*member) { return measure::mean_estimate(values(member)); };
  const auto share = measure::ratio_estimate(values(&CrossTerms::perturbation), values(&CrossTerms::bound));
  Table table{.columns = {"layer"}};
  add_row(result, table, {"0"},
          {{"σ", mean(&CrossTerms::sigma)},
           {"|mean|/σ", mean(&CrossTerms::offset)},
           {"correlation of neighbours", mean(&CrossTerms::autocorrelation)},
           {"correlation with c", mean(&CrossTerms::dependence)},
           {"perturbation", mean(&CrossTerms::perturbation)},
           {"perturbation, shuffled", mean(&CrossTerms::shuffled)},
           {"σ√N/2", mean(&CrossTerms::bound)},
           {"perturbation / bound", share}});
  table.caption = fmt::format(
      "Means over {} examples with {} random queries and heads each, {:.0f} % asymptotic Student intervals.",
      examples.size(), rows_per_example, 100 * measure::confidence_level);
  result.text = fmt::format(
      "Boosting, Section 3.3 and Thm 3.2, on the first layer's trained projections. Tokens e and learned positions p "
      "are parted after the layer's norm, whose scale is that of the sum e + p; biases count to the tokens. c holds "
      "content with content and position with position, η the cross terms. The theorem takes η for independent noise "
      "of mean 0: here neighbours have correlation {}, |mean|/σ is {}, and the softmax moves by {} of the bound σ√N/2.",
      to_text(mean(&CrossTerms::autocorrelation)), to_text(mean(&CrossTerms::offset)), to_percent(share));
  result.tables.push_back(std::move(table));
  return result;
}

nlohmann::json measure_trained(const TrainedSample& sample, const std::string& checkpoint,
                               const std::function<void(const nlohmann::json&, std::size_t)>& finished) {
  const auto examples = evaluated_examples(sample.task, sample.examples);
  if (examples < 2)
    throw std::invalid_argument(fmt::format("{} examples of {} can be looked at; intervals need two", examples,
                                            sample.loaded.experiment.data.name));
  nlohmann::json measured = {{"checkpoint", checkpoint},
                             {"experiment", sample.loaded.experiment.canonical},
                             {"variant", sample.loaded.variant},
                             {"run_seed", sample.loaded.seed},
                             {"seed", sample.seed},
                             {"examples", examples},
                             {"measurements", nlohmann::json::array()}};
  const auto all = {measure_trained_noise, measure_trained_spectra, measure_trained_depth, measure_trained_jacobian,
                    measure_trained_cross_terms};
  for (const auto& measure : all) {
    measured["measurements"].push_back(to_json(measure(sample)));
    if (finished) finished(measured, all.size());
  }
  return measured;
}

}  // namespace attest::measure
