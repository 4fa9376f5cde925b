# Depth, size, environment and the end: what crosses to python3 has the limits of the language and no others.
import pkgutil
import os
from argparse import Namespace

heapq = pkgutil.resolve_name("heapq")  # python3's own

space = Namespace()
space.text = "x" * 3000000
space.many = list(range(200000))
print(len(space.text), sum(space.many), space.many[-1])


def endless(n):
    return heapq.nlargest(1, [n], key=lambda m: endless(m + 1))


try:
    endless(0)
except RecursionError:
    print("too deep")
print(space.many[3])

calls = 0


def count(x):
    global calls
    calls += 1
    return -x


print(heapq.nlargest(2, range(3000), key=count), calls)

# What is kept over there and not too big stays one with ours.
config = {str(i): [i] for i in range(50)}
space.config = config
config["7"].append("more")
space.config["8"].append("there")
print(space.config["7"], config["8"])

# The environment and the current directory are those of one program.
import site

os.environ["FOREIGN_A"] = "set here"
print(site.os.environ["FOREIGN_A"])
site.os.environ["FOREIGN_B"] = "set there"
print(os.environ["FOREIGN_B"])
del os.environ["FOREIGN_A"]
print("FOREIGN_A" in site.os.environ)
site.os.chdir("/usr")
print(os.getcwd())
os.chdir("/")
print(site.os.getcwd())
try:
    site.sys.exit("over")
except SystemExit as error:
    print("exit", error.code)

# expect: 3000000 19999900000 199999
# expect: too deep
# expect: 3
# expect: [0, 1] 3000
# expect: [7, 'more'] [8, 'there']
# expect: set here
# expect: set there
# expect: False
# expect: /usr
# expect: /
# expect: exit over
