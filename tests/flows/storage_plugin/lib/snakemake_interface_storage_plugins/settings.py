from dataclasses import dataclass, field
from typing import Optional


@dataclass
class StorageProviderSettingsBase:
    max_requests_per_second: Optional[float] = field(default=None, metadata={"help": "pace"})
