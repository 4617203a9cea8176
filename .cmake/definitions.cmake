# definitions_of(PREFIX TYPE FUNCTION FOLDER FILE...): the definitions in FOLDER/*.cpp, of which FILE.cpp defines
#   TYPE definitions::FUNCTION();
# where FUNCTION holds the file's name in the place of the word FILE: in the order of the files that are named here, and
# after them those that are not, by name. So one more is one more file. Sets PREFIX_sources, PREFIX_declarations and
# PREFIX_calls.
function(definitions_of prefix type function folder)
  file(GLOB found CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/${folder} ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  list(SORT found)
  list(TRANSFORM found REPLACE "\\.cpp$" "")
  set(files ${ARGN} ${found})
  list(REMOVE_DUPLICATES files)
  set(sources)
  foreach(file IN LISTS files)
    list(APPEND sources ${folder}/${file}.cpp)
    string(REPLACE "FILE" "${file}" name "${function}")
    string(APPEND declarations "${type} ${name}();\n")
    string(APPEND calls "\n          definitions::${name}(),")
  endforeach()
  set(${prefix}_sources ${sources} PARENT_SCOPE)
  set(${prefix}_declarations "${declarations}" PARENT_SCOPE)
  set(${prefix}_calls "${calls}" PARENT_SCOPE)
endfunction()
