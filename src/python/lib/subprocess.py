# SPDX-License-Identifier: MIT
# subprocess.
import _process
import os as _os
import time as _time

PIPE = -1
STDOUT = -2
DEVNULL = -3
_signals = {1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
            9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM"}


class SubprocessError(Exception):
    pass


class CalledProcessError(SubprocessError):
    def __init__(self, returncode, cmd, output=None, stderr=None):
        super().__init__(returncode, cmd)
        self.returncode, self.cmd, self.output, self.stderr = returncode, cmd, output, stderr

    def __str__(self):
        if self.returncode and self.returncode < 0:
            name = _signals.get(-self.returncode)
            if name is None:
                return "Command '%s' died with unknown signal %d." % (self.cmd, -self.returncode)
            return "Command '%s' died with <Signals.%s: %d>." % (self.cmd, name, -self.returncode)
        return "Command '%s' returned non-zero exit status %d." % (self.cmd, self.returncode)

    @property
    def stdout(self):
        return self.output


class TimeoutExpired(SubprocessError):
    def __init__(self, cmd, timeout, output=None, stderr=None):
        super().__init__(cmd, timeout)
        self.cmd, self.timeout, self.output, self.stderr = cmd, timeout, output, stderr

    def __str__(self):
        return "Command '%s' timed out after %s seconds" % (self.cmd, self.timeout)

    @property
    def stdout(self):
        return self.output


class CompletedProcess:
    def __init__(self, args, returncode, stdout=None, stderr=None):
        self.args, self.returncode, self.stdout, self.stderr = args, returncode, stdout, stderr

    def __repr__(self):
        text = "CompletedProcess(args=%r, returncode=%r" % (self.args, self.returncode)
        if self.stdout is not None:
            text += ", stdout=%r" % (self.stdout,)
        if self.stderr is not None:
            text += ", stderr=%r" % (self.stderr,)
        return text + ")"

    def check_returncode(self):
        if self.returncode:
            raise CalledProcessError(self.returncode, self.args, self.stdout, self.stderr)


class Popen:
    def __init__(self, args, bufsize=-1, executable=None, stdin=None, stdout=None, stderr=None, preexec_fn=None,
                 close_fds=True, shell=False, cwd=None, env=None, universal_newlines=None, startupinfo=None,
                 creationflags=0, restore_signals=True, start_new_session=False, pass_fds=(), *, text=None,
                 encoding=None, errors=None, **others):
        self.args = args
        self.returncode = None
        self._text = bool(text or universal_newlines or encoding or errors)
        self._encoding, self._errors = encoding or "utf-8", errors or "strict"
        self._in_time = True
        command = self._command(args, shell, executable)
        environment = None
        if env is not None:
            environment = ["%s=%s" % (_os.fspath(key), _os.fspath(value)) for key, value in env.items()]
        _flush()
        given, self._open = [], []
        self.stdin, self.stdout, self.stderr = None, None, None
        try:
            given.append(self._end("stdin", stdin, 0))
            given.append(self._end("stdout", stdout, 1))
            given.append((given[1] if given[1] >= 0 else 1) if stderr == STDOUT else self._end("stderr", stderr, 1))
            self.pid = _process.spawn(command, environment, None if cwd is None else _os.fspath(cwd), *given,
                                      start_new_session or preexec_fn is _os.setsid)
        except BaseException:
            for stream in (self.stdin, self.stdout, self.stderr):
                if stream is not None:
                    stream.close()
            raise
        finally:
            for fd in self._open:
                _process.close(fd)

    def _command(self, args, shell, executable):
        if isinstance(args, (str, bytes)) or hasattr(args, "__fspath__"):
            words = [args]
        else:
            words = list(args)
        words = [word.decode() if isinstance(word, bytes) else _os.fspath(word) for word in words]
        if shell:
            words = [executable or "/bin/sh", "-c"] + words
        elif executable is not None:
            words[0] = _os.fspath(executable)
        if not words:
            raise IndexError("list index out of range")
        return words

    def _end(self, name, wanted, side):
        if wanted is None:
            return -1
        if wanted == DEVNULL:
            fd = _process.null()
            self._open.append(fd)
            return fd
        if wanted == PIPE:
            ends = _process.pipe()
            child, ours = ends[side], ends[1 - side]
            self._open.append(child)
            mode = ("w" if side == 0 else "r") + ("" if self._text else "b")
            if self._text:
                setattr(self, name, open(ours, mode, encoding=self._encoding, errors=self._errors))
            else:
                setattr(self, name, open(ours, mode))
            return child
        if isinstance(wanted, int):
            return wanted
        return wanted.fileno()

    def poll(self):
        if self.returncode is None:
            self.returncode = _process.wait(self.pid, False)
        return self.returncode

    def wait(self, timeout=None):
        if self.returncode is None and timeout is None:
            self.returncode = _process.wait(self.pid, True)
        elif self.returncode is None:
            end = _time.monotonic() + timeout
            pause = 0.0005
            while self.poll() is None:
                left = end - _time.monotonic()
                if left <= 0:
                    raise TimeoutExpired(self.args, timeout)
                pause = min(pause * 2, left, 0.05)
                _time.sleep(pause)
        return self.returncode

    def _decoded(self, stream, data):
        if stream is None:
            return None
        if not self._text:
            return data
        return data.decode(self._encoding, self._errors).replace("\r\n", "\n").replace("\r", "\n")

    def communicate(self, input=None, timeout=None):
        fds = [-1, -1, -1]
        for i, stream in enumerate((self.stdin, self.stdout, self.stderr)):
            if stream is not None and not stream.closed:
                fds[i] = stream.fileno()
        if self._text and isinstance(input, str):
            input = input.encode(self._encoding, self._errors)
        if fds[0] >= 0:
            self.stdin.flush()
            fds[0] = _process.dup(fds[0])
            self.stdin.close()
        limit = -1 if timeout is None else max(int(timeout * 1000), 0)
        out, err, in_time = _process.communicate(fds[0], input, fds[1], fds[2], limit)
        out, err = self._decoded(self.stdout, out), self._decoded(self.stderr, err)
        if not in_time:
            raise TimeoutExpired(self.args, timeout, out, err)
        for stream in (self.stdout, self.stderr):
            if stream is not None:
                stream.close()
        self.wait(timeout)
        return out, err

    def send_signal(self, sig):
        if self.poll() is None:
            _process.kill(self.pid, sig)

    def terminate(self):
        self.send_signal(15)

    def kill(self):
        self.send_signal(9)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        for stream in (self.stdout, self.stderr, self.stdin):
            if stream is not None:
                stream.close()
        self.wait()

    def __repr__(self):
        return "<Popen: returncode: %s args: %r>" % (self.returncode, self.args)


def _flush():
    import sys
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "flush"):
            stream.flush()


