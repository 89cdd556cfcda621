import { DataTable } from "@/components/DataTable";
import { coefficient } from "@/lib/format";
import { number } from "@/lib/evidenceWords";
import { OwnScale, PartLegend, ScoreBar, totalOfBar } from "./Bar";
import { storedOf, type Bench, type BenchCandidate, type BenchPartition } from "./api";
import styles from "./CandidateTable.module.css";
import type { Weights } from "./simplex";
import { METHOD_WORDS } from "./words";

interface Props {
  bench: Bench;
  weights: Weights;
  chosen: ReadonlySet<number>;
  shown: number | null;
  onShow: (position: number) => void;
}

/** Candidates in their own order, which no weight moves: only bars and marks follow the hand. */
export function CandidateTable({ bench, weights, chosen, shown, onShow }: Props) {
  const stored = storedOf(bench);
  const largest = Math.max(0, ...bench.candidates.map(({ bar }) => Math.abs(bar?.mutual_information ?? 0)));
  return (
    <div className={styles.part}>
      <div className={styles.head}>
        <PartLegend />
        <p>Each bar is the partition with that candidate alone as its serendipity set. R is 0 or less, so the bar draws 1 + R. N is 1 − MI and looks the same everywhere, so MI, in bits, has a scale of its own.</p>
      </div>
      <DataTable label="Candidates with their scores and partitions" minWidth={stored.length > 0 ? 760 : 560}>
        <thead>
          <tr>
            <th scope="col">Candidate</th>
            <th scope="col">Score by part</th>
            <th scope="col" data-numeric className={styles.far}>RNS</th>
            <th scope="col" data-numeric>
              <abbr title="Mutual information of the two sets, in bits. Only their entities are counted, so it may fall below 0.">MI</abbr>
            </th>
            {bench.splits && <th scope="col" className={styles.far}>{METHOD_WORDS.rns.column}</th>}
            {stored.map(({ method }) => <th key={method} scope="col">{METHOD_WORDS[method].column}</th>)}
          </tr>
        </thead>
        <tbody>
          {bench.candidates.map((candidate) => (
            <Row
              key={candidate.position}
              candidate={candidate}
              weights={weights}
              largest={largest}
              isChosen={bench.splits ? chosen.has(candidate.position) : null}
              stored={stored}
              isShown={shown === candidate.position}
              onShow={onShow}
            />
          ))}
        </tbody>
      </DataTable>
    </div>
  );
}

interface RowProps {
  candidate: BenchCandidate;
  weights: Weights;
  largest: number;
  /** Null where there is nothing to choose among. */
  isChosen: boolean | null;
  stored: BenchPartition[];
  isShown: boolean;
  onShow: (position: number) => void;
}

function Row({ candidate, weights, largest, isChosen, stored, isShown, onShow }: RowProps) {
  const { position, name, entity, embedded, bar } = candidate;
  return (
    <tr data-shown={isShown || undefined}>
      <th scope="row">
        {bar ? (
          <button type="button" className={styles.name} aria-pressed={isShown} onClick={() => onShow(position)}>{name}</button>
        ) : (
          <span className={styles.absent}>{name}</span>
        )}
        {bar && (
          <span className={styles.near}>
            {isChosen !== null && <Side isSerendipitous={isChosen} />} <span className="number">RNS {coefficient(totalOfBar(bar, weights), 3)}</span>
          </span>
        )}
      </th>
      {bar ? (
        <>
          <td>
            <ScoreBar bar={bar} weights={weights} />
            {!embedded && <span className={styles.note}>no vector: counted as unlike all others</span>}
          </td>
          <td data-numeric className={`${styles.total} ${styles.far}`}>{coefficient(totalOfBar(bar, weights), 3)}</td>
          <td data-numeric>
            {number(bar.mutual_information)}
            <OwnScale value={bar.mutual_information} largest={largest} />
          </td>
        </>
      ) : (
        <>
          <td className={styles.note}>
            {entity ? "The same entity as another candidate, or not scored here: part of no partition" : "Not in this graph: part of no partition"}
          </td>
          <td className={styles.far} />
          <td />
        </>
      )}
      {isChosen !== null && <td className={styles.far}>{bar ? <Side isSerendipitous={isChosen} /> : <span className={styles.note}>left out</span>}</td>}
      {stored.map(({ method, serendipity, existing }) => (
        <td key={method} className={styles.side}>{sideWord(position, serendipity, existing)}</td>
      ))}
    </tr>
  );
}

function Side({ isSerendipitous }: { isSerendipitous: boolean }) {
  return (
    <span className={styles.tag} data-serendipitous={isSerendipitous || undefined}>
      {isSerendipitous ? "serendipitous" : "existing"}
    </span>
  );
}

function sideWord(position: number, serendipity: number[], existing: number[]): string {
  if (serendipity.includes(position)) return "serendipitous";
  return existing.includes(position) ? "existing" : "left out";
}
