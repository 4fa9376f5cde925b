class ConfigError(Exception):
    pass
class Missing(ConfigError):
    def __init__(self, key):
        super().__init__(f"missing {key}")
        self.key = key
try:
    raise Missing("samples")
except ConfigError as e:
    print(e, e.key, type(e).__name__, isinstance(e, Exception))
# expect: missing samples samples Missing True
