#include "simulations/data/examples/describe.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/text/numbers.hpp"
#include "simulations/data/catalogue/catalogue.hpp"
#include "simulations/data/catalogue/downloads.hpp"
#include "simulations/data/examples/describe_examples.hpp"
#include "simulations/data/examples/load_examples.hpp"
#include "simulations/data/text/text.hpp"

namespace attest::data {
namespace {

using nlohmann::json;

json describe_images(const IdxImages& images) {
  const PixelMoments moments = pixel_moments(images);
  return {{"images", images.count},
          {"rows", images.rows},
          {"columns", images.columns},
          {"pixel_mean", moments.mean},
          {"pixel_deviation", moments.deviation},
          {"blank_share", moments.blank_share}};
}

json describe_labels(const std::vector<std::uint8_t>& labels) {
  std::map<int, std::int64_t> counts;
  for (const std::uint8_t label : labels) ++counts[label];
  json rows = json::array();
  for (const auto& [label, count] : counts) rows.push_back({{"label", label}, {"images", count}});
  return rows;
}

json describe_text(const std::string& text) {
  constexpr std::size_t most_frequent = 10;
  const std::vector<std::string> tokens = word_tokens(text);
  const std::unordered_set<std::string_view> distinct(tokens.begin(), tokens.end());
  json frequent = json::array();
  if (!tokens.empty()) {
    const Vocabulary vocabulary = build_vocabulary(tokens, most_frequent, 1);
    for (std::size_t i = 0; i < vocabulary.words.size(); ++i) {
      frequent.push_back({{"word", vocabulary.words[i]}, {"count", vocabulary.counts[i]}});
    }
  }
  return {{"bytes", text.size()},
          {"lines", std::count(text.begin(), text.end(), '\n')},
          {"words", tokens.size()},
          {"distinct_words", distinct.size()},
          {"most_frequent", std::move(frequent)}};
}

json describe_part(std::string_view part, const Data& data) {
  json entry = std::holds_alternative<IdxImages>(data.content) ? describe_images(std::get<IdxImages>(data.content))
                                                               : describe_text(std::get<std::string>(data.content));
  entry["name"] = part;
  entry["file"] = data.origin;
  return entry;
}

}  // namespace

json list_data(const std::filesystem::path& data_dir) {
  json list = json::array();
  for (const DataSet& entry : catalogue()) {
    json folders = json::array();
    for (const auto& folder : search_folders(entry, data_dir)) folders.push_back(folder.string());
    json downloads = json::array();
    for (const Download& download : downloads_of(entry.name)) {
      downloads.push_back({{"url", download.url},
                           {"file", download.file},
                           {"sha256", download.sha256.empty() ? json() : json(download.sha256)},
                           {"sha256_source", download.sha256.empty() ? "sha256 unknown; printed after download"
                                                                     : download.sha256_source}});
    }
    list.push_back({{"name", entry.name},
                    {"title", entry.title},
                    {"format", format_name(entry.format)},
                    {"available", is_available(entry, data_dir)},
                    {"folders", std::move(folders)},
                    {"packages", entry.packages},
                    {"downloads", std::move(downloads)},
                    {"source", entry.source}});
  }
  return list;
}

json describe_data(const std::string& name_or_path, const std::filesystem::path& data_dir) {
  const DataSet* data_set = find_data_set(name_or_path);
  std::error_code error;
  if (data_set == nullptr && !std::filesystem::exists(name_or_path, error)) throw_unknown(name_or_path);
  const DataFormat format = data_set != nullptr ? data_set->format : format_of(name_or_path);
  if (format != DataFormat::idx_images && format != DataFormat::text && format != DataFormat::bible_program) {
    return {{"name", data_set != nullptr ? data_set->name : std::filesystem::path(name_or_path).filename().string()},
            {"title", data_set != nullptr ? data_set->title : ""},
            {"format", format_name(format)},
            {"examples", describe_examples(load_examples(name_or_path, data_dir))}};
  }
  const Data first = load_data(name_or_path, data_dir, false);
  json parts = json::array();
  if (data_set == nullptr || data_set->parts.empty()) {
    parts.push_back(describe_part("all", first));
  } else {
    for (const DataPart& part : data_set->parts) {
      const auto file = find_data_file(*data_set, part.file, data_dir);
      if (!file) continue;
      const Data data = file->string() == first.origin ? first : load_data(file->string(), data_dir, false);
      json entry = describe_part(part.name, data);
      const auto labels = part.labels.empty() ? std::nullopt : find_data_file(*data_set, part.labels, data_dir);
      if (labels && std::holds_alternative<IdxImages>(data.content)) {
        entry["labels"] = describe_labels(read_idx_labels(*labels, std::get<IdxImages>(data.content).count,
                                                          data_set->classes.empty() ? 10 : data_set->classes.size()));
      }
      parts.push_back(std::move(entry));
    }
  }
  return {{"name", first.name},
          {"title", data_set != nullptr ? data_set->title : ""},
          {"format", format_name(format)},
          {"parts", std::move(parts)}};
}

std::string list_lines(const json& list) {
  std::string lines;
  for (const json& entry : list) {
    const auto packages = entry.at("packages").get<std::string>();
    std::string state = "there";
    if (!entry.at("available").get<bool>()) {
      state = !packages.empty()                ? "missing: install " + packages
              : !entry.at("downloads").empty() ? "missing: attest data fetch " + entry.at("name").get<std::string>()
                                               : "missing: name its folder with --data-dir or ATTEST_DATA";
    }
    lines += fmt::format("{:<30} {} ({})\n", entry.at("name").get<std::string>(), entry.at("title").get<std::string>(),
                         state);
  }
  return lines;
}

std::string describe_lines(const json& description) {
  std::string lines =
      fmt::format("{}: {}\n", description.at("name").get<std::string>(), description.at("format").get<std::string>());
  if (description.contains("examples")) return lines + example_lines(description.at("examples"));
  for (const json& part : description.at("parts")) {
    lines += fmt::format("  {} ({})\n", part.at("name").get<std::string>(), part.at("file").get<std::string>());
    if (part.contains("images")) {
      lines += fmt::format(
          "    {} of {} x {} pixels; pixel mean {:.4f}, deviation {:.4f}; {:.1f} % of the pixels are 0\n",
          reports::counted(part.at("images").get<std::int64_t>(), "image"), part.at("rows").get<std::int64_t>(),
          part.at("columns").get<std::int64_t>(), part.at("pixel_mean").get<double>(),
          part.at("pixel_deviation").get<double>(), 100 * part.at("blank_share").get<double>());
      if (part.contains("labels")) {
        lines += "    images by label:";
        for (const json& row : part.at("labels")) {
          lines += fmt::format(" {}: {}", row.at("label").get<int>(),
                               reports::readable_count(row.at("images").get<double>()));
        }
        lines += "\n";
      }
    } else {
      lines += fmt::format(
          "    {}, {}, {}, {} distinct; most frequent:", reports::counted(part.at("bytes").get<std::int64_t>(), "byte"),
          reports::counted(part.at("lines").get<std::int64_t>(), "line"),
          reports::counted(part.at("words").get<std::int64_t>(), "word"),
          reports::readable_count(part.at("distinct_words").get<double>()));
      for (const json& row : part.at("most_frequent")) {
        lines += fmt::format(" {} ({})", row.at("word").get<std::string>(),
                             reports::readable_count(row.at("count").get<double>()));
      }
      lines += "\n";
    }
  }
  return lines;
}

}  // namespace attest::data
