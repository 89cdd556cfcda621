"""The methods section of a paper, written from the release of a study and nothing else."""

import hashlib
from collections.abc import Iterator

from annotation.methods_results import cited_papers, number_text, write_results
from annotation.models import StudyRelease
from annotation.release_record import Record, describe_exclusions

NO_TEXT = hashlib.sha256(b"").hexdigest()  # of an introduction, in records of before it was None


def write_methods(release: StudyRelease) -> str:
    """Markdown."""
    record = release.record
    paragraphs = (
        f"# Methods of '{record['study']['name']}'",
        _study(release, record),
        _experts(record),
        _assignment(record),
        *_arms(record),
        *_guidelines(record),
        _answers(record),
        describe_exclusions(record["answers"]),
        *_adjudications(record),
        "## Agreement and results",
        *write_results(record),
        "## Data",
        _data(release, record),
        "## References",
        "\n".join(f"- {one}" for one in cited_papers(record)) or "None.",
    )
    return "\n\n".join(paragraphs) + "\n"


def _study(release: StudyRelease, record: Record) -> str:
    study, questions = record["study"], record["questions"]
    graph = questions["graph"]
    evidence = (
        f" Experts could read evidence from the graph '{graph['slug']}', version "
        f"{_count(graph['version'])}."
        if graph
        else ""
    )
    return (
        f"This study ({study['kind'].lower()}) was created on {study['created_on']} and frozen as "
        f"release '{release.slug}' on {study['frozen_on']}. It has "
        f"{_of(questions['total'], 'question')} of the set '{questions['set']}' in "
        f"{_of(questions['batches'], 'batch', 'batches')}."
        f"{evidence}"
    )


def _experts(record: Record) -> str:
    experts, texts = record["experts"], record["texts"]
    simulated = experts["simulated"]
    are = "is" if simulated == 1 else "are"
    note = f", of which {_count(simulated)} {are} simulated" if simulated else ""
    agreed = "; ".join(
        f"{_of(one['experts'], 'expert')} agreed to version {one['version']} of the consent text"
        for one in texts["consent"]
    )
    members = _of(experts["members"], "expert")
    consent = f" {agreed}." if agreed else " No expert agreed to a consent text."
    joined = f"{members} joined{note}; {_count(experts['answered'])} answered."
    return f"{joined}{_simulated(record)}{_departures(experts)}{consent}"


def _simulated(record: Record) -> str:
    """That answers are not of people; their number is not in records of before it was counted."""
    experts, answers = record["experts"], record["answers"]
    if not experts["simulated"]:
        return ""
    drawn = answers.get("simulated")
    if experts["simulated"] == experts["members"]:
        return " All experts are simulated: a program drew every answer that counts."
    if drawn and drawn == answers["answered"]:
        return " All who answered are simulated: a program drew every answer that counts."
    number = "" if drawn is None else f": {_of(drawn, 'answer')} of {_count(answers['answered'])}"
    return f" A program drew the answers of the simulated experts{number}."


def _departures(experts: Record) -> str:
    if not experts["left"]:
        return ""
    left = f" {_of(experts['left'], 'expert')} left the study before it ended"
    withdrawn = experts["left_with_answers"]
    returned = experts.get("returned")  # not in records of before it was counted
    back = f"{_count(returned)} of them came back, and " if returned else ""
    return f"{left}; {back}the answers of {_count(withdrawn)} of them were withdrawn."


def _assignment(record: Record) -> str:
    design = record["design"]
    rule = "Experts were assigned whole batches."
    if design["overlap"] is not None:
        rule = (
            f"Each question was to be answered by {_of(design['overlap'], 'expert')}, who took "
            "questions from a pool, each in a random order of their own."
        )
    if design.get("adaptive_share"):
        rule += (
            f" Of the draws, {_percent(design['adaptive_share'])} were planned to take the "
            "question that informed most instead, and all others were by chance; agreement and "
            "reliability come from the latter alone."
        )
    seed = f"All that was drawn by chance used the seed {design['seed']}."
    return " ".join([rule, *_checks(record), seed])


FEEDBACK = {
    "never": "never learned",
    "each": "learned after each",
    "batch_end": "learned at the end of a batch",
}


def _checks(record: Record) -> Iterator[str]:
    """Of experts, by questions that are in no result. Not in records of before they were noted."""
    design, known = record["design"], record["questions"].get("known", 0)
    if design.get("repeat_share"):
        yield (
            f"Of the questions that an expert had answered, {_percent(design['repeat_share'])} "
            "were to come again in a later visit."
        )
    if not known:
        return
    yield (
        f"Another {_of(known, 'question')} with a known answer checked the experts; they were to "
        f"be {_percent(design['gold_share'])} of what an expert got{_gold_share(record)}, who "
        f"{FEEDBACK[design['gold_feedback']]} whether the answer was right."
    )
    qualified = record["experts"]["qualified"]
    if qualified:
        yield (
            f"A qualification of {_count(design['qualification_items'])} of them came first, of "
            f"which {_count(design['qualification_minimum'])} had to be right: "
            f"{_of(qualified['began'], 'expert')} began it, {_count(qualified['passed'])} passed, "
            f"and {_count(qualified['waived'])} went on without."
        )


