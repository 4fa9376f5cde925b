import asyncio
import os
import shutil

from snakemake_interface_common.exceptions import WorkflowError


class StorageObjectBase:
    def __init__(self, query, keep_local, retrieve, provider):
        self.query, self.keep_local, self.retrieve, self.provider = query, keep_local, retrieve, provider
        self.print_query = provider.safe_print(query)
        self.is_ondemand_eligible = False
        self.__post_init__()

    def __post_init__(self):
        pass

    def local_path(self):
        return self.provider.local_prefix / self.local_suffix()

    def cache_key(self, local_suffix=None):
        return str(self.provider.local_prefix / (local_suffix or self.local_suffix()))

    async def managed(self, what, words):
        try:
            await asyncio.sleep(0)
            return getattr(self, what)()
        except Exception as error:
            raise WorkflowError(f"Failed to {words} {self.print_query}", error)


class StorageObjectRead(StorageObjectBase):
    async def managed_exists(self):
        return await self.managed("exists", "look at")

    async def managed_mtime(self):
        return await self.managed("mtime", "get mtime of")

    async def managed_size(self):
        return await self.managed("size", "get size of")

    async def managed_retrieve(self):
        path = self.local_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            await self.managed("retrieve_object", "retrieve")
        except WorkflowError:
            shutil.rmtree(path) if os.path.isdir(path) else path.unlink(missing_ok=True)
            raise


class StorageObjectWrite(StorageObjectBase):
    async def managed_store(self):
        await self.managed("store_object", "store")

    async def managed_remove(self):
        await self.managed("remove", "remove")


class StorageObjectGlob(StorageObjectBase):
    pass


class StorageObjectTouch(StorageObjectBase):
    async def managed_touch(self):
        await self.managed("touch", "touch")
