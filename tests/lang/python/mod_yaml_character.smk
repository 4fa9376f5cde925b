# Where a character stands that no YAML has: counted in characters, not in bytes.
import yaml

try:
    yaml.safe_load("üü: \x01")
except yaml.reader.ReaderError as e:
    print(e.position, e.reason)  # expect: 4 special characters are not allowed
