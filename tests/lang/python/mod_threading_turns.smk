# Threads run until they wait; then another goes on.
import queue
import threading
import time

results = queue.Queue()


def work(name, pause):
    for i in range(3):
        time.sleep(pause)
        results.put((name, i))
    results.put(None)


threads = [threading.Thread(target=work, args=args) for args in (("a", 0.02), ("b", 0.07))]
for thread in threads:
    thread.start()
got = [results.get() for _ in range(8)]
print(sorted(item for item in got if item), got.count(None))
# expect: [('a', 0), ('a', 1), ('a', 2), ('b', 0), ('b', 1), ('b', 2)] 2
for thread in threads:
    thread.join()
print(threading.active_count(), threads[0].is_alive())
# expect: 1 False

lock, total = threading.Lock(), 0


def add():
    global total
    with lock:
        seen = total
        time.sleep(0.005)
        total = seen + 1


threads = [threading.Thread(target=add) for _ in range(5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(total)
# expect: 5

event = threading.Event()
threading.Timer(0.01, event.set).start()
print(event.wait(5), threading.Event().wait(0.01))
# expect: True False

barrier = threading.Barrier(2)
thread = threading.Thread(target=barrier.wait)
thread.start()
barrier.wait()
thread.join()
print(barrier.broken)
# expect: False

condition, items = threading.Condition(), []


def consume():
    with condition:
        while not items:
            condition.wait()
        print("got", items.pop())


thread = threading.Thread(target=consume)
thread.start()
with condition:
    items.append(1)
    condition.notify()
thread.join()
# expect: got 1


# Values that only a native below a paused thread knows survive.
def churn():
    print(sorted([3, 1, 2], key=lambda v: (time.sleep(0.001), [str(v)] * 1000)[0] or v))


thread = threading.Thread(target=churn)
thread.start()
rubbish = [[str(i) for i in range(500)] for _ in range(200)]
thread.join()
# expect: [1, 2, 3]
