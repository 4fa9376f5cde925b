# A misspelt name in an import.
# ours only: Python words the hint in another way
from os.path import basenmae
# expect error: ImportError: cannot import name 'basenmae' from 'os.path'
# expect error: did you mean 'basename'?