def _gold_share(record: Record) -> str:
    """Not in records of before it was counted."""
    sections = (one["figures"] for one in record["statistics"] if one["name"] == "gold")
    shares = [one for figures in sections for one in figures if one["value"] is not None]
    if not shares:
        return ""
    (share,) = shares
    return f" (in fact {_percent(share['value'])} of {_of(share['n'], 'assignment')})"


def _guidelines(record: Record) -> Iterator[str]:
    versions = record["texts"]["guidelines"]
    if not versions:
        return
    listed = "; ".join(
        f"version {one['number']} of {one['published_on']} was the newest that "
        f"{_of(one['experts'], 'expert')} read, with {_of(one['answers'], 'answer')} given under it"
        for one in versions
    )
    yield f"The guidelines had {_of(len(versions), 'version')}: {listed}."


def _arms(record: Record) -> Iterator[str]:
    planned = record["design"]["arm_shares"]
    for arm in record["arms"]:
        levels = ", ".join(
            f"{one['name']} {_percent(one['share'])} (n = {_count(one['count'])})"
            for one in arm["levels"]
        )
        shares = planned.get(arm["name"], {}).items()
        plan = ", ".join(f"{name} {_percent(share)}" for name, share in shares)
        meant = f" Planned: {plan}." if plan else ""
        yield f"The arm '{arm['name']}' was drawn for each question and expert: {levels}.{meant}"


def _answers(record: Record) -> str:
    answers, overlap = record["answers"], record["overlap"]
    if not answers["answered"]:
        return "Nobody answered."
    outcomes = ", ".join(f"{one['name']} {_count(one['count'])}" for one in answers["outcomes"])
    seconds = answers["median_seconds"]
    time = f" The median active time of an answer was {number_text(seconds)} s." if seconds else ""
    return (
        f"{_of(answers['answered'], 'answer')} ({outcomes}) were submitted {_days(answers)}; "
        f"{_count(answers['changed_later'])} of "
        f"them were submitted again later; then the last one counts. "
        f"{_per_question(overlap)}{time}{_unanswered(answers)}"
    )


def _days(answers: Record) -> str:
    first, last = answers["first_on"], answers["last_on"]
    return f"on {first}" if first == last else f"between {first} and {last}"


def _per_question(overlap: Record) -> str:
    fewest, most = overlap["fewest"], overlap["most"]
    if fewest == most:
        return f"Each question has {_of(most, 'answer')}."
    mean = number_text(overlap["mean"])
    return f"A question has {_count(fewest)} to {_count(most)} answers, {mean} on average."


def _unanswered(answers: Record) -> str:
    """Their experts are not in records of before they were counted."""
    if not answers["left"]:
        return ""
    experts = answers.get("left_experts")
    of_experts = "" if experts is None else f" of {_of(experts, 'expert')}"
    return f" {_of(answers['left'], 'assignment')}{of_experts} had no answer in the end."


SIGHTS = {
    "blind": "blind to the experts' answers",
    "answers_read": "after reading an expert's answer to the question",
    "partition": "after the experts' common order was stored, which coordinators can read",
    "not_recorded": "without a record of what the coordinator had read",
}


def _adjudications(record: Record) -> Iterator[str]:
    """Not in records of before they were counted."""
    counts = record.get("adjudications")
    if not counts or not counts["total"]:
        return
    listed = "; ".join(
        f"{words}: {_count(counts[name])}"
        for name, words in SIGHTS.items()
        if counts[name] or name == "blind"
    )
    yield (
        f"Coordinators adjudicated {_of(counts['total'], 'question')} ({listed}), and revised "
        f"{_count(counts['revised'])} of these answers once the experts' were shown. No "
        "adjudication is in the figures below."
    )


def _data(release: StudyRelease, record: Record) -> str:
    texts = record["texts"]
    guidelines = "".join(
        f", version {one['number']} of the guidelines `{one['digest']}`"
        for one in texts["guidelines"]
    )
    digest = texts["introduction"]
    has_text = digest not in (None, NO_TEXT)
    introduction = f", the introduction that experts read `{digest}`" if has_text else ""
    return (
        f"The export of release '{release.slug}' ({record['export_format']}) has the "
        f"{record['checksum_of_export']} checksum `{release.checksum}`{introduction}{guidelines}. "
        f"{'' if introduction else 'Experts read no introduction. '}Statistics were computed by "
        f"Serendib {record['software']} with the seed {record['design']['seed']}."
    )


def _count(number: int) -> str:
    return f"{number:,}"


def _of(number: int, one: str, several: str = "") -> str:
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
