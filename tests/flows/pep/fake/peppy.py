# As much of peppy as the test needs.
import csv
import json
import os


async def leave_to_python3():
    """Nothing: a file that has this is not run by the evaluator."""


class Sample(dict):
    def __getattr__(self, name):
        return self[name]


class Project:
    def __init__(self, cfg):
        with open(cfg) as file:
            self.config = json.load(file)
        with open(os.path.join(os.path.dirname(cfg), self.config["sample_table"])) as file:
            self.samples = [Sample(row) for row in csv.DictReader(file)]
        self.name = self.config["name"]
        self.sample_table = {key: [sample[key] for sample in self.samples] for key in self.samples[0]}

    def get_sample(self, name):
        return next(sample for sample in self.samples if sample.sample_name == name)
