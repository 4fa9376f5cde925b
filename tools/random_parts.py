# SPDX-License-Identifier: MIT
"""Parts of random workflows: a Snakefile that the one around it includes or uses as a module."""
from dataclasses import dataclass


@dataclass
class Part:
    kind: str  # include, module
    name: str
    path: str
    alias: str = "*"  # of its rules, where a module is used
    prefix: str = ""
    replaced: tuple = ()  # prefix of paths, what stands there instead
    exclude: str = ""
    config: str = "config: config"
    how: str = "all"  # all, each: one `use rule` for all or for each rule
    flags: str = ""
    override: object = None
    pathvars: bool = False  # in the statement, not in the part itself

    def moved(self, path):
        """A path of the part as those around it know it."""
        if path.startswith("..") or path.startswith("/"):
            return path
        if self.prefix:
            return f"{self.prefix}/{path}"
        if self.replaced and path.startswith(self.replaced[0]):
            return self.replaced[1] + path[len(self.replaced[0]):]
        return path

    def renamed(self, name):
        return self.alias.replace("*", name)

    def statement(self, rules, words):
        """The lines that bring it in; its RULES are used with these names, one with other WORDS."""
        path = self.path if self.name == "m" else "deep/part.smk"  # as seen from the Snakefile around it
        if self.kind == "include":
            return f'include: "{path}"\n'
        text = f'module {self.name}:\n    snakefile: "{path}"\n'
        text += f"    {self.config}\n" if self.config else ""
        text += f'    pathvars: res="var_{self.name}"\n' if self.pathvars else ""
        text += f'    prefix: "{self.prefix}"\n' if self.prefix else ""
        text += f'    replace_prefix: {{"{self.replaced[0]}": "{self.replaced[1]}"}}\n' if self.replaced else ""
        alias = f" as {self.alias}" if self.alias != "*" else ""
        exclude = f" exclude {self.exclude}" if self.exclude else ""
        if self.how == "each":
            text += "".join(f"use rule {name} from {self.name}{alias}\n" for name in rules)
        elif self.how == "list":
            text += f"use rule {', '.join(rules)} from {self.name}{alias}\n"
        else:
            text += f"use rule * from {self.name}{exclude}{alias}\n"
        if self.override and self.how == "all" and self.override.name != self.exclude:
            name = self.override.name
            text += f"use rule {name} from {self.name} as {self.renamed(name)} with:\n{words(self.override)}"
        return text


def random_part(rnd, kind, depth):
    name = ("m", "deep")[depth]
    part = Part(kind, name, ("parts/part.smk", "parts/deep/part.smk")[depth])
    if kind == "include":
        return part
    part.alias = rnd.choice([f"{name}_*", f"{name}_*", f"*_{name}", "*"])
    part.how = rnd.choice(["all", "all", "all", "each", "list"])
    part.config = rnd.choice(["config: config", "config: config", "config: {'val': 'own', 'w': [1]}"])
    move = rnd.random()
    if move < 0.35:
        part.prefix = f"pre{depth}"
    elif move < 0.6:
        part.replaced = rnd.choice([("out/", f"moved{depth}/"), ("r", f"R{depth}"), ("in/", f"src{depth}/")])
    return part
