"""The roles in whose voice models write queries (STaRK, section 2.4 and appendix C)."""

from pydantic import BaseModel, ConfigDict

from backend.runtime.data_file import DataFile


class SearchRole(BaseModel):
    """interests: what it looks for. voice: how it writes."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    interests: str
    voice: str


class Roles(DataFile):
    roles: dict[str, SearchRole]


ROLES = Roles.load(__file__).roles
