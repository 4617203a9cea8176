#include "simulations/judge/target/message.hpp"

#include <bit>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "kernels/names/plain_reason.hpp"
#include "kernels/names/whole_number.hpp"

namespace attest::judge {
namespace {

using arrays::Array;
using arrays::ElementType;

constexpr ElementType all_types[] = {ElementType::boolean, ElementType::int32,    ElementType::int64,
                                     ElementType::float16, ElementType::bfloat16, ElementType::float32,
                                     ElementType::float64};

ElementType type_named(const std::string& text) {
  for (const ElementType type : all_types)
    if (arrays::name(type) == text) return type;
  throw std::invalid_argument("an array of the type '" + text + "'");
}

/// The header, with its length before it.
std::string framed_header(nlohmann::json header, const arrays::NamedArrays& arrays) {
  header["arrays"] = nlohmann::json::array();
  for (const auto& [name, array] : arrays)
    header["arrays"].push_back(
        {{"name", name}, {"dtype", arrays::name(array.type)}, {"shape", array.shape}, {"bytes", array.bytes.size()}});
  const std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::uint64_t length = text.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + text;
}

std::string framed(nlohmann::json header, const arrays::NamedArrays& arrays) {
  std::string bytes = framed_header(std::move(header), arrays);
  for (const auto& [name, array] : arrays) bytes += array.bytes;
  return bytes;
}

nlohmann::json header_of(const Request& request) {
  nlohmann::json header = {{"options", request.options}, {"layout", name(request.layout)}};
  if (request.far) header["far"] = true;
  return header;
}

std::size_t byte_count_of(const nlohmann::json& entry) {
  return names::whole_number<std::size_t>(entry.at("bytes"), "'bytes' of an array");
}

arrays::NamedArrays arrays_from(const nlohmann::json& header, std::string_view payload) {
  arrays::NamedArrays arrays;
  for (const nlohmann::json& entry : header.at("arrays")) {
    const auto name = entry.at("name").get<std::string>();
    Array array{type_named(entry.at("dtype").get<std::string>()), {}, {}};
    for (const nlohmann::json& extent : entry.at("shape"))
      array.shape.push_back(names::whole_number<std::int64_t>(extent, "an extent of '" + name + "'"));
    const auto count = byte_count_of(entry);
    if (count > payload.size() || arrays::byte_count(array.shape, array.type) != count)
      throw std::invalid_argument("the bytes of '" + name + "' do not fit its shape");
    array.bytes = payload.substr(0, count);
    payload.remove_prefix(count);
    arrays[name] = std::move(array);
  }
  return arrays;
}

template <typename Body>
auto guarded(const Body& body) {
  try {
    return body();
  } catch (const nlohmann::json::exception& error) {
    throw std::invalid_argument(std::string("a message's header is damaged: ") + names::plain_reason(error.what()));
  }
}

}  // namespace

std::string message_of(const Request& request) { return framed(header_of(request), request.arrays); }

std::string message_beside(const Request& request) { return framed_header(header_of(request), request.arrays); }

std::string message_of(const Answer& answer) {
  nlohmann::json header = {{"status", answer.ok()                               ? "answered"
                                      : answer.status == Answer::Status::absent ? "absent"
                                                                                : "raised"},
                           {"message", answer.message}};
  header["changed"] = answer.changed;
  header["overrun"] = answer.overrun;
  header["unusable"] = answer.unusable;
  return framed(std::move(header), answer.arrays);
}

std::size_t payload_bytes(const nlohmann::json& header) {
  return guarded([&] {
    std::size_t sum = 0;
    for (const nlohmann::json& entry : header.at("arrays")) sum += byte_count_of(entry);
    return sum;
  });
}

Answer answer_from(const nlohmann::json& header, std::string_view payload) {
  return guarded([&] {
    Answer answer;
    const auto status = header.at("status").get<std::string>();
    answer.status = status == "answered" ? Answer::Status::answered
                    : status == "raised" ? Answer::Status::raised
                    : status == "absent" ? Answer::Status::absent
                                         : Answer::Status::malformed;
    answer.message = header.value("message", "");
    answer.arrays = arrays_from(header, payload);
    if (header.contains("unusable")) header.at("unusable").get_to(answer.unusable);
    if (header.contains("changed")) header.at("changed").get_to(answer.changed);
    answer.overrun = header.value("overrun", false);
    return answer;
  });
}

Request request_from(const nlohmann::json& header, std::string_view payload) {
  return guarded([&] {
    return Request{arrays_from(header, payload), header.at("options"),
                   layout_named(header.value("layout", std::string(name(Layout::packed)))), header.value("far", false)};
  });
}

}  // namespace attest::judge
