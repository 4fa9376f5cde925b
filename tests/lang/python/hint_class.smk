# A misspelt attribute of a class.
# ours only: Python words the hint in another way
class Scan:
    planes = 9


Scan.plains
# expect error: AttributeError: type object 'Scan' has no attribute 'plains'
# expect error: did you mean 'planes'?
