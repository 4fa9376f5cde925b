"""The text that a file begins with."""
print(__doc__)  # expect: The text that a file begins with.
import os, sys, tempfile

with tempfile.TemporaryDirectory() as folder:
    for name, text in ("kf_with_doc", "'''Of the module.'''\nSAID = __doc__, __file__\n"), ("kf_without", "SAID = __doc__\n"):
        with open(os.path.join(folder, name + ".py"), "w") as file:
            file.write(text)
    sys.path.insert(0, folder)
    import kf_with_doc, kf_without

    print(kf_with_doc.__doc__, kf_with_doc.SAID[0], os.path.basename(kf_with_doc.SAID[1]))
    print(kf_without.__doc__, kf_without.SAID)
# expect: Of the module. Of the module. kf_with_doc.py
# expect: None None
