def main():
    out = []
    for i in range(300000):
        out.append(f"{i}_{i + 1:04d}.{i!r}.txt")
        out.append(f"results/{i}/a_{i}.bam")
    return len("".join(out))


main()
