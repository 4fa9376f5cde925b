def main():
    out = []
    for i in range(100000):
        text = "results/" + str(i) + "/sample.bam"
        parts = text.split("/")
        out.append("_".join(parts).replace(".bam", ".bai").upper())
        if text.startswith("results") and text.endswith(".bam"):
            out.append(text.strip("r"))
    return len("".join(out))


main()
