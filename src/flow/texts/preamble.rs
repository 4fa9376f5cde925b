json_typegen::json_typegen!("Snakemake", r###"@json@"###, {
    "/bench_iteration": { "use_type": "Option<usize>" },
    "/input/positional": { "use_type": "Vec<String>" },
    "/output/positional": { "use_type": "Vec<String>" },
    "/log/positional": { "use_type": "Vec<String>" },
    "/wildcards/positional": { "use_type": "Vec<String>" },
});

pub struct Iter<'a, T>(std::slice::Iter<'a, T>);
impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}
macro_rules! as_list {
    ($($part:ty),+) => {$(
        impl IntoIterator for $part {
            type Item = String;
            type IntoIter = std::vec::IntoIter<String>;
            fn into_iter(self) -> Self::IntoIter {
                self.positional.into_iter()
            }
        }
        impl<'a> IntoIterator for &'a $part {
            type Item = &'a String;
            type IntoIter = Iter<'a, String>;
            fn into_iter(self) -> Self::IntoIter {
                Iter(self.positional.iter())
            }
        }
        impl std::ops::Index<usize> for $part {
            type Output = String;
            fn index(&self, index: usize) -> &String {
                &self.positional[index]
            }
        }
    )+};
}
as_list!(Input, Output, Wildcards, Log);

impl Snakemake {
    fn log_file<P: AsRef<std::path::Path>>(path: P) -> anyhow::Result<std::fs::File> {
        Ok(std::fs::OpenOptions::new().truncate(true).read(true).create(true).write(true).open(path)?)
    }
    #[allow(dead_code)]
    fn redirect_stderr<P: AsRef<std::path::Path>>(&self, path: P) -> anyhow::Result<gag::Redirect<std::fs::File>> {
        Ok(gag::Redirect::stderr(Self::log_file(path)?)?)
    }
    #[allow(dead_code)]
    fn redirect_stdout<P: AsRef<std::path::Path>>(&self, path: P) -> anyhow::Result<gag::Redirect<std::fs::File>> {
        Ok(gag::Redirect::stdout(Self::log_file(path)?)?)
    }
}

lazy_static::lazy_static! {
    #[allow(non_upper_case_globals)]
    static ref snakemake: Snakemake =
        serde_json::from_str(r###"@json@"###).expect("what Snakemake says of the job cannot be read");
}
