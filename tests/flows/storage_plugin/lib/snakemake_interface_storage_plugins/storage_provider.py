import sys
from dataclasses import dataclass


@dataclass
class StorageQueryValidationResult:
    query: str
    valid: bool
    reason: str = ""

    def __bool__(self):
        return self.valid


class StorageProviderBase:
    def __init__(self, local_prefix, logger, settings=None, keep_local=False, retrieve=True, is_default=False,
                 wait_for_free_local_storage=None):
        local_prefix.mkdir(parents=True, exist_ok=True)
        self.local_prefix, self.logger, self.settings = local_prefix, logger, settings
        self.keep_local, self.retrieve, self.is_default = keep_local, retrieve, is_default
        self.__post_init__()

    def __post_init__(self):
        pass

    def postprocess_query(self, query):
        return query

    def safe_print(self, query):
        return query

    def object(self, query, keep_local=None, retrieve=None):
        query = self.postprocess_query(query)
        return sys.modules[type(self).__module__].StorageObject(query, keep_local, retrieve, self)
