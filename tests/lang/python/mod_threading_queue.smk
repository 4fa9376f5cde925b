# Threads and what they share, as far as it does not depend on who runs first.
import queue
import threading

done = []
lock = threading.Lock()


def work(name, times=1):
    for i in range(times):
        with lock:
            done.append((name, i))


threads = [threading.Thread(target=work, args=("a",)), threading.Thread(target=work, args=("b",), kwargs={"times": 2})]
print(threads[0], threads[1].name)  # expect: <Thread(Thread-1 (work), initial)> Thread-2 (work)
for t in threads:
    t.start()
for t in threads:
    t.join()
print(sorted(done))  # expect: [('a', 0), ('b', 0), ('b', 1)]
print([t.is_alive() for t in threads], threads[0].daemon)  # expect: [False, False] False


class Worker(threading.Thread):
    def __init__(self, n):
        super().__init__(name=f"worker-{n}", daemon=True)
        self.n = n

    def run(self):
        self.result = self.n**2, threading.current_thread().name


w = Worker(4)
w.start()
w.join()
print(w.result, w.daemon, w.ident is not None)  # expect: (16, 'worker-4') True True
for wrong in (lambda: w.start(), lambda: threading.Thread().join(), lambda: threading.current_thread().join(),
              lambda: lock.release(), lambda: threading.RLock().release(), lambda: threading.Semaphore(-1),
              lambda: threading.BoundedSemaphore(1).release(), lambda: threading.Condition().notify(),
              lambda: lock.acquire(False, 3)):
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__, e)
# expect: RuntimeError threads can only be started once
# expect: RuntimeError cannot join thread before it is started
# expect: RuntimeError cannot join current thread
# expect: RuntimeError release unlocked lock
# expect: RuntimeError cannot release un-acquired lock
# expect: ValueError semaphore initial value must be >= 0
# expect: ValueError Semaphore released too many times
# expect: RuntimeError cannot notify on un-acquired lock
# expect: ValueError can't specify a timeout for a non-blocking call

print(lock.acquire(), lock.locked(), lock.acquire(blocking=False), lock.acquire(timeout=0.01))  # expect: True True False False
lock.release()
again = threading.RLock()
with again:
    with again:
        print(again.acquire())  # expect: True
        again.release()
few = threading.Semaphore(2)
print(few.acquire(), few.acquire(), few.acquire(blocking=False))  # expect: True True False
event = threading.Event()
print(event.is_set(), event.wait(0.01))  # expect: False False
threading.Thread(target=event.set).start()
print(event.wait())  # expect: True
condition = threading.Condition()
items = []


def produce():
    with condition:
        items.append(1)
        condition.notify_all()


threading.Thread(target=produce).start()
with condition:
    print(condition.wait_for(lambda: len(items)))  # expect: 1
    print(condition.wait(timeout=0.01))  # expect: False

mine = threading.local()
mine.x = 1


def other():
    mine.x = 2
    items.append(mine.x)


t = threading.Thread(target=other)
t.start()
t.join()
print(mine.x, items, mine.__dict__)  # expect: 1 [1, 2] {'x': 1}
print(threading.current_thread() is threading.main_thread(), threading.current_thread().name)  # expect: True MainThread
print(threading.active_count(), len(threading.enumerate()))  # expect: 1 1
rung = []
timer = threading.Timer(0.01, rung.append, ["late"])
timer.start()
timer.join()
gone = threading.Timer(5, rung.append, ["never"])
gone.start()
gone.cancel()
gone.join()
print(rung)  # expect: ['late']


class Own(threading.Thread):
    def run(self):
        raise SystemExit(3)


o = Own()
o.start()
o.join()
print("still here")  # expect: still here

q = queue.Queue()
for i in range(3):
    q.put(i)
results = []


def consume():
    while True:
        item = q.get()
        if item is None:
            break
        results.append(item * 10)
        q.task_done()


q.put(None)
t = threading.Thread(target=consume)
t.start()
t.join()
print(results, q.empty(), q.qsize())  # expect: [0, 10, 20] True 0
small = queue.Queue(maxsize=1)
small.put("x")
print(small.full())  # expect: True
for wrong in (lambda: small.put_nowait("y"), lambda: small.put("y", timeout=0.01), lambda: q.get_nowait(),
              lambda: q.get(timeout=0.01), lambda: q.get(timeout=-1),
              lambda: [small.task_done(), small.task_done()]):
    try:
        wrong()
    except Exception as e:
        print(type(e).__module__ in ("queue", "_queue"), type(e).__name__, e)
# expect: True Full
# expect: True Full
# expect: True Empty
# expect: True Empty
# expect: False ValueError 'timeout' must be a non-negative number
# expect: False ValueError task_done() called too many times
small.join()
last = queue.LifoQueue()
first = queue.PriorityQueue()
for i in (3, 1, 2, 1):
    last.put(i)
    first.put((i, "item"))
print([last.get() for _ in range(4)], [first.get()[0] for _ in range(4)])  # expect: [1, 2, 1, 3] [1, 1, 2, 3]
simple = queue.SimpleQueue()
simple.put("a")
print(simple.get(), simple.empty())  # expect: a True
