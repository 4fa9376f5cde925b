#!/usr/bin/env rust-script
//! A script.
//! ```cargo
//! [dependencies]
//! csv = "1.1"
//! ```

fn main() {
    std::fs::write(&snakemake.output[0], "rust\n").unwrap();
}
