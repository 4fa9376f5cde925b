import csv
with open("t.tsv", "w") as f:
    f.write("sample\tunit\nA\t1\nB\t\"x y\"\n")
with open("t.tsv") as f:
    print(list(csv.reader(f, delimiter="\t")))  # expect: [['sample', 'unit'], ['A', '1'], ['B', 'x y']]
with open("t.tsv") as f:
    print([row["unit"] for row in csv.DictReader(f, delimiter="\t")])  # expect: ['1', 'x y']
