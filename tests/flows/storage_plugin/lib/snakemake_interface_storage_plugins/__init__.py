"""A stand-in, see snakemake_interface_common."""
