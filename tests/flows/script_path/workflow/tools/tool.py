NAME = "a tool"
