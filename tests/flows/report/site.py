import os

os.makedirs(snakemake.output[0])
with open(os.path.join(snakemake.output[0], "index.html"), "w") as page:
    href = snakemake.report_href("pages").child_path("p1.html").anchor("top")
    print(f'<script src="app.js"></script><a href="{href}">p1</a>', file=page)
with open(os.path.join(snakemake.output[0], "app.js"), "w") as script:
    print("1", file=script)
