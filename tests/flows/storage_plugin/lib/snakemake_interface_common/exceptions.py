class WorkflowError(Exception):
    def __init__(self, *parts):
        super().__init__("\n".join(p if isinstance(p, str) else f"{type(p).__name__}: {p}" for p in parts))
