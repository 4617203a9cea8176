#include "simulations/arrays/safetensors.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/text/numbers.hpp"

namespace attest::arrays {
namespace {

using Json = nlohmann::json;

constexpr std::size_t length_bytes = 8;
constexpr std::size_t largest_header = 100'000'000;
constexpr std::string_view metadata = "__metadata__";

constexpr std::array<std::pair<std::string_view, ElementType>, 7> element_types = {{{"BOOL", ElementType::boolean},
                                                                                    {"I32", ElementType::int32},
                                                                                    {"I64", ElementType::int64},
                                                                                    {"F16", ElementType::float16},
                                                                                    {"BF16", ElementType::bfloat16},
                                                                                    {"F32", ElementType::float32},
                                                                                    {"F64", ElementType::float64}}};

[[noreturn]] void refuse(const std::string& place, std::string_view what) {
  throw std::invalid_argument(fmt::format("{} {}", place, what));
}

/// The header as JSON; nlohmann's own parser would let the last of two equal names win.
Json parse_header(std::string_view text, const std::string& file) {
  std::vector<std::set<std::string>> names;  // one set an open object
  const auto note_names = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) names.emplace_back();
    if (event == Json::parse_event_t::object_end) names.pop_back();
    if (event == Json::parse_event_t::key && !names.back().insert(parsed.get<std::string>()).second)
      refuse(file, fmt::format("names {} twice in its header; give each array a name of its own",
                               quoted_name(parsed.get<std::string>())));
    return true;
  };
  Json header;
  try {
    header = Json::parse(text, note_names);
  } catch (const Json::exception&) {
    refuse(file, "is not a .safetensors file: its header is not valid JSON; save it again");
  }
  // The format demands the brace first and allows blanks only after it.
  if (!header.is_object() || !text.starts_with('{'))
    refuse(file, "has a header that is not a JSON object; save it again");
  return header;
}

std::vector<std::int64_t> whole_numbers(const Json& list, const std::string& place, std::string_view key) {
  std::vector<std::int64_t> numbers;
  if (!list.is_array()) refuse(place, fmt::format("lacks {} in the header; save it again", key));
  for (const Json& entry : list) {
    constexpr std::uint64_t largest = std::uint64_t{1} << 62U;
    if (!entry.is_number_unsigned() || entry.get<std::uint64_t>() > largest)
      refuse(place, fmt::format("has {} that are not whole numbers from 0 on; save it again", key));
    numbers.push_back(entry.get<std::int64_t>());
  }
  return numbers;
}

/// One array as the header has it.
struct Extent {
  std::size_t begin = 0, end = 0;
  std::string name;
  ElementType type = ElementType::float64;
  std::vector<std::int64_t> shape;
};

Extent parse_extent(const std::string& array_name, const Json& entry, const std::string& place) {
  if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") || !entry.contains("shape") ||
      !entry.contains("data_offsets") || !entry["dtype"].is_string())
    refuse(place, "has not dtype, shape and data_offsets alone in the header; save it again");
  const auto type_name = entry["dtype"].get<std::string>();
  const auto* known = std::find_if(element_types.begin(), element_types.end(),
                                   [&](const auto& type) { return type.first == type_name; });
  if (known == element_types.end())
    refuse(place, fmt::format("has the element type {}; save it as F16, BF16, F32, F64, BOOL, I32 or I64",
                              quoted_name(type_name)));
  Extent extent{0, 0, array_name, known->second, whole_numbers(entry["shape"], place, "extents")};
  const auto offsets = whole_numbers(entry["data_offsets"], place, "offsets");
  const auto expected = byte_count(extent.shape, extent.type);
  if (offsets.size() != 2 || offsets[0] > offsets[1] || !expected ||
      static_cast<std::size_t>(offsets[1] - offsets[0]) != *expected)
    refuse(place, fmt::format("has offsets that do not hold {} {}; save it again", name(extent.type),
                              shape_text(extent.shape)));
  extent.begin = static_cast<std::size_t>(offsets[0]);
  extent.end = static_cast<std::size_t>(offsets[1]);
  return extent;
}

std::string place_of(const std::string& file, const std::string& array) {
  return fmt::format("{}: array {}", file, quoted_name(array));
}

