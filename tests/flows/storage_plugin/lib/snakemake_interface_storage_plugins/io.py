class Mtime:
    def __init__(self, storage):
        self._storage = storage

    def storage(self):
        return self._storage
