# SPDX-License-Identifier: Apache-2.0
# `cmake --build --preset dev --target site` makes the pages of the documentation in build/dev/site. Warnings are errors.
find_program(SPHINX_PYTHON NAMES python3 HINTS /usr/bin NO_DEFAULT_PATH)
find_program(SPHINX_PYTHON NAMES python3)
set(site ${CMAKE_CURRENT_BINARY_DIR}/site)
set(docs_site ${CMAKE_CURRENT_SOURCE_DIR}/docs/site)
set(live ${CMAKE_CURRENT_BINARY_DIR}/live) # examples as pages of `limber view`, those that run in a few seconds
add_custom_target(site
  COMMAND ${CMAKE_COMMAND} -E env LIMBER=$<TARGET_FILE:limber> ${SPHINX_PYTHON}
          ${CMAKE_CURRENT_SOURCE_DIR}/docs/figures/gallery.py --quick --pages ${live}
  COMMAND ${SPHINX_PYTHON} ${docs_site}/stage.py ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/site_source
          ${live} ${generated_include}
  COMMAND ${CMAKE_COMMAND} -E env LIMBER_VERSION=${PROJECT_VERSION} ${SPHINX_PYTHON} -m sphinx -q -W --keep-going -b html
          -d ${CMAKE_CURRENT_BINARY_DIR}/site_cache ${CMAKE_CURRENT_BINARY_DIR}/site_source ${site}
  COMMAND ${CMAKE_COMMAND} -E echo "${site}/index.html"
  VERBATIM USES_TERMINAL COMMENT "Pages of the documentation")
