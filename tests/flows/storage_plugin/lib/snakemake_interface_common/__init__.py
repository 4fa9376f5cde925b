"""A stand-in: as much of the interface's package as the plugin beside it uses, for machines that lack it."""
