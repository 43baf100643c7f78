# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fits.py SCHEMA FILE: a JSON file follows a JSON schema.

jsonschema takes a millisecond for each event. A schema asks the same of each item of an array, so both ends of a long
one and a sample of the rest are enough; with NOPHOOK_LONG all items are looked at."""

import json
import os
import sys

import jsonschema

MANY, END, EACH = 2000, 500, 97


def shortened(value):
    if isinstance(value, dict):
        return {key: shortened(one) for key, one in value.items()}
    if not isinstance(value, list):
        return value
    if len(value) > MANY and not os.environ.get("NOPHOOK_LONG"):
        value = value[:END] + value[END:-END:EACH] + value[-END:]
    return [shortened(one) for one in value]


schema = json.load(open(sys.argv[1]))
validator = jsonschema.validators.validator_for(schema)
validator.check_schema(schema)
for error in validator(schema).iter_errors(shortened(json.load(open(sys.argv[2])))):
    sys.exit(f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
