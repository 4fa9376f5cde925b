def main():
    t = 0
    for i in range(2000000):
        if i % 3 == 0 or i % 5 == 0:
            t += i
        elif i > 10:
            t -= 1
    i = 0
    while i < 1000000:
        i += 1
    numbers = list(range(200000))
    numbers.sort(key=lambda n: -n)
    return t + numbers[0]


main()
