import json


class Encoder(json.JSONEncoder):
    def default(self, o):
        return sorted(o) if isinstance(o, set) else super().default(o)


class D(dict): pass
class I(int): pass
class S(str): pass


loop = []
loop.append({"again": loop})


def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, e)



t(lambda: json.dumps({'s': {3, 1}}, cls=Encoder))  # expect: '{"s": [1, 3]}'
t(lambda: json.dumps({'s': 1j}, cls=Encoder))  # expect: TypeError Object of type complex is not JSON serializable
t(lambda: json.dumps({1}, default=list))  # expect: '[1]'
t(lambda: json.dumps({1}, default=lambda o: o))  # expect: ValueError Circular reference detected
t(lambda: json.dumps(loop))  # expect: ValueError Circular reference detected
t(lambda: json.JSONEncoder(indent=1).encode([1]))  # expect: '[\n 1\n]'
t(lambda: json.JSONEncoder(sort_keys=True).encode({'b': 1, 'a': 2}))  # expect: '{"a": 2, "b": 1}'
t(lambda: ''.join(json.JSONEncoder().iterencode([1, {}])))  # expect: '[1, {}]'
t(lambda: json.JSONDecoder().decode('[1]'))  # expect: [1]
t(lambda: json.JSONDecoder().raw_decode('[1] x'))  # expect: ([1], 3)
t(lambda: json.JSONDecoder().raw_decode('é {} x', 2))  # expect: ({}, 4)
t(lambda: json.JSONDecoder(object_hook=len).decode('[{}, {"a": 1}]'))  # expect: [0, 1]
t(lambda: json.loads('{"a": {"b": 1}}', object_hook=lambda d: sorted(d)))  # expect: ['a']
t(lambda: json.loads('{"a": 1, "a": {}}', object_pairs_hook=lambda d: d))  # expect: [('a', 1), ('a', [])]
t(lambda: json.loads('[1.5, 2, NaN]', parse_float=str, parse_int=lambda x: x + '!', parse_constant=lambda x: 'C' + x))  # expect: ['1.5', '2!', 'CNaN']
t(lambda: json.loads('"a\tb"', strict=False))  # expect: 'a\tb'
t(lambda: json.loads('[1]', cls=json.JSONDecoder))  # expect: [1]
t(lambda: json.loads(b'{"a": "\xc3\xa9"}'))  # expect: {'a': 'é'}
t(lambda: json.loads(b'\xef\xbb\xbf1'))  # expect: 1
t(lambda: json.loads(1))  # expect: TypeError the JSON object must be str, bytes or bytearray, not int
t(lambda: json.loads(None))  # expect: TypeError the JSON object must be str, bytes or bytearray, not NoneType
t(lambda: json.dumps([D(a=1), I(3), S('x'), True]))  # expect: '[{"a": 1}, 3, "x", true]'
t(lambda: issubclass(json.JSONDecodeError, ValueError))  # expect: True
t(lambda: json.JSONDecodeError('bad', 'a\nbc', 3).lineno)  # expect: 2
t(lambda: json.decoder.JSONDecodeError is json.JSONDecodeError)  # expect: True
