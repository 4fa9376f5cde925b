raise "text"
# expect error: TypeError: exceptions must derive from BaseException
