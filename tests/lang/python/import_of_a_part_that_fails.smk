# A part of a package that cannot be imported says why; one that is not there is a missing name.
import sys
import tempfile
from pathlib import Path

folder = tempfile.TemporaryDirectory()
package = Path(folder.name, "package_with_parts")
package.mkdir()
(package / "__init__.py").write_text("")
(package / "broken.py").write_text("import no_such_module_anywhere\n")
sys.path.insert(0, folder.name)
for part in "broken", "absent":
    try:
        exec(f"from package_with_parts import {part}")
    except ImportError as error:
        print(type(error).__name__, str(error).partition(" here,")[0])

# expect: ModuleNotFoundError No module named 'no_such_module_anywhere'
# expect: ImportError cannot import name 'absent' from 'package_with_parts'
