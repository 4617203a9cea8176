#include "simulations/data/examples/describe_examples.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/text/numbers.hpp"

namespace attest::data {
namespace {

using nlohmann::json;

json label_rows(const std::vector<std::int32_t>& labels, const LabelVocabulary& classes) {
  json rows = json::array();
  const std::vector<std::int64_t> counts = count_labels(labels, classes.names.size());
  for (std::size_t i = 0; i < counts.size(); ++i) rows.push_back({{"label", classes.names[i]}, {"count", counts[i]}});
  return rows;
}

json describe(const LabelledImages& images) {
  if (images.count == 0) return nullptr;
  json means = json::array();
  json deviations = json::array();
  for (const ChannelMoments& moments : channel_moments(images)) {
    means.push_back(moments.mean);
    deviations.push_back(moments.deviation);
  }
  return {{"images", images.count},
          {"channels", images.channels},
          {"rows", images.rows},
          {"columns", images.columns},
          {"pixel_mean", std::move(means)},
          {"pixel_deviation", std::move(deviations)},
          {"labels", label_rows(images.labels, images.classes)}};
}

json describe(const SeriesSet& series) {
  if (series.count() == 0) return nullptr;
  json entry = {{"series", series.count()},
                {"dimensions", series.dimensions},
                {"shortest", *std::min_element(series.lengths.begin(), series.lengths.end())},
                {"longest", series.longest()},
                {"missing", std::count(series.observed.begin(), series.observed.end(), 0)}};
  if (!series.is_regression()) {
    entry["labels"] = label_rows(series.labels, series.classes);
    return entry;
  }
  double sum = 0;
  for (const double target : series.targets) sum += target;
  const auto [least, largest] = std::minmax_element(series.targets.begin(), series.targets.end());
  entry["target"] = {
      {"mean", sum / static_cast<double>(series.targets.size())}, {"least", *least}, {"largest", *largest}};
  return entry;
}

json describe(const LabelledTexts& texts) {
  if (texts.count() == 0) return nullptr;
  std::size_t bytes = 0;
  std::size_t shortest = texts.texts.front().size();
  std::size_t longest = 0;
  for (const std::string& text : texts.texts) {
    bytes += text.size();
    shortest = std::min(shortest, text.size());
    longest = std::max(longest, text.size());
  }
  return {{"texts", texts.count()},
          {"shortest", shortest},
          {"longest", longest},
          {"mean_bytes", static_cast<double>(bytes) / static_cast<double>(texts.count())},
          {"labels", label_rows(texts.labels, texts.classes)}};
}

json describe(const MaskedImages& pictures) {
  json entry = describe(pictures.images);
  if (entry.is_null()) return entry;
  std::vector<std::int64_t> counts(pictures.images.classes.names.size());
  std::int64_t none = 0;
  for (const std::uint8_t number : pictures.masks) ++(number == unlabelled ? none : counts.at(number));
  json rows = json::array();
  for (std::size_t i = 0; i < counts.size(); ++i)
    rows.push_back({{"label", pictures.images.classes.names[i]}, {"count", counts[i]}});
  entry["labels"] = std::move(rows);
  entry["unlabelled_pixels"] = none;
  return entry;
}

json describe(const LabelledPairs& pairs) {
  LabelledTexts both{pairs.first, pairs.labels, pairs.classes};
  json entry = describe(both);
  if (entry.is_null()) return entry;
  both.texts = pairs.second;
  const json second = describe(both);
  entry["pairs"] = pairs.count();
  entry["shortest"] = std::min(entry["shortest"].get<std::size_t>(), second["shortest"].get<std::size_t>());
  entry["longest"] = std::max(entry["longest"].get<std::size_t>(), second["longest"].get<std::size_t>());
  entry["mean_bytes"] = (entry["mean_bytes"].get<double>() + second["mean_bytes"].get<double>()) / 2;
  entry.erase("texts");
  return entry;
}

std::string numbers(const json& list) {
  std::string text;
  for (const json& number : list) text += fmt::format("{}{:.4f}", text.empty() ? "" : " ", number.get<double>());
  return text;
}

std::string summary(const json& part) {
  const auto integer = [&](const char* key) { return part.at(key).get<std::int64_t>(); };
  const auto counted = [&](const char* key, const char* noun) { return reports::counted(integer(key), noun); };
  if (part.contains("images")) {
    return fmt::format("{} of {} x {} pixels, {}; pixel mean {}, deviation {}", counted("images", "image"),
                       integer("rows"), integer("columns"), counted("channels", "channel"),
                       numbers(part.at("pixel_mean")), numbers(part.at("pixel_deviation")));
  }
  if (part.contains("series")) {
    return fmt::format("{} series of {}, {} to {}, {} missing",
                       reports::readable_count(part.at("series").get<double>()), counted("dimensions", "dimension"),
                       integer("shortest"), counted("longest", "step"), counted("missing", "value"));
  }
  const bool pairs = part.contains("pairs");
  return fmt::format(
      "{} of {} to {}, mean {:.1f}",
      pairs ? reports::counted(integer("pairs"), "pair of texts", "pairs of texts") : counted("texts", "text"),
      integer("shortest"), counted("longest", "byte"), part.at("mean_bytes").get<double>());
}

}  // namespace

json describe_examples(const Examples& examples) {
  return std::visit(
      [](const auto& splits) {
        json parts = json::array();
        const auto add = [&](const char* name, json part) {
          if (part.is_null()) return;
          part["name"] = name;
          parts.push_back(std::move(part));
        };
        add("train", describe(splits.train));
        add("validation", describe(splits.validation));
        add("test", describe(splits.test));
        return parts;
      },
      examples);
}

std::string example_lines(const json& parts) {
  std::string lines;
  for (const json& part : parts) {
    lines += fmt::format("  {}: {}\n", part.at("name").get<std::string>(), summary(part));
    if (part.contains("target")) {
      const json& target = part.at("target");
      lines += fmt::format("    target: mean {:.6g}, {:.6g} to {:.6g}\n", target.at("mean").get<double>(),
                           target.at("least").get<double>(), target.at("largest").get<double>());
      continue;
    }
    lines += "    by label:";
    for (const json& row : part.at("labels"))
      lines += fmt::format(" {}: {}", row.at("label").get<std::string>(),
                           reports::readable_count(row.at("count").get<double>()));
    lines += "\n";
  }
  return lines;
}

}  // namespace attest::data
