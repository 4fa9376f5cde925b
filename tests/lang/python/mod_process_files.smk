import subprocess, shlex, os, tempfile, shutil, socket, getpass, uuid, platform, sys
print(subprocess.run(["echo","hi"],capture_output=True), subprocess.check_output("echo a b; echo c", shell=True, text=True), subprocess.check_output(["cat"],input=b"xyz"))
print(subprocess.run("exit 3",shell=True), subprocess.call(["true"]), subprocess.run(["cat"],input="line\n",text=True,stdout=subprocess.PIPE).stdout)
for f in (lambda: subprocess.check_call(["false"]), lambda: subprocess.run(["nope-x"]), lambda: subprocess.run("kill -9 $$",shell=True,check=True), lambda: subprocess.run(["ls"],cwd="/nonexistent"), lambda: subprocess.check_output("echo out; echo err >&2; exit 2", shell=True, stderr=subprocess.STDOUT)):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
try: subprocess.check_output("echo out; exit 2", shell=True)
except subprocess.CalledProcessError as e: print(e.output, e.returncode, e.cmd, e.stdout, e.stderr)
p=subprocess.Popen(["sh","-c","read x; echo got $x; echo e >&2"],stdin=subprocess.PIPE,stdout=subprocess.PIPE,stderr=subprocess.PIPE,text=True)
print(p.communicate("foo\n"), p.returncode)
p=subprocess.Popen(["printf","a\\nb\\n"],stdout=subprocess.PIPE,text=True)
for line in p.stdout: print(line.rstrip())
print(p.wait(), p.poll())
with subprocess.Popen(["sleep","10"]) as p: p.terminate(); print(p.wait())
print(subprocess.run(["env"],env={"A":"1"},capture_output=True,text=True).stdout, subprocess.getoutput("echo q"), subprocess.getstatusoutput("exit 4"))
big=subprocess.run(["cat"],input=b"x"*1000000,capture_output=True).stdout; print(len(big))
print(shlex.split("a 'b c' \"d \\\" e\" f\\ g ''"), shlex.quote("a b"), shlex.quote("ok.txt"), shlex.quote(""), shlex.quote("it's"), shlex.join(["a","b c"]))
try: shlex.split("'a")
except ValueError as e: print(e)
with tempfile.TemporaryDirectory() as d:
    a=os.path.join(d,"a"); open(a,"w").write("hello"); print(os.path.isdir(d), os.path.basename(shutil.copy(a,os.path.join(d,"b"))))
    os.chmod(a,0o640); shutil.copy2(a,d+"/c"); print(oct(os.stat(d+"/c").st_mode&0o777), os.stat(a).st_mtime==os.stat(d+"/c").st_mtime)
    os.makedirs(d+"/t/u"); open(d+"/t/u/f.txt","w").write("x"); open(d+"/t/g.log","w").write("y"); shutil.copytree(d+"/t",d+"/t2",ignore=shutil.ignore_patterns("*.log")); print(sorted(os.listdir(d+"/t2")), os.listdir(d+"/t2/u"))
    shutil.move(d+"/t2",d+"/t"); print(sorted(os.listdir(d+"/t"))); shutil.rmtree(d+"/t"); print(os.path.exists(d+"/t"))
    try: shutil.copyfile(a,a)
    except shutil.SameFileError as e: print("same")
    try: shutil.rmtree(d+"/none")
    except FileNotFoundError as e: print(e.strerror)
    shutil.rmtree(d+"/none",ignore_errors=True)
    os.makedirs(d+"/src/x"); open(d+"/src/x/1","w").write("1"); n=shutil.make_archive(d+"/arc","gztar",d+"/src"); shutil.unpack_archive(n,d+"/un"); print(os.listdir(d+"/un/x"), os.path.basename(n))
    fd,path=tempfile.mkstemp(suffix=".x",dir=d); os.write(fd,b"q"); os.close(fd); print(path.endswith(".x"), open(path).read())
    with tempfile.NamedTemporaryFile("w",dir=d,delete=False) as f: f.write("zz")
    print(open(f.name).read())
    with tempfile.NamedTemporaryFile("w+") as f: f.write("zz"); f.flush(); nm=f.name; print(os.path.exists(nm)); 
    print(os.path.exists(nm))
print(os.path.exists(d), shutil.which("sh") is not None, shutil.which("nope-x"), socket.gethostname()==platform.node(), isinstance(getpass.getuser(),str), platform.system(), platform.machine() == subprocess.getoutput("uname -m"))
u=uuid.uuid4(); print(len(str(u)), u.version, uuid.UUID("12345678123456781234567812345678"), uuid.uuid5(uuid.NAMESPACE_DNS,"python.org"), uuid.uuid3(uuid.NAMESPACE_URL,"x"), repr(uuid.UUID(int=5)))

# expect: CompletedProcess(args=['echo', 'hi'], returncode=0, stdout=b'hi\n', stderr=b'') a b
# expect: c
# expect:  b'xyz'
# expect: CompletedProcess(args='exit 3', returncode=3) 0 line
# expect:
# expect: CalledProcessError Command '['false']' returned non-zero exit status 1.
# expect: FileNotFoundError [Errno 2] No such file or directory: 'nope-x'
# expect: CalledProcessError Command 'kill -9 $$' died with <Signals.SIGKILL: 9>.
# expect: FileNotFoundError [Errno 2] No such file or directory: '/nonexistent'
# expect: CalledProcessError Command 'echo out; echo err >&2; exit 2' returned non-zero exit status 2.
# expect: b'out\n' 2 echo out; exit 2 b'out\n' None
# expect: ('got foo\n', 'e\n') 0
# expect: a
# expect: b
# expect: 0 0
# expect: -15
# expect: A=1
# expect:  q (4, '')
# expect: 1000000
# expect: ['a', 'b c', 'd " e', 'f g', ''] 'a b' ok.txt '' 'it'"'"'s' a 'b c'
# expect: No closing quotation
# expect: True b
# expect: 0o640 True
# expect: ['u'] ['f.txt']
# expect: ['g.log', 't2', 'u']
# expect: False
# expect: same
# expect: No such file or directory
# expect: ['1'] arc.tar.gz
# expect: True q
# expect: zz
# expect: True
# expect: False
# expect: False True None True True Linux True
# expect: 36 4 12345678-1234-5678-1234-567812345678 886313e1-3b8a-5372-9b90-0c9aee199e5d 60a7f89c-e446-309c-8b4f-460bfdfd0dee UUID('00000000-0000-0000-0000-000000000005')
