# Where CPython would wait forever, an error says so.
# ours only
import queue
import threading

for waits in (lambda: queue.Queue().get(), lambda: threading.Event().wait(), lambda: threading.Semaphore(0).acquire()):
    try:
        waits()
    except RuntimeError as e:
        print(e)
# expect: get() would wait forever: threads run one after the other here
# expect: wait() would wait forever: threads run one after the other here
# expect: acquire() would wait forever: threads run one after the other here
