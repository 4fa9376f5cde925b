shell("echo x\x00y")
# expect error: ValueError: embedded null byte
