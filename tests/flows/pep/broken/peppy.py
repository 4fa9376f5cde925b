raise ModuleNotFoundError("No module named 'pandas'")
