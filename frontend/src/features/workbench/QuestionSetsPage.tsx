import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { ButtonLink } from "@/components/Button";
import { DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SearchField } from "@/components/SearchField";
import { SelectField } from "@/components/SelectField";
import { ShowMore } from "@/components/ShowMore";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { canOpen } from "@/domains/accounts/permissions";
import { rnsUrl } from "@/domains/graphs/rnsUrls";
import { questionSetsQuery } from "@/domains/questions/questionSets";
import { readChoice } from "@/lib/choices";
import { useCurrentUser } from "@/lib/currentUser";
import { useCursorList } from "@/lib/cursor";
import { formatCount, formatList, formatPlural } from "@/lib/format";
import { useUrlParams } from "@/lib/useUrlParams";
import { questionsUrl, type QuestionRow, type QuestionSet } from "./api";
import { METHOD_LABELS, shareLabel } from "./labels";
import styles from "./QuestionSets.module.css";
import { SetStatistics } from "./SetStatistics";
import { questionUrl } from "./useWorkbench";

/** The question sets that one may look into, and the questions of one of them. */
export function QuestionSetsPage() {
  const [params] = useSearchParams();
  const me = useCurrentUser();
  const sets = useQuery(questionSetsQuery);
  return (
    <Page
      title="Benchmarks"
      width="wide"
      intro="Questions with several correct answers, some known and some serendipitous. Choose one to see its scores and the effect of the weights."
      actions={me && (
        <>
          <ButtonLink to="/groundings">Ground a rationale</ButtonLink>
          {canOpen(me, "coordinator") && <ButtonLink to="/query-syntheses">Synthesize queries</ButtonLink>}
          {canOpen(me, "coordinator") && <ButtonLink to="/candidate-ensembles">Score by models</ButtonLink>}
          {canOpen(me, "coordinator") && <ButtonLink to="/workbench/computations">Computations</ButtonLink>}
        </>
      )}
    >
      <QueryBoundary
        query={sets}
        skeleton={<SkeletonRows rows={6} height={56} />}
        empty={<EmptyState>No public question set yet. Sets that experts still rank stay hidden until their study ends.</EmptyState>}
      >
        {(all) => <QuestionSetList all={all} wanted={params.get("set")} />}
      </QueryBoundary>
    </Page>
  );
}

function QuestionSetList({ all, wanted }: { all: QuestionSet[]; wanted: string | null }) {
  const open = all.find(({ id }) => id === wanted) ?? (wanted ? undefined : all[0]);
  return (
    <div className={styles.sets}>
      {all.length > 1 && (
        <nav aria-label="Question sets" className={styles.list}>
          {all.map((one) => (
            <Link key={one.id} to={`/workbench?set=${one.id}`} aria-current={one === open ? "page" : undefined}>
              {one.name} <span>{formatCount(one.questions)}</span>
            </Link>
          ))}
        </nav>
      )}
      {open ? <QuestionSetRow key={open.id} set={open} /> : <EmptyState>This question set does not exist, or you do not have access to it.</EmptyState>}
    </div>
  );
}

function QuestionSetRow({ set }: { set: QuestionSet }) {
  return (
    <section className={styles.set} aria-labelledby="set-name">
      <div>
        <h2 id="set-name">
          {set.name} {set.is_demo && <Tag>demo</Tag>} {!set.public && <Tag>not public</Tag>}
        </h2>
        <p className={styles.quiet}>
          {setSummary(set)}{" "}
          {set.graphs[0] && <Link to={rnsUrl({ slug: set.graphs[0].slug, snapshot: null })}>Score two sets of your own</Link>}
        </p>
      </div>
      <SetStatistics set={set} />
      {set.graphs.length > 0 ? <QuestionList set={set} /> : (
        <EmptyState>The names in this set are not matched to any graph that you can see, so it cannot be scored yet.</EmptyState>
      )}
    </section>
  );
}

