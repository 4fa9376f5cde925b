# Told once, at its own place, though it is caught and another one failed in the meantime.
try:
    configfile: "missing.yaml"
except Exception:
    try:
        include: "missing.smk"
    except Exception:
        pass
    raise
# expect error: WorkflowError: Workflow defines configfile missing.yaml but it is not present
