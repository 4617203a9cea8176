# embed_files(RESULT NAME FILE...): a source, whose path RESULT becomes, that holds the files as they stand, for each
# from `NAME_0` to `NAME_0_end` and so on. The assembler reads them: a changed file costs neither a run of CMake nor one
# of the compiler over the text.
function(embed_files result name)
  set(source ${CMAKE_BINARY_DIR}/generated/embedded/${name}.cpp)
  set(content "// Made by .cmake/embed.cmake.\n")
  set(number 0)
  foreach(file IN LISTS ARGN)
    set(symbol ${name}_${number})
    string(APPEND content
      "__asm__(\".pushsection .rodata, \\\"a\\\"\\n.globl ${symbol}\\n${symbol}:\\n.incbin \\\"${file}\\\"\\n\"\n"
      "        \".globl ${symbol}_end\\n${symbol}_end:\\n.byte 0\\n.popsection\\n\");\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${source} CONTENT "${content}" @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${ARGN}" SKIP_PRECOMPILE_HEADERS ON)
  set(${result} ${source} PARENT_SCOPE)
endfunction()