std::vector<Extent> parse_extents(const Json& header, const std::string& file) {
  std::vector<Extent> extents;
  for (const auto& [key, entry] : header.items()) {
    if (key != metadata) {
      extents.push_back(parse_extent(key, entry, place_of(file, key)));
    } else if (!entry.is_object() ||
               !std::all_of(entry.begin(), entry.end(), [](const Json& value) { return value.is_string(); })) {
      refuse(file, "has __metadata__ that does not map strings to strings; save it again");
    }
  }
  std::sort(extents.begin(), extents.end(), [](const Extent& a, const Extent& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  return extents;
}

/// A file's header, and what follows it.
struct Opened {
  Json header;
  std::string_view data;
};

Opened open_safetensors(std::string_view bytes, const std::string& file) {
  if (bytes.size() < length_bytes) refuse(file, "is cut short in its header's length; save it again");
  std::uint64_t header_length = 0;
  for (std::size_t i = length_bytes; i-- > 0;)
    header_length = header_length << 8U | static_cast<std::uint8_t>(bytes[i]);
  if (header_length > largest_header)
    refuse(file, fmt::format("is not a .safetensors file: its header would be {} bytes long, more than the format's {}",
                             header_length, largest_header));
  if (bytes.size() - length_bytes < header_length) refuse(file, "is cut short in its header; save it again");
  return {parse_header(bytes.substr(length_bytes, header_length), file), bytes.substr(length_bytes + header_length)};
}

}  // namespace

NamedArrays parse_safetensors(std::string_view bytes, const std::string& file) {
  const auto [header, data] = open_safetensors(bytes, file);

  NamedArrays arrays;
  std::size_t reached = 0;
  for (const Extent& extent : parse_extents(header, file)) {
    const std::string place = place_of(file, extent.name);
    if (extent.begin < reached) refuse(place, "overlaps another array; save it again");
    if (extent.begin > reached)
      refuse(place, fmt::format("leaves {} before it unused; save it again",
                                reports::counted(static_cast<std::int64_t>(extent.begin - reached), "byte")));
    if (extent.end > data.size())
      refuse(place, fmt::format("is cut short: it ends {} after the end of the file; save it again",
                                reports::counted(static_cast<std::int64_t>(extent.end - data.size()), "byte")));
    reached = extent.end;
    Array array{extent.type, extent.shape, std::string(data.substr(extent.begin, extent.end - extent.begin))};
    if (array.type == ElementType::boolean &&
        std::any_of(array.bytes.begin(), array.bytes.end(), [](char c) { return c < 0 || c > 1; }))
      refuse(place, "holds a boolean that is neither 0 nor 1; save it again");
    arrays.emplace(extent.name, std::move(array));
  }
  if (reached != data.size())
    refuse(file, fmt::format("has {} left over after its last array; save it again",
                             reports::counted(static_cast<std::int64_t>(data.size() - reached), "byte")));
  return arrays;
}

std::map<std::string, std::string> safetensors_metadata(std::string_view bytes, const std::string& file) {
  const Json header = open_safetensors(bytes, file).header;
  parse_extents(header, file);  // for its checks
  return header.contains(std::string(metadata))
             ? header[std::string(metadata)].get<std::map<std::string, std::string>>()
             : std::map<std::string, std::string>();
}

std::string safetensors_bytes(const NamedArrays& arrays, const std::map<std::string, std::string>& strings) {
  std::vector<const NamedArrays::value_type*> order;
  for (const auto& entry : arrays) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return size_of(a->second.type) > size_of(b->second.type); });
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!strings.empty()) header[std::string(metadata)] = strings;
  std::size_t reached = 0;
  for (const auto* entry : order) {
    const auto& [name, array] = *entry;
    if (name == metadata) throw std::invalid_argument("an array in .safetensors cannot be called __metadata__");
    const auto* type = std::find_if(element_types.begin(), element_types.end(),
                                    [&type = array.type](const auto& known) { return known.second == type; });
    header[name] = {
        {"dtype", type->first}, {"shape", array.shape}, {"data_offsets", {reached, reached + array.bytes.size()}}};
    reached += array.bytes.size();
  }
  std::string text = header.dump();
  text.append((length_bytes - text.size() % length_bytes) % length_bytes, ' ');
  std::string bytes;
  bytes.reserve(length_bytes + text.size() + reached);
  for (std::size_t i = 0; i < length_bytes; ++i) bytes += static_cast<char>(text.size() >> (8U * i) & 0xffU);
  bytes += text;
  for (const auto* entry : order) bytes += entry->second.bytes;
  return bytes;
}

}  // namespace attest::arrays
