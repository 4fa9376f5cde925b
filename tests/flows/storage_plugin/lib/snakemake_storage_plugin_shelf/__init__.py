"""A storage plugin that keeps shelf://NAME/KEY as ROOT/NAME/KEY, notes every call in the file CALLS, and fails as it is
told to by the key, or waits for the file go."""
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

from snakemake_interface_common.exceptions import WorkflowError
from snakemake_interface_storage_plugins.io import Mtime
from snakemake_interface_storage_plugins.settings import StorageProviderSettingsBase
from snakemake_interface_storage_plugins.storage_object import (
    StorageObjectGlob,
    StorageObjectRead,
    StorageObjectTouch,
    StorageObjectWrite,
)
from snakemake_interface_storage_plugins.storage_provider import StorageProviderBase, StorageQueryValidationResult


def note(*words):
    with open(os.environ["CALLS"], "a") as calls:
        print(*words, file=calls)


@dataclass
class StorageProviderSettings(StorageProviderSettingsBase):
    root: Optional[str] = field(default=None, metadata={"help": "folder", "required": True, "env_var": True})
    secret: Optional[str] = field(default=None, repr=False, metadata={"help": "password", "env_var": True})
    retries: int = field(default=3, metadata={"help": "how often", "type": int})
    level: Optional[str] = field(default="low", metadata={"help": "level", "choices": ["low", "high"]})
    sizes: Optional[list] = field(
        default=None, metadata={"help": "sizes", "parse_func": lambda t: [int(x) for x in t.split(",")]}
    )
    lists: bool = field(default=False, metadata={"help": "directories are listed"})


class StorageProvider(StorageProviderBase):
    def __post_init__(self):
        s = self.settings
        note("open", s.root and os.path.basename(s.root), s.secret, repr(s.retries), s.level, s.sizes, s.lists)

    @classmethod
    def is_valid_query(cls, query):
        return StorageQueryValidationResult(query, query.startswith("shelf://"), "must start with shelf://")

    def safe_print(self, query):
        return query.split("?")[0]


class StorageObject(StorageObjectRead, StorageObjectWrite, StorageObjectGlob, StorageObjectTouch):
    def __post_init__(self):
        if self.query.startswith("shelf://"):
            self.key = self.query[len("shelf://"):].split("?")[0]
            self.path = Path(self.provider.settings.root or "", self.key)

    def local_suffix(self):
        return f"hashed-{len(self.key)}" if "hash" in self.key else self.key

    def noted(self, what):
        note(what, self.key)
        if f"bad-{what}" in self.key:
            raise OSError(f"the shelf is broken:\n{what}")
        for _ in range(2000):
            if f"wait-{what}" not in self.key or os.path.exists("go"):
                break
            time.sleep(0.01)
        if f"cat-{what}" in self.key:
            subprocess.run(["cat"])  # as programs that a plugin uses read what there is to read
        if f"die-{what}" in self.key:
            os.kill(os.getpid(), signal.SIGKILL)

    async def inventory(self, cache):
        self.noted("inventory")
        if not self.provider.settings.lists:
            return
        for path in self.path.parent.glob("*"):
            key = self.cache_key(str(path.relative_to(self.provider.settings.root)))
            cache.exists_in_storage[key] = True
            cache.mtime[key] = Mtime(storage=path.stat().st_mtime)
            cache.size[key] = path.stat().st_size

    def get_inventory_parent(self):
        return str(self.path.parent)

    def exists(self):
        self.noted("exists")
        return self.path.exists()

    def mtime(self):
        self.noted("mtime")
        return self.path.stat().st_mtime

    def size(self):
        self.noted("size")
        return self.path.stat().st_size

    def retrieve_object(self):
        self.noted("retrieve")
        copy = shutil.copytree if self.path.is_dir() else shutil.copyfile
        if "half-retrieve" in self.key:
            self.local_path().write_text("hal")
            self.noted("wait-retrieve")
            time.sleep(60)
        copy(self.path, self.local_path())

    def store_object(self):
        self.noted("store")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if "half-store" in self.key:
            self.path.write_text("hal")
            self.noted("wait-store")
            time.sleep(0 if os.path.exists("go") else 60)
        if self.local_path().is_dir():
            shutil.copytree(self.local_path(), self.path, dirs_exist_ok=True)
        else:
            shutil.copyfile(self.local_path(), self.path)

    def remove(self):
        self.noted("remove")
        shutil.rmtree(self.path) if self.path.is_dir() else self.path.unlink()

    def touch(self):
        self.noted("touch")
        os.utime(self.path)

    def list_candidate_matches(self):
        self.noted("list")
        root = self.provider.settings.root
        if not os.path.isdir(root):
            raise WorkflowError(f"there is no {root}")
        return ("shelf://" + str(path.relative_to(root)) for path in sorted(Path(root).rglob("*")))

    def cleanup(self):
        note("cleanup", self.key)