def run(*popenargs, input=None, capture_output=False, timeout=None, check=False, **kwargs):
    if input is not None:
        if kwargs.get("stdin") is not None:
            raise ValueError("stdin and input arguments may not both be used.")
        kwargs["stdin"] = PIPE
    if capture_output:
        if kwargs.get("stdout") is not None or kwargs.get("stderr") is not None:
            raise ValueError("stdout and stderr arguments may not be used with capture_output.")
        kwargs["stdout"] = kwargs["stderr"] = PIPE
    process = Popen(*popenargs, **kwargs)
    try:
        out, err = process.communicate(input, timeout)
    except BaseException:
        process.kill()
        process.wait()
        raise
    if check and process.returncode:
        raise CalledProcessError(process.returncode, process.args, out, err)
    return CompletedProcess(process.args, process.returncode, out, err)


def call(*popenargs, timeout=None, **kwargs):
    return run(*popenargs, timeout=timeout, **kwargs).returncode


def check_call(*popenargs, **kwargs):
    status = call(*popenargs, **kwargs)
    if status:
        raise CalledProcessError(status, kwargs.get("args", popenargs[0] if popenargs else None))
    return 0


def check_output(*popenargs, timeout=None, **kwargs):
    if "stdout" in kwargs or "check" in kwargs:
        raise ValueError("stdout argument not allowed, it will be overridden.")
    return run(*popenargs, stdout=PIPE, timeout=timeout, check=True, **kwargs).stdout


def getstatusoutput(cmd, *, encoding=None, errors=None):
    done = run(cmd, shell=True, text=True, stdout=PIPE, stderr=STDOUT, encoding=encoding, errors=errors)
    return done.returncode, done.stdout.removesuffix("\n")


def getoutput(cmd, *, encoding=None, errors=None):
    return getstatusoutput(cmd, encoding=encoding, errors=errors)[1]


def list2cmdline(seq):
    return " ".join('"%s"' % word if " " in word or not word else word for word in seq)
