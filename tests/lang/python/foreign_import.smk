# Every shape of the import statement, from modules that only python3 has.
import xml.dom.minidom
import xml.etree.ElementTree as ET
import concurrent.futures, importlib.metadata
from fractions import *
from xml import sax
from xml.sax.saxutils import escape as quoted, unescape
from urllib import request
import urllib.parse

print(xml.dom.minidom.parseString("<a><b/></a>").documentElement.tagName, ET.Element("x").tag, quoted("<"), unescape("&lt;"))
print(Fraction(1, 2), sax.__name__, request.__name__, urllib.parse.quote("a b"), xml.sax.__name__, xml.etree.__name__)
print(concurrent.futures.Future().done(), callable(importlib.metadata.version))


def late():
    import decimal

    return decimal.Decimal("0.1") + decimal.Decimal("0.2")


print(late(), type(late()).__module__, late.__name__)
try:
    import xml.nothing
except ModuleNotFoundError as error:
    print(error)
try:
    from xml import nothing
except ImportError as error:
    print("no such name")
statistics = __import__("statistics")
print(statistics.mode("aab"), __import__("xml.dom").__name__)
module = importlib.import_module("colorsys")
print(module.rgb_to_hsv(1, 0, 0))

# expect: a x &lt; <
# expect: 1/2 xml.sax urllib.request a%20b xml.sax xml.etree
# expect: False True
# expect: 0.3 decimal late
# expect: No module named 'xml.nothing'
# expect: no such name
# expect: a xml
# expect: (0.0, 1.0, 1)
