#!/usr/bin/env python3
"""schema_check.py SCHEMA [LINES]: whether standard input is JSON of the form of a schema; says where not, and ends with 1.

With LINES each line is a document of its own. It knows the part of JSON Schema that docs/ uses, and fails on a keyword
that it does not know, so that no schema promises what is not checked.
"""
import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}
IGNORED = {"$schema", "$defs", "title", "description"}


def has_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def same(value, other):
    return value == other and isinstance(value, bool) == isinstance(other, bool)


class Checker:
    def __init__(self, schema):
        self.root = schema
        self.faults = []

    def fault(self, place, text):
        self.faults.append(f"{place or '/'}: {text}")

    def check(self, value, schema, place=""):
        for keyword, wanted in schema.items():
            if keyword in IGNORED:
                continue
            method = getattr(self, "check_" + keyword.strip("$"), None)
            if method is None:
                raise SystemExit(f"schema_check.py does not know the keyword {keyword}")
            method(value, wanted, place, schema)

    def check_ref(self, value, wanted, place, _schema):
        part = self.root
        for name in wanted.removeprefix("#/").split("/"):
            part = part[name]
        self.check(value, part, place)

    def check_type(self, value, wanted, place, _schema):
        names = wanted if isinstance(wanted, list) else [wanted]
        if not any(has_type(value, name) for name in names):
            self.fault(place, f"is {type(value).__name__}, not {' or '.join(names)}")

    def check_const(self, value, wanted, place, _schema):
        if not same(value, wanted):
            self.fault(place, f"is {value!r}, not {wanted!r}")

    def check_enum(self, value, wanted, place, _schema):
        if not any(same(value, choice) for choice in wanted):
            self.fault(place, f"is {value!r}, none of {wanted!r}")

    def check_anyOf(self, value, wanted, place, _schema):
        for choice in wanted:
            trial = Checker(self.root)
            trial.check(value, choice, place)
            if not trial.faults:
                return
        self.fault(place, f"is {value!r}, which fits no choice")

    def check_minimum(self, value, wanted, place, _schema):
        if has_type(value, "integer") and value < wanted:
            self.fault(place, f"is {value}, below {wanted}")

    def check_maximum(self, value, wanted, place, _schema):
        if has_type(value, "integer") and value > wanted:
            self.fault(place, f"is {value}, above {wanted}")

    def check_pattern(self, value, wanted, place, _schema):
        if isinstance(value, str) and not re.search(wanted, value):
            self.fault(place, f"is {value!r}, which does not match {wanted}")

    def check_items(self, value, wanted, place, _schema):
        for i, item in enumerate(value if isinstance(value, list) else []):
            self.check(item, wanted, f"{place}/{i}")

    def check_required(self, value, wanted, place, _schema):
        for name in wanted:
            if isinstance(value, dict) and name not in value:
                self.fault(place, f"has no {name}")

    def check_properties(self, value, wanted, place, _schema):
        for name, part in wanted.items():
            if isinstance(value, dict) and name in value:
                self.check(value[name], part, f"{place}/{name}")

    def check_additionalProperties(self, value, wanted, place, schema):
        if wanted is False and isinstance(value, dict):
            for name in value.keys() - schema.get("properties", {}).keys():
                self.fault(place, f"has {name}, which the schema does not know")


def main():
    with open(sys.argv[1], encoding="ascii") as file:
        checker = Checker(json.load(file))
    documents = sys.stdin.buffer.read()
    for document in documents.splitlines() if sys.argv[2:] == ["LINES"] else [documents]:
        if re.search(rb"[^\n -~]", document):
            checker.fault("", "is not plain ASCII")
        checker.check(json.loads(document), checker.root)
    print("\n".join(checker.faults))
    return 1 if checker.faults else 0


if __name__ == "__main__":
    sys.exit(main())
