open("no/such/file")
# expect error: FileNotFoundError: [Errno 2] No such file or directory: 'no/such/file'
