import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { ButtonLink } from "@/components/Button";
import { CopyLink } from "@/components/CopyLink";
import { CopyText } from "@/components/CopyText";
import { Notice } from "@/components/Notice";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { CorrectionNotice } from "@/domains/evaluation/CorrectionNotice";
import { entryName } from "@/domains/evaluation/labels";
import { resultQuery, type BoardRow, type Result } from "@/domains/evaluation/queries";
import { formatFullDate, formatLongDate } from "@/lib/format";
import { ResultCases } from "./ResultCases";
import { ResultDetails } from "./ResultDetails";
import { ResultScores } from "./ResultScores";
import styles from "./Result.module.css";

const TRACKS = { to: "/leaderboard", label: "Leaderboard" };

/** One result at its permanent address. */
export function ResultPage() {
  const { id = "" } = useParams();
  const result = useQuery(resultQuery(id));
  return (
    <PageBoundary query={result} title="Result" parent={TRACKS}>
      {(data) => (
        <Page
          title={data.entry ? entryName(data.entry) : "Withdrawn entry"}
          parent={{ to: `/leaderboard/${data.track}?release=${data.release}`, label: data.release_name }}
          width="wide"
          intro={`Result on ${data.release_name}, ${data.split} items, on the board of ${formatFullDate(data.standing_at)}.`}
          actions={<CopyLink url={() => data.url} />}
        >
          <CorrectionNotice release={data} />
          {data.entry ? <Entry result={data} entry={data.entry} /> : <Tombstone result={data} />}
          <Citation result={data} />
        </Page>
      )}
    </PageBoundary>
  );
}

const WITHDRAWN_BY = { submitter: "its submitter", organiser: "the organiser of the release" };

function Tombstone({ result: { withdrawn_at: at, withdrawn_by: by, withdrawal_reason: reason } }: { result: Result }) {
  return (
    <Notice>
      <p>This entry was withdrawn{at && ` on ${formatLongDate(at)}`}{by && ` by ${WITHDRAWN_BY[by]}`}. Boards of earlier dates still show it.</p>
      {reason && <p>Reason: {reason}</p>}
    </Notice>
  );
}

function whyNotStanding({ is_left_out: isLeftOut, evaluator_version: version }: Result, entry: BoardRow): string {
  if (isLeftOut) return `This result is of evaluator ${version}. Its stored predictions were lost, so they could not be scored again, and the board leaves it out.`;
  if (entry.sample) return "This is a sample. The board shows another entry of this model.";
  return "A later submission of this model has replaced this result on the board.";
}

function Entry({ result, entry }: { result: Result; entry: BoardRow }) {
  return (
    <>
      {!result.is_standing && <Notice><p>{whyNotStanding(result, entry)}</p></Notice>}
      <ResultScores result={result} entry={entry} />
      <ResultDetails result={result} entry={entry} />
      {result.has_cases && <ResultCases result={result} />}
      <div className={styles.links}>
        <ButtonLink to={`/leaderboard/${result.track}?${new URLSearchParams({ release: result.release, split: result.split })}`}>See the board</ButtonLink>
        {entry.model && <Link to={`/models/${entry.model.slug}`}>All results of {entry.model.name}</Link>}
      </div>
    </>
  );
}

function Citation({ result: { submission, bibtex, url, entry, split } }: { result: Result }) {
  const api = `/api/v1/results/${submission}`;
  const badge = `${new URL(url).origin}${api}/badge.svg`;
  return (
    <section className={styles.section} aria-labelledby="citation-heading">
      <h2 id="citation-heading">Cite and embed</h2>
      <CopyText label="BibTeX" text={bibtex.trim()} />
      <h3>Badge</h3>
      <img src={`${api}/badge.svg`} alt="Badge with rank and score" height={20} className={styles.badge} />
      <CopyText label="Badge as Markdown" text={`[![Result](${badge})](${url})`} />
      <p>
        <a href={`${api}/citation.bib`} download>Download BibTeX</a>
        {entry && <>, <a href={`${api}/every_eval_ever.json`} download>download as Every Eval Ever JSON</a></>}
        {entry && split === "dev" && <>, <a href={`${api}/every_eval_ever_samples.jsonl`} download>with its items as JSON Lines</a></>}
      </p>
    </section>
  );
}
