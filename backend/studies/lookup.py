from backend.common.errors import DomainError
from backend.studies.models import Study


def get_study_by_name_or_raise(name: str) -> Study:
    result = Study.objects.filter(name=name).first()
    if result is None:
        raise DomainError(f"There is no study '{name}'.", code="unknown_study")
    return result
