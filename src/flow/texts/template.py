# The script of a template_engine rule; `engine` is set in front of it.


def render():
    if len(snakemake.output) != 1:
        raise ValueError("More than one output file specified for template_engine rule.")
    if len(snakemake.input) == 1:
        template = snakemake.input[0]
    elif hasattr(snakemake.input, "template"):
        template = snakemake.input.template
    else:
        raise ValueError("A template_engine rule with several input files needs one named 'template'.")
    names = {name: getattr(snakemake, name) for name in ("params", "wildcards", "config", "input")}
    if engine == "jinja2":
        import jinja2

        with open(template) as source:
            text = jinja2.Template(source.read()).render(**names)
        with open(snakemake.output[0], "w") as out:
            out.write(text)
    else:
        raise ValueError(f"Unsupported template engine {engine}: there are yte and jinja2.")


try:
    render()
except ImportError as error:
    raise SystemExit(f"The template engine {engine} is not installed in this Python: {error}")
