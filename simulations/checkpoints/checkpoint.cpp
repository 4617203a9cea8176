#include "simulations/checkpoints/checkpoint.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/digest/sha256.hpp"
#include "kernels/files/whole_file.hpp"
#include "reports/files/atomic_file.hpp"
#include "simulations/arrays/array_file.hpp"
#include "simulations/arrays/safetensors.hpp"

namespace attest::checkpoints {
namespace {

using arrays::Array;
using arrays::NamedArrays;

constexpr const char* digest_name = "trainer.digest";
constexpr const char* counters_name = "trainer.counters";
constexpr std::size_t counters_size = 7;
constexpr std::size_t longest_quote = 60;

void put(NamedArrays& arrays, const std::string& prefix, const std::vector<ParameterSpec>& parameters,
         const Values& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    arrays.emplace(prefix + parameters[i].name,
                   arrays::floating_array<float>(parameters[i].shape, std::span<const float>(values[i])));
}

Array integers(const std::vector<std::int64_t>& values) {
  Array array{arrays::ElementType::int64, {static_cast<std::int64_t>(values.size())}, {}};
  array.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int64_t));  // NOLINT
  return array;
}

/// The digest as an array: one number a hexadecimal digit, so that any reader of the format can compare it.
Array digest_of(const NamedArrays& arrays, const std::string& belongs_to) {
  std::string all = belongs_to;
  for (const auto& [name, array] : arrays)
    all += fmt::format("\n{} {} {} ", name, arrays::name(array.type), arrays::shape_text(array.shape)) + array.bytes;
  std::vector<std::int64_t> digits;
  for (const char c : digest::sha256(all)) digits.push_back(c <= '9' ? c - '0' : c - 'a' + 10);
  return integers(digits);
}

Values take(const NamedArrays& arrays, const std::string& prefix, const std::vector<ParameterSpec>& parameters,
            const std::string& file) {
  Values values;
  for (const ParameterSpec& parameter : parameters) {
    const auto found = arrays.find(prefix + parameter.name);
    if (found == arrays.end() || found->second.shape != parameter.shape)
      throw std::invalid_argument(fmt::format("{} has no {} of the model's shape; it belongs to another model", file,
                                              arrays::quoted_name(prefix + parameter.name)));
    values.push_back(arrays::floating_values<float>(found->second));
  }
  return values;
}

std::string shape_numbers(const ModelShape& s) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {}", s.classes, s.rows, s.columns, s.channels, s.vocabulary, s.tokens,
                     s.dimensions, s.unequal ? 1 : 0, s.regression ? 1 : 0, s.per_token ? 1 : 0);
}

/// Errors: std::invalid_argument where they are not such numbers; `file` names the file.
ModelShape shape_of_numbers(const std::string& text, const std::string& file) {
  ModelShape s;
  std::istringstream numbers(text);
  numbers >> s.classes >> s.rows >> s.columns >> s.channels >> s.vocabulary >> s.tokens >> s.dimensions >> s.unequal >>
      s.regression;
  const bool read = !numbers.fail();
  numbers >> s.per_token;  // absent in older files: false
  if (!read || (numbers.fail() && !numbers.eof()))
    throw std::invalid_argument(fmt::format("{} is damaged: its shape, \"{}\", is not one that attest train writes",
                                            file, text.substr(0, longest_quote)));
  return s;
}

/// Errors: as above.
std::uint64_t seed_of(const std::string& text, const std::string& file) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("{} is damaged: its seed, \"{}\", is not a whole number below 2^64", file,
                                            text.substr(0, longest_quote)));
  return seed;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& file, const std::vector<ParameterSpec>& parameters,
                      const TrainerState& state, const std::string& belongs_to) {
  NamedArrays arrays;
  put(arrays, "weights.", parameters, state.weights);
  put(arrays, "adam.first.", parameters, state.first_moments);
  put(arrays, "adam.second.", parameters, state.second_moments);
  put(arrays, "best.", parameters, state.best_weights);
  arrays.emplace(counters_name,
                 integers({state.step, state.best_step, state.without_gain, state.stopped ? 1 : 0,
                           std::bit_cast<std::int64_t>(state.best_loss), std::bit_cast<std::int64_t>(state.data_order),
                           std::bit_cast<std::int64_t>(state.seconds)}));
  arrays.emplace(digest_name, digest_of(arrays, belongs_to));
  reports::write_file_atomically(file, arrays::safetensors_bytes(arrays));
}

std::optional<TrainerState> read_checkpoint(const std::filesystem::path& file,
                                            const std::vector<ParameterSpec>& parameters,
                                            const std::string& belongs_to) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  const std::string name = file.string();
  NamedArrays arrays = arrays::parse_safetensors(files::read_whole(file), name);
  const auto stored = arrays.find(digest_name);
  const auto counters = arrays.find(counters_name);
  if (stored == arrays.end() || counters == arrays.end())
    throw std::invalid_argument(fmt::format("{} is not a checkpoint of a training; move it away", name));
  const Array found = stored->second;
  arrays.erase(stored);
  if (found != digest_of(arrays, belongs_to))
    throw std::invalid_argument(
        fmt::format("{} is damaged or belongs to another experiment: its digest differs; delete it and resume", name));
  const std::vector<std::int64_t> numbers = arrays::integer_values(counters->second);
  if (numbers.size() != counters_size)
    throw std::invalid_argument(
        fmt::format("{} holds {} counters, where a checkpoint of this version has {}; delete it "
                    "and resume",
                    name, numbers.size(), counters_size));
  TrainerState state;
  state.step = numbers.at(0);
  state.best_step = numbers.at(1);
  state.without_gain = numbers.at(2);
  state.stopped = numbers.at(3) != 0;
  state.best_loss = std::bit_cast<double>(numbers.at(4));
  state.data_order = std::bit_cast<std::uint64_t>(numbers.at(5));
  state.seconds = std::bit_cast<double>(numbers.at(6));
  state.weights = take(arrays, "weights.", parameters, name);
  state.first_moments = take(arrays, "adam.first.", parameters, name);
  state.second_moments = take(arrays, "adam.second.", parameters, name);
  if (state.best_step >= 0) state.best_weights = take(arrays, "best.", parameters, name);
  return state;
}

void write_weights(const std::filesystem::path& file, const std::vector<ParameterSpec>& parameters,
                   const Values& weights, const WeightsOrigin& origin) {
  NamedArrays arrays;
  put(arrays, "", parameters, weights);
  reports::write_file_atomically(file, arrays::safetensors_bytes(arrays, {{"experiment", origin.experiment},
                                                                          {"variant", origin.variant},
                                                                          {"seed", fmt::format("{}", origin.seed)},
                                                                          {"shape", shape_numbers(origin.shape)}}));
}

WeightsOrigin read_weights_origin(const std::filesystem::path& file) {
  const auto strings = arrays::safetensors_metadata(files::read_whole(file), file.string());
  for (const char* key : {"experiment", "variant", "seed", "shape"})
    if (!strings.contains(key))
      throw std::invalid_argument(
          fmt::format("{} does not say what model it is of: name one of checkpoints/*.safetensors that attest train "
                      "wrote",
                      file.string()));
  return {strings.at("experiment"), strings.at("variant"), seed_of(strings.at("seed"), file.string()),
          shape_of_numbers(strings.at("shape"), file.string())};
}

Values read_weights(const std::filesystem::path& file, const std::vector<ParameterSpec>& parameters) {
  return take(arrays::parse_safetensors(files::read_whole(file), file.string()), "", parameters, file.string());
}

}  // namespace attest::checkpoints
