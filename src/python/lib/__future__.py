"""Names that `from __future__ import` may ask for; all of it is so already, or makes no difference here."""


class _Feature:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return "_Feature(%r)" % self.name


all_feature_names = ["nested_scopes", "generators", "division", "absolute_import", "with_statement",
                     "print_function", "unicode_literals", "barry_as_FLUFL", "generator_stop", "annotations"]
for _name in all_feature_names:
    globals()[_name] = _Feature(_name)