function setSummary({ questions, graphs, methods }: QuestionSet): string {
  const sentences = [`${formatPlural(questions, "question")}.`];
  if (graphs.length > 0) sentences.push(`Matched in ${formatList(graphs.map(({ name, number }) => `${name}, version ${number}`))}.`);
  const stored = (["llm", "expert", "rns"] as const).filter((one) => methods[one]);
  if (stored.length > 0) sentences.push(`Partitions: ${formatList(stored.map((one) => `${formatCount(methods[one] ?? 0)} by ${METHOD_LABELS[one].who}`))}.`);
  return sentences.join(" ");
}

const ORDERS = [
  { value: "file", label: "As in the file" },
  { value: "weights", label: "Weights change the choice most" },
  { value: "methods", label: "Methods disagree most" },
] as const;

function QuestionList({ set }: { set: QuestionSet }) {
  const [address, change] = useUrlParams();
  const text = address.get("text");
  const order = readChoice(ORDERS, address.get("order"), "file");
  const list = useCursorList<QuestionRow>(["questions", set.id, text, order], questionsUrl(set.id, { text, order: order === "file" ? null : order }));
  return (
    <>
      <div className={styles.controls}>
        <SearchField label="Find a question or a candidate" text={text ?? ""} onChange={(typed) => change({ text: typed })} />
        <SelectField label="Order" value={order} options={ORDERS} onChange={(chosen) => change({ order: chosen === "file" ? null : chosen })} />
      </div>
      <QueryBoundary query={list} skeleton={<SkeletonRows rows={8} />} empty={<EmptyState>No question has this text. Search for another word.</EmptyState>}>
        {(rows) => <QuestionTable set={set} rows={rows} />}
      </QueryBoundary>
      <ShowMore list={list} label="Show more questions" />
    </>
  );
}

const SHARE_LABEL = <abbr title="The share of all weights that choose the same as equal weights. Low: the weights decide.">Weights that agree</abbr>;

function QuestionTable({ set, rows }: { set: QuestionSet; rows: QuestionRow[] }) {
  // One method alone has nothing to agree with; the sentence above names it once.
  const isCompared = rows.some(({ methods }) => methods.length > 1);
  return (
    <DataTable
      label={`Questions of ${set.name}`}
      columns={[
        "Question",
        { label: "Serendipitous by RNS", className: styles.far },
        { label: SHARE_LABEL, key: "share", className: styles.far },
        ...(isCompared ? [{ label: "Methods", className: styles.far }] : []),
        { label: "Candidates", isNumeric: true, className: styles.far },
      ]}
    >
      {rows.map((row) => <Row key={row.id} row={row} isCompared={isCompared} />)}
    </DataTable>
  );
}

function Row({ row, isCompared }: { row: QuestionRow; isCompared: boolean }) {
  const { rns_choice: choice, weight_share: share } = row.result;
  const chosen = choice ? formatList(choice) : "not computed";
  return (
    <tr>
      <th scope="row" className={styles.question}>
        {row.batch_number > 0 && <span className={styles.batch}>Batch {row.batch_number}, </span>}
        <span className={styles.count}>{row.number}</span><Link to={questionUrl(row.id)}>{row.text}</Link>
        <span className={styles.near}>
          {chosen}{share !== null && `, for ${shareLabel(share)} of the weights`}{isCompared && `; ${methodsLabel(row)}`}
        </span>
      </th>
      <td className={styles.far}>{choice ? chosen : <span className={styles.quiet}>{chosen}</span>}</td>
      <td className={styles.far}>{share === null ? <span className={styles.quiet}>not computed</span> : <Share share={share} />}</td>
      {isCompared && <td className={styles.far}>{methodsLabel(row)}</td>}
      <td data-numeric className={styles.far}>{formatCount(row.candidates)}</td>
    </tr>
  );
}

function Share({ share }: { share: number }) {
  return (
    <span className={styles.share}>
      <span className={styles.track} aria-hidden><span style={{ width: `${100 * share}%` }} /></span>
      <span className="number">{shareLabel(share)}</span>
    </span>
  );
}

function methodsLabel({ methods, result: { methods_differ: differ } }: QuestionRow): string {
  const who = formatList(methods.map((one) => METHOD_LABELS[one].who));
  if (methods.length === 0) return "no method yet";
  if (differ === null) return `${who} alone`;
  return `${who} ${differ ? "disagree" : "agree"}`;
}
