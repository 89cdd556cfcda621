import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { Button } from "@/components/Button";
import { Confirm } from "@/components/Confirm";
import { FaultTable } from "@/components/FaultTable";
import { ProgressBar } from "@/components/ProgressBar";
import { Tag } from "@/components/Tag";
import { fetchFile, keepFile } from "@/lib/downloads";
import { count, moment } from "@/lib/format";
import { rnsPlace } from "@/lib/graphs/places";
import { sentenceOf } from "@/lib/problems";
import { Aucs } from "../HowComputed";
import { cancelComputation, hasEnded, scoresAddress, type Computation, type Result } from "./api";
import styles from "./Computing.module.css";
import { choicesOf, chosenOf, progressWords, resultWords, STATE_WORDS, titleOf } from "./words";

interface Props {
  all: Computation[];
  nameOfSet: (id: string) => string | null;
  /** Just asked for: it says so. */
  current: string | null;
}

/** Hers, the latest first: how far each is, what is wrong with it, what came of it. */
export function ComputationList({ all, nameOfSet, current }: Props) {
  return (
    <ol className={styles.list}>
      {all.map((one) => (
        <li key={one.id} data-current={one.id === current || undefined}>
          <OneComputation of={one} setName={one.question_set && nameOfSet(one.question_set)} />
        </li>
      ))}
    </ol>
  );
}

function OneComputation({ of, setName }: { of: Computation; setName: string | null }) {
  const title = titleOf(of, setName);
  const choices = choicesOf(of);
  const isOpen = !hasEnded(of);
  return (
    <article className={styles.one} aria-label={title}>
      <header className={styles.head}>
        <h3>{title}</h3>
        <Tag>{STATE_WORDS[of.state].toLowerCase()}</Tag>
        <span className={styles.quiet}>{moment(of.created_at)}</span>
      </header>
      {choices && <p className={styles.quiet}>Other than by itself: {choices}.</p>}
      {isOpen && (
        <>
          <ProgressBar label={`Done of: ${title}`} value={Math.floor(of.percent)} total={100} />
          <div className={styles.head}>
            <p role="status">{progressWords(of)}</p>
            <Cancel of={of} title={title} />
          </div>
        </>
      )}
      {of.state === "failed" && <p className={styles.bad}>{of.fault || "Nothing was computed, and the server does not say why."}</p>}
      {of.state === "done" && <Done of={of} />}
    </article>
  );
}

function Done({ of }: { of: Computation }) {
  const { kind, result } = of;
  const { aucs, method, dimensions } = result;
  return (
    <>
      <p>{resultWords(of)}</p>
      {kind === "embedding" && aucs && method && dimensions !== undefined && (
        <details className={styles.more}>
          <summary>How good they are</summary>
          <Aucs embedding={{ aucs, method, dimensions, without_vector: result.without_vector ?? 0 }} />
        </details>
      )}
      {kind === "partition" && <LeftOut result={result} />}
      {kind === "scoring" ? <Scores of={of} /> : <p><NextPlace of={of} /></p>}
    </>
  );
}

/** Where what came of it is of use. */
function NextPlace({ of }: { of: Computation }) {
  const { kind, graph, snapshot, question_set: set } = of;
  if (kind === "partition" && set !== null) return <Link to={`/workbench?set=${set}`}>Open its questions</Link>;
  return <Link to={rnsPlace({ slug: graph, snapshot }, {}, { ...chosenOf(of) })}>Measure sets in this graph</Link>;
}

function LeftOut({ result: { left_out: left = {}, left_out_total: total = 0 } }: { result: Result }) {
  const rows = Object.entries(left).map(([question, why]) => ({ where: `question ${question} of its file`, what: why, more: "" }));
  if (rows.length === 0) return null;
  const title = rows.length < total ? `Left out, the first ${count(rows.length)} of ${count(total)}` : "Left out";
  return (
    <details className={styles.more}>
      <summary>Which questions were left out, and why</summary>
      <FaultTable title={title} rows={rows} level={3} />
    </details>
  );
}

/** The file of results, and the lines that could not be scored. */
function Scores({ of: { id, result } }: { of: Computation }) {
  const { failed = 0, faults = [] } = result;
  const keeping = useMutation({
    mutationFn: async () => keepFile(await fetchFile({ address: scoresAddress(id) }), `rns-${id}.jsonl`),
  });
  const title = faults.length < failed ? `Lines that could not be scored, the first ${count(faults.length)} of ${count(failed)}` : "Lines that could not be scored";
  return (
    <>
      <div>
        <Button onPress={() => keeping.mutate()} isPending={keeping.isPending}>
          <Download size={16} aria-hidden /> Download the results
        </Button>
      </div>
      {keeping.isError && <p role="alert" className={styles.bad}>Not downloaded: {sentenceOf(keeping.error)}</p>}
      {faults.length > 0 && (
        <FaultTable
          title={title}
          rows={faults.map(({ line, id: named, message }) => ({ where: `line ${count(line)}${named === null ? "" : `, ${String(named)}`}`, what: message, more: "" }))}
          level={3}
        />
      )}
    </>
  );
}

/** One that ended meanwhile is not cancelled: then what became of it is read. */
function Cancel({ of: { id }, title }: { of: Computation; title: string }) {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const read = () => queries.invalidateQueries({ queryKey: ["computations"] });
  const cancelling = useMutation({ mutationFn: () => cancelComputation(id), onSettled: () => void read() });
  return (
    <>
      <Button onPress={() => setAsking(true)} aria-label={`Cancel: ${title}`}>Cancel</Button>
      <Confirm
        title="Cancel this computation?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action="Cancel the computation"
        doing="Cancelling"
        back="Let it go on"
        onConfirm={() => cancelling.mutate()}
        busy={cancelling.isPending}
        error={cancelling.error}
      >
        <p>{title}. What was worked off so far is thrown away; what was computed before stays.</p>
      </Confirm>
    </>
  );
}
