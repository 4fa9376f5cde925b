# async def and await; asyncio is python3's and runs the coroutines of the Snakefile.
import asyncio


async def add(x, y=1):
    await asyncio.sleep(0)
    return x + y


async def fails():
    await asyncio.sleep(0)
    raise ValueError("late")


async def waits():
    try:
        await asyncio.sleep(100)
    except asyncio.CancelledError:
        print("cancelled")
        raise


class Ready:
    def __await__(self):
        return "ready"
        yield


async def main():
    print(await add(1), await Ready(), [await add(i) for i in range(3)])  # expect: 2 ready [1, 2, 3]
    print(await asyncio.gather(add(1), asyncio.create_task(add(2)), add(3)))  # expect: [2, 3, 4]
    found = await asyncio.gather(fails(), add(1), return_exceptions=True)
    print([type(x).__name__ for x in found])  # expect: ['ValueError', 'int']
    try:
        await fails()
    except ValueError as error:
        print("caught", error)  # expect: caught late
    try:
        await asyncio.wait_for(waits(), 0.01)
    except asyncio.TimeoutError:
        print("timeout")
    # expect: cancelled
    # expect: timeout
    queue = asyncio.Queue()

    async def fill():
        for i in [1, 2, None]:
            await queue.put(i)

    async def drain():
        got = []
        while (item := await queue.get()) is not None:
            got.append(item)
        return got

    print(await asyncio.gather(fill(), drain()))  # expect: [None, [1, 2]]
    return "done"


print(asyncio.run(main()))  # expect: done
try:
    asyncio.run(fails())
except ValueError as error:
    print("raised", error)  # expect: raised late


async def plain():
    return 3


coroutine = plain()
print(type(coroutine).__name__, asyncio.iscoroutine(coroutine), hasattr(coroutine, "__next__"))  # expect: coroutine True False
try:
    coroutine.send(None)
except StopIteration as end:
    print(end.value)  # expect: 3


async def again(x):
    await x


for wrong in coroutine, 3:
    try:
        again(wrong).send(None)
    except (RuntimeError, TypeError) as error:
        print(error)
# expect: cannot reuse already awaited coroutine
# expect: object int can't be used in 'await' expression
for text in "async def f():\n    yield 1\n", "async def f(x):\n    return (await y for y in x)\n":
    try:
        exec(text)
    except SyntaxError as error:
        print(str(error))
# expect: asynchronous generators are not supported
# expect: asynchronous generators are not supported
