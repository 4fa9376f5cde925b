import glob, os, shutil
os.makedirs("d/sub", exist_ok=True)
for n in ["a.txt", "b.txt", "sub/c.txt"]:
    with open("d/" + n, "w") as f:
        f.write(n)
shutil.copy("d/a.txt", "d/z.md")
print(sorted(glob.glob("d/*.txt")), sorted(glob.glob("d/**/*.txt", recursive=True)), sorted(os.listdir("d")))
shutil.rmtree("d/sub")
os.remove("d/z.md")
print([sorted(files) for _, _, files in os.walk("d")], os.path.isfile("d/a.txt"), os.path.getsize("d/a.txt"))
# expect: ['d/a.txt', 'd/b.txt'] ['d/a.txt', 'd/b.txt', 'd/sub/c.txt'] ['a.txt', 'b.txt', 'sub', 'z.md']
# expect: [['a.txt', 'b.txt']] True 5
