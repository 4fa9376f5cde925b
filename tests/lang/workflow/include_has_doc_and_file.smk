"""Of the main file."""
include: os.path.join(os.getcwd(), "b.smk")
# expect: Of the included file. b.smk
print(__doc__, folder_of() == os.path.dirname(__file__), os.path.basename(__file__))  # expect: Of the included file. True include_has_doc_and_file.smk
# file b.smk: """Of the included file."""\nprint(__doc__, os.path.basename(__file__))\ndef folder_of():\n    return os.path.dirname(__file__)\n
