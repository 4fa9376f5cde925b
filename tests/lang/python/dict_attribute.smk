{"alpha": 1}.alpha
# expect error: AttributeError: 'dict' object has no attribute 'alpha'
# expect error: did you mean '["alpha"]'?
