def main():
    t = 0
    for _ in range(200):
        squares = [x * x for x in range(2000) if x % 3]
        lookup = {x: x + 1 for x in squares}
        t += len({x % 100 for x in squares}) + len(lookup)
        t += sum(x for x in squares)
    return t


main()
