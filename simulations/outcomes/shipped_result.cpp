#include "simulations/outcomes/shipped_result.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/digest/seal.hpp"
#include "kernels/files/whole_file.hpp"
#include "kernels/names/plain_reason.hpp"
#include "kernels/names/whole_number.hpp"

namespace attest::outcomes {
namespace {

using nlohmann::ordered_json;

Provenance provenance_of(const ordered_json& json) {
  return {json.at("command"), json.at("commit"), json.at("machine"), json.at("date"), json.at("data_digest")};
}

std::int64_t seeds_of(const ordered_json& summary, const std::string& source) {
  const ordered_json& seeds =
      summary.contains("seeds") ? summary.at("seeds") : summary.at("variants").at(0).at("seeds");
  return names::whole_number<std::int64_t>(seeds, "'seeds' of " + source);
}

}  // namespace

ordered_json json_of(const Provenance& p) {
  return {{"command", p.command},
          {"commit", p.commit},
          {"machine", p.machine},
          {"date", p.date},
          {"data_digest", p.data_digest}};
}

ShippedResult shipped_from_summary(const ordered_json& summary, const std::string& name, const std::string& source) {
  try {
    const std::string schema = summary.at("schema");
    if (schema != "attest-training-1" && schema != "attest-skills-1")
      throw std::invalid_argument(
          fmt::format("{} has the schema {}: give the summary.json of attest train", source, schema));
    ShippedResult result{.name = name,
                         .title = summary.at("title"),
                         .provenance = provenance_of(summary.at("provenance")),
                         .seeds = seeds_of(summary, source),
                         .seconds = summary.at("seconds").get<double>(),
                         .summary = summary};
    for (const char* shown : {"provenance", "tables", "figures"}) result.summary.erase(shown);
    return result;
  } catch (const ordered_json::exception& failure) {
    throw std::invalid_argument(fmt::format("{} is not a summary of this version's attest train: {}", source,
                                            names::plain_reason(failure.what())));
  }
}

std::string shipped_text(const ShippedResult& r) {
  ordered_json document = {{"schema", shipped_schema}, {"name", r.name}, {"title", r.title}};
  document.update(json_of(r.provenance));
  document["seeds"] = r.seeds;
  document["seconds"] = r.seconds;
  document["summary"] = r.summary;
  return digest::sealed(document.dump(1));
}

ShippedResult parse_shipped(const std::string& text, const std::string& source) {
  switch (digest::seal_of(text)) {
    case digest::Seal::holds:
      break;
    case digest::Seal::broken:
      throw std::invalid_argument(
          fmt::format("{} was changed after it was written: its digest is of another text; take it from git again, or "
                      "make it anew by its command and attest results --add",
                      source));
    case digest::Seal::absent:
      throw std::invalid_argument(fmt::format(
          "{} carries no digest: it is not a result that attest results wrote, or its end is missing", source));
  }
  try {
    const ordered_json json = ordered_json::parse(text);
    if (json.at("schema") != shipped_schema)
      throw std::invalid_argument(
          fmt::format("{} has the schema {}; this version reads {}", source, json.at("schema").dump(), shipped_schema));
    return {.name = json.at("name"),
            .title = json.at("title"),
            .provenance = provenance_of(json),
            .seeds = names::whole_number<std::int64_t>(json.at("seeds"), "'seeds' of " + source),
            .seconds = json.at("seconds").get<double>(),
            .summary = json.at("summary")};
  } catch (const ordered_json::exception& failure) {
    throw std::invalid_argument(
        fmt::format("{} is not a result that ships: {}", source, names::plain_reason(failure.what())));
  }
}

std::vector<ShippedResult> read_shipped_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<ShippedResult> results;
  for (const auto& file : files) results.push_back(parse_shipped(files::read_whole(file), file.string()));
  return results;
}

}  // namespace attest::outcomes
