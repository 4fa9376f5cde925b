# As much of eido as the test needs; the evaluator runs this file itself.
import json


class EidoValidationError(Exception):
    pass


def validate_project(project, schema):
    with open(schema) as file:
        samples = json.load(file)["properties"]["samples"]
    known = samples["items"]["properties"]["organism"]["enum"]
    for sample in project.samples:
        if sample.organism not in known:
            raise EidoValidationError(f"'{sample.organism}' is not one of {known} in {sample.sample_name}")
