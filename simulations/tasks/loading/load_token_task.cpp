#include "simulations/tasks/loading/load_token_task.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "reports/text/numbers.hpp"
#include "simulations/data/examples/generate_examples.hpp"
#include "simulations/data/examples/language_text.hpp"
#include "simulations/data/examples/load_examples.hpp"
#include "simulations/data/text/listops.hpp"
#include "simulations/data/text/listops_generator.hpp"
#include "simulations/experiment/held_out.hpp"

namespace attest::tasks {

using experiment::data_seed;
using experiment::GeneratedCounts;
namespace {

namespace fs = std::filesystem;
using data::LabelledTexts;
using data::Splits;
using data::TokenUnit;
using data::TokenVocabulary;

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument(sentence); }

data::PartCounts part_counts(const DataSpec& data) {
  const GeneratedCounts n = generated_counts(data);
  return {n.train, n.validation, n.test};
}

data::PassageOptions passage_options(const DataSpec& data) {
  data::PassageOptions options;
  if (data.longest > 0) options.bytes = static_cast<std::size_t>(data.longest);
  return options;
}

Splits<LabelledTexts> texts_of(const DataSpec& data, const fs::path& data_dir) {
  if (data.name == "testaments-generated") return data::passages(part_counts(data), passage_options(data), data_seed);
  if (data.name != "listops-generated") return as_wanted(data::load_texts(data.name, data_dir), data);
  const GeneratedCounts n = generated_counts(data);
  return data::generate_listops({.train = n.train,
                                 .validation = n.validation,
                                 .test = n.test,
                                 .deepest = static_cast<std::size_t>(data.deepest),
                                 .most_arguments = static_cast<std::size_t>(data.arguments),
                                 .above = static_cast<std::size_t>(data.above),
                                 .below = static_cast<std::size_t>(data.below)},
                                data_seed);
}

/// ListOps is the one set whose texts begin with its operators.
bool is_listops(const LabelledTexts& texts) {
  const TokenVocabulary vocabulary = data::listops_vocabulary();
  return std::any_of(vocabulary.tokens.begin(), vocabulary.tokens.begin() + 4, [&](const std::string& operator_name) {
    return texts.texts.front().starts_with(operator_name + " ");
  });
}

/// Words are those of the training part; the others are <unk>.
TokenVocabulary vocabulary_of(const Splits<LabelledTexts>& splits, const DataSpec& data) {
  if (is_listops(splits.train)) return data::listops_vocabulary();
  const TokenUnit unit = data::token_unit(data.unit);
  if (unit == TokenUnit::byte) return data::byte_vocabulary();
  std::string all;
  for (const LabelledTexts* part : {&splits.train, &splits.validation, &splits.test}) {
    if (unit == TokenUnit::word && part != &splits.train) break;
    for (const std::string& text : part->texts) all += text + "\n";
  }
  return unit == TokenUnit::word ? data::word_vocabulary(all, static_cast<std::size_t>(data.words))
                                 : data::character_vocabulary(all);
}

/// Appends one text's tokens to the part; at most `data.longest` of them where that is not 0.
void append_tokens(const std::string& text, const std::string& place, const DataSpec& data,
                   const TokenVocabulary& vocabulary, Part& part) {
  auto tokens = vocabulary.encode(text, place);
  if (data.longest > 0) tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(data.longest)));
  part.sequences.push_back(std::move(tokens));
}

/// Fills the task's parts from those of the data, and notes the longest sequence and whether lengths differ.
template <typename Texts, typename Fill>
void fill_parts(const Splits<Texts>& splits, const Fill& fill, Task& task) {
  fill(splits.train, task.train);
  fill(splits.validation, task.validation);
  fill(splits.test, task.test);
  std::size_t longest = 0, shortest = SIZE_MAX;
  for (const Part* part : {&task.train, &task.validation, &task.test})
    for (const auto& sequence : part->sequences) {
      longest = std::max(longest, sequence.size());
      shortest = std::min(shortest, sequence.size());
    }
  task.shape.tokens = static_cast<Index>(longest);
  task.shape.unequal = shortest < longest;
}

}  // namespace

Task load_language_task(const DataSpec& data, Index context, const fs::path& data_dir) {
  data::LanguageText text =
      data::load_language_text(data.name, data::token_unit(data.unit),
                               {.train = data.train_share, .validation = data.validation_share}, data_dir);
  Task task;
  task.context = context;
  task.shape.classes = static_cast<Index>(text.vocabulary.tokens.size());
  task.train.tokens = std::move(text.tokens.train);
  task.validation.tokens = std::move(text.tokens.validation);
  task.test.tokens = std::move(text.tokens.test);
  task.vocabulary = std::move(text.vocabulary);
  for (const Part* part : {&task.train, &task.validation})
    if (part->tokens.size() <= static_cast<std::size_t>(context))
      refuse(fmt::format("{} has {} in a part, too few for a context of {}", data.name,
                         reports::counted(std::ssize(part->tokens), data.unit), context));
  return task;
}

Task load_pairs_task(const DataSpec& data, const fs::path& data_dir) {
  const auto splits = data.name == "book-pairs-generated"
                          ? data::passage_pairs(part_counts(data), passage_options(data), data_seed)
                          : as_wanted(data::load_pairs(data.name, data_dir), data);
  if (splits.train.count() == 0) refuse(fmt::format("{} leaves no pair to train on", data.name));
  if (data.unit != "byte")
    refuse(fmt::format("pairs of texts are read byte by byte: give data.unit = \"byte\" instead of {}", data.unit));
  Task task;
  task.vocabulary = data::byte_vocabulary();
  task.shape.vocabulary = static_cast<Index>(task.vocabulary.tokens.size());
  task.shape.classes = static_cast<Index>(splits.train.classes.names.size());
  const auto fill = [&](const data::LabelledPairs& pairs, Part& part) {
    for (std::size_t i = 0; i < pairs.count(); ++i)
      for (const auto* texts : {&pairs.first, &pairs.second}) {
        append_tokens((*texts)[i], fmt::format("{}, pair {}", data.name, i + 1), data, task.vocabulary, part);
      }
    part.labels = pairs.labels;
  };
  fill_parts(splits, fill, task);
  return task;
}

Task load_sequence_task(const DataSpec& data, const fs::path& data_dir) {
  const Splits<LabelledTexts> splits = texts_of(data, data_dir);
  if (splits.train.count() == 0) refuse(fmt::format("{} leaves no example to train on", data.name));
  Task task;
  task.vocabulary = vocabulary_of(splits, data);
  task.shape.vocabulary = static_cast<Index>(task.vocabulary.tokens.size());
  task.shape.classes = static_cast<Index>(splits.train.classes.names.size());
  const auto fill = [&](const LabelledTexts& texts, Part& part) {
    for (std::size_t i = 0; i < texts.count(); ++i) {
      append_tokens(texts.texts[i], fmt::format("{}, text {}", data.name, i + 1), data, task.vocabulary, part);
    }
    part.labels = texts.labels;
  };
  fill_parts(splits, fill, task);
  return task;
}

}  // namespace attest::tasks
