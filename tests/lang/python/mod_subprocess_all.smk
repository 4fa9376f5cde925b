# Running programs.
import os
import subprocess

def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
R = subprocess.run
t(lambda: R(["echo", "hi"], capture_output=True, text=True))
t(lambda: R("echo $0 err >&2; exit 3", shell=True, capture_output=True))
t(lambda: R("exit 3", shell=True, check=True))
t(lambda: R(["nope-x"]))
t(lambda: R(["ls"], cwd="/nope"))
t(lambda: R("kill -9 $$", shell=True, check=True))
t(lambda: R(["cat"], input="abc", text=True, stdout=subprocess.PIPE).stdout)
t(lambda: R(["cat"], input=b"abc", stdout=subprocess.PIPE).stdout)
t(lambda: subprocess.check_output(["echo", "x"]))
t(lambda: subprocess.check_output("echo a; echo b >&2; false", shell=True, stderr=subprocess.STDOUT, text=True))
t(lambda: subprocess.check_call(["false"]))
t(lambda: subprocess.call(["true"]))
t(lambda: subprocess.getoutput("echo a; echo b"))
t(lambda: subprocess.getstatusoutput("exit 4"))
t(lambda: R(["env"], env={"A": "1"}, capture_output=True, text=True).stdout)
t(lambda: R("echo $A", shell=True, env={**os.environ, "A": "2"}, capture_output=True, text=True, executable="/bin/bash").stdout)
def p():
    with subprocess.Popen(["sort"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as q:
        q.stdin.write("b\na\n"); q.stdin.close()
        return [l for l in q.stdout], q.wait(), q.returncode
t(p)
def p2():
    a = subprocess.Popen(["printf", "z\\ny\\n"], stdout=subprocess.PIPE)
    b = subprocess.Popen(["sort"], stdin=a.stdout, stdout=subprocess.PIPE)
    a.stdout.close()
    return b.communicate(), a.poll() in (None, 0)
t(p2)
def p3():
    with open("o.txt", "w") as f: R(["echo", "file"], stdout=f)
    return open("o.txt").read()
t(p3)
t(lambda: R(["true"], capture_output=True, stdout=1))
t(lambda: R(["cat"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode)
t(lambda: R([]))
t(lambda: R([3]))
e = subprocess.CalledProcessError(2, ["a", "b"], output="o", stderr="e")
print(e, repr(e), e.stdout, e.cmd, e.returncode)
t(lambda: R(["printf", "a\\r\\nb"], capture_output=True, text=True).stdout)
t(lambda: R(["printf", "\\377"], capture_output=True, text=True).stdout)
t(lambda: len(R("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2", shell=True, capture_output=True).stderr))
# expect: CompletedProcess(args=['echo', 'hi'], returncode=0, stdout='hi\n', stderr='')
# expect: CompletedProcess(args='echo $0 err >&2; exit 3', returncode=3, stdout=b'', stderr=b'/bin/sh err\n')
# expect: CalledProcessError Command 'exit 3' returned non-zero exit status 3.
# expect: FileNotFoundError [Errno 2] No such file or directory: 'nope-x'
# expect: FileNotFoundError [Errno 2] No such file or directory: '/nope'
# expect: CalledProcessError Command 'kill -9 $$' died with <Signals.SIGKILL: 9>.
# expect: abc
# expect: b'abc'
# expect: b'x\n'
# expect: CalledProcessError Command 'echo a; echo b >&2; false' returned non-zero exit status 1.
# expect: CalledProcessError Command '['false']' returned non-zero exit status 1.
# expect: 0
# expect: a
# expect: b
# expect: (4, '')
# expect: A=1
# expect: 
# expect: 2
# expect: 
# expect: (['a\n', 'b\n'], 0, 0)
# expect: ((b'y\nz\n', None), True)
# expect: file
# expect: 
# expect: ValueError stdout and stderr arguments may not be used with capture_output.
# expect: 0
# expect: IndexError list index out of range
# expect: TypeError expected str, bytes or os.PathLike object, not int
# expect: Command '['a', 'b']' returned non-zero exit status 2. CalledProcessError(2, ['a', 'b']) o ['a', 'b'] 2
# expect: a
# expect: b
# expect: UnicodeDecodeError 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte
# expect: 300000
