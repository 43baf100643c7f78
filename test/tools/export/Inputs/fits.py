# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fits.py SCHEMA FILE: a JSON file follows a JSON schema."""

import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)
for error in validator(schema).iter_errors(json.load(open(sys.argv[2]))):
    sys.exit(f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
