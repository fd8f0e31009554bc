#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The schema for editors: every good model file keeps it, mistakes that an editor can see break it; and the reference
# page is what `describe` prints. `cli_schema.sh --write` writes the page anew.
modules='jsonschema, yaml'
. "$(dirname "$0")/support.bash"
schema=$try/schema.json
cd "$source" || exit 1
"$limber" schema >"$schema"

keep() { # keep WHETHER FILE...: names the files that keep the schema (1) or do not (0)
  "$python" - "$schema" "$@" <<'P'
import json, sys, yaml, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
checker, wanted = jsonschema.Draft7Validator(schema), sys.argv[2] == "1"
for path in sys.argv[3:]:
    errors = sorted(checker.iter_errors(yaml.safe_load(open(path))), key=str)
    if (not errors) == wanted: print(path)
    if errors and not wanted: print("  " + errors[0].message[:200])
P
}
# A file without `run` is a part that models include.
good=$(for file in $(grep -l '^run:' examples/*/*.yaml tests/models/*.yaml tests/models/lint/*.yaml); do
         if [[ $file != */expected.yaml ]]; then echo "$file"; fi; done)
verdict every_example_keeps_the_schema "$(keep 0 $good)" ""
broken=tests/models/broken
verdict an_editor_sees_wrong_fields_kinds_and_types "$(keep 1 $broken/{unknown_field,unknown_kind,unknown_part,missing_field,list_for_map,map_for_list,scheme_unknown,node_kind,two_in_one_entry}.yaml)" ""

if [[ ${1-} == --write ]]; then "$limber" describe --markdown >docs/reference.md; fi
verdict the_reference_page_is_what_describe_prints "$("$limber" describe --markdown; echo "exit $?")" "$(cat docs/reference.md; echo "exit 0")"

finish
