# Where CPython would wait forever, an error says so.
# ours only
import queue
import threading

for waits in (lambda: queue.Queue().get(), lambda: threading.Event().wait(), lambda: threading.Semaphore(0).acquire()):
    try:
        waits()
    except RuntimeError as e:
        print(e)
# expect: get() would wait forever: no other thread is left
# expect: wait() would wait forever: no other thread is left
# expect: acquire() would wait forever: no other thread is left
