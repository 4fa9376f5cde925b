{[1]: 2}
# expect error: TypeError: unhashable type: 'list'
