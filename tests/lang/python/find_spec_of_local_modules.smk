# importlib.util.find_spec() finds what the workflow could import, its own modules, too.
# file lib/helpers_here.py: X = 1
import sys
import importlib.util
from importlib.util import find_spec

print(find_spec("helpers_here"))  # expect: None
sys.path.insert(0, "lib")
print(find_spec("helpers_here") is not None, importlib.util.find_spec("helpers_here").name)  # expect: True helpers_here
print({name: bool(find_spec(name)) for name in ["csv", "no_such_module_a"]})  # expect: {'csv': True, 'no_such_module_a': False}
