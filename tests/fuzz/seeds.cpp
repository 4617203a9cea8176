#include "tests/fuzz/seeds.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "kernels/files/whole_file.hpp"

namespace attest::fuzz {

namespace fs = std::filesystem;

std::vector<std::string> contents(const fs::path& folder, const std::string& ending, std::size_t most) {
  std::vector<std::string> texts;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ending) texts.push_back(files::read_whole(entry.path()));
  std::sort(texts.begin(), texts.end(),
            [](const auto& a, const auto& b) { return std::pair(a.size(), a) < std::pair(b.size(), b); });
  texts.resize(std::min(most, texts.size()));
  return texts;
}

std::vector<std::string> papers_of_one_claim(const fs::path& folder, std::size_t most_files) {
  constexpr std::string_view key = "\nclaim ";
  std::vector<std::string> papers;
  for (const std::string& text : contents(folder, ".attest", most_files)) {
    const std::string head = text.substr(0, text.find('\n') + 1);
    for (std::size_t at = text.find(key); at != std::string::npos;) {
      const std::size_t next = text.find(key, at + 1);
      papers.push_back(head + text.substr(at, next - at));
      at = next;
    }
  }
  return papers;
}

std::vector<std::string> records_of_one_claim(const std::string& record) {
  const auto whole = nlohmann::ordered_json::parse(record);
  const auto &claims = whole.at("claims"), &measurements = whole.at("measurements");
  std::vector<std::string> records;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    auto one = whole;
    one["claims"] = nlohmann::ordered_json::array({claims[i]});
    one["measurements"] = nlohmann::ordered_json::array();
    if (i % 2 == 0) one["measurements"].push_back(measurements[i / 2 % measurements.size()]);
    records.push_back(one.dump(1));
  }
  return records;
}

namespace {

void shorten_lists(nlohmann::ordered_json& json, std::size_t most) {
  if (json.is_array() && json.size() > most) json.erase(json.begin() + static_cast<std::ptrdiff_t>(most), json.end());
  if (json.is_structured())
    for (auto& entry : json) shorten_lists(entry, most);
}

}  // namespace

std::string with_short_lists(const std::string& text, std::size_t most) {
  auto json = nlohmann::ordered_json::parse(text);
  shorten_lists(json, most);
  return json.dump(1);
}

std::string first_lines(const std::string& table, std::size_t bytes) {
  return table.substr(0, table.rfind('\n', bytes) + 1);
}

}  // namespace attest::fuzz
