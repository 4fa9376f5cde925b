# Functions of ours in foreign threads that call foreign code themselves: every answer goes to who asked.
import fractions, gzip, os, tempfile
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import ThreadPool
def total(i):
    a = fractions.Fraction(1, i + 1)
    for k in range(10):
        a = a + fractions.Fraction(k, i + 2)
    return str(a)
def greatest(i):
    return max([fractions.Fraction(i, k + 1) for k in range(4)], key=lambda f: f)
def lines(path):
    with gzip.open(path, "rt") as f:
        if path.endswith("3.gz"):
            raise ValueError("three")
        return sum(1 for line in f)
with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(4) as pool:
    paths = [os.path.join(folder, "%d.gz" % i) for i in range(8)]
    for i, path in enumerate(paths):
        with gzip.open(path, "wt") as f:
            f.write("x\n" * (100 * i))
    print(list(pool.map(total, range(3)))) # expect: ['47/2', '31/2', '139/12']
    print([str(f) for f in pool.map(greatest, range(6))]) # expect: ['0', '1', '2', '3', '4', '5']
    for task in [pool.submit(lines, path) for path in paths]:
        print(task.exception() or task.result(), end=" ")
    print() # expect: 0 100 200 three 400 500 600 700 
    with ThreadPool(3) as threads:
        print(sorted(threads.imap_unordered(lines, paths[4:]))) # expect: [400, 500, 600, 700]
