# How many parts there are counts where they are asked for.
scattergather:
    none=config.get("parts"),
    two=2,
    word="x",
    zero=0


print(gather.two("p{scatteritem}.txt"), scatter.zero("p{scatteritem}.txt"))  # expect: ['p1-of-2.txt', 'p2-of-2.txt'] []
try:
    scatter.none("p{scatteritem}.txt")
except TypeError as error:
    print("refused")  # expect: refused
scatter.word("p{scatteritem}.txt")
# expect error: TypeError
