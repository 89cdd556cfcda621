import { DataTable } from "@/components/DataTable";
import { SelectField } from "@/components/SelectField";
import { formatNumber } from "@/domains/graphs/evidenceLabels";
import { readChoice } from "@/lib/choices";
import { formatCoefficient } from "@/lib/format";
import { useMediaQuery } from "@/lib/useMediaQuery";
import { storedPartitions, type Workbench, type WorkbenchCandidate, type WorkbenchPartition } from "./api";
import { ScaleNote, PartLegend, ScoreBar, barTotal, constantParts } from "./Bar";
import { CANDIDATE_ORDERS, sortCandidates, type CandidateOrder } from "./candidateOrder";
import styles from "./CandidateTable.module.css";
import { METHOD_LABELS, sideLabel } from "./labels";
import type { Weights } from "@/lib/weights/simplex";

interface Props {
  bench: Workbench;
  weights: Weights;
  chosen: ReadonlySet<number>;
  shown: number | null;
  /** The order that the address names. */
  order: string | null;
  onOrder: (order: CandidateOrder) => void;
  onShow: (position: number) => void;
}

const MUTUAL_INFORMATION_LABEL = (
  <abbr title="Mutual information of the two sets, in bits. It uses only their entities, so it can be negative.">MI</abbr>
);

/** Where name and bar alone fit beside each other. */
const NARROW = "(max-width: 600px)";

/** Candidates in the order of the file, which no weight moves, or in another that the reader chooses. */
export function CandidateTable({ bench, weights, chosen, shown, order: named, onOrder, onShow }: Props) {
  const stored = storedPartitions(bench);
  const isNarrow = useMediaQuery(NARROW);
  const largest = Math.max(0, ...bench.candidates.map(({ bar }) => Math.abs(bar?.mutual_information ?? 0)));
  const constant = constantParts(bench.candidates.flatMap(({ bar }) => bar ?? []));
  const order = readChoice(CANDIDATE_ORDERS, named, "file");
  return (
    <div className={styles.part}>
      <div className={styles.head}>
        <SelectField label="Order of the candidates" value={order} options={CANDIDATE_ORDERS} onChange={onOrder} />
        <PartLegend constant={constant} />
        <p>Each bar scores the partition with that candidate alone as its serendipity set. R lowers the score (left of the zero line); N and S raise it (right). The mark is the RNS. N is 1 − MI and differs little, so MI, in bits, has its own scale.</p>
      </div>
      <DataTable
        label="Candidates with their scores and partitions" {...(!isNarrow && { minWidth: stored.length > 0 ? 760 : 560 })}
        columns={[
          "Candidate",
          "Score by part",
          { label: "RNS", isNumeric: true, className: styles.far },
          { label: MUTUAL_INFORMATION_LABEL, key: "mi", isNumeric: true, className: styles.far },
          ...(bench.splits ? [{ label: METHOD_LABELS.rns.column, className: styles.far }] : []),
          ...stored.map(({ method }) => METHOD_LABELS[method].column),
        ]}
      >
        {sortCandidates(bench.candidates, order, weights).map((candidate) => (
          <Row
            key={candidate.position}
            candidate={candidate}
            weights={weights}
            largest={largest}
            constant={constant}
            isChosen={bench.splits ? chosen.has(candidate.position) : null}
            stored={stored}
            isShown={shown === candidate.position}
            onShow={onShow}
          />
        ))}
      </DataTable>
    </div>
  );
}

interface RowProps {
  candidate: WorkbenchCandidate;
  weights: Weights;
  largest: number;
  constant: ReturnType<typeof constantParts>;
  /** Null where there is nothing to choose among. */
  isChosen: boolean | null;
  stored: WorkbenchPartition[];
  isShown: boolean;
  onShow: (position: number) => void;
}

function Row({ candidate, weights, largest, constant, isChosen, stored, isShown, onShow }: RowProps) {
  const { position, name, entity, embedded, bar } = candidate;
  return (
    <tr data-shown={isShown || undefined}>
      <th scope="row">
        {bar ? (
          <button type="button" className={styles.name} aria-pressed={isShown} onClick={() => onShow(position)}>{name}</button>
        ) : <span className={styles.absent}>{name}</span>}
        {bar && (
          <span className={styles.near}>
            {isChosen !== null && <SideCell isSerendipitous={isChosen} />} <span className="number">RNS {formatCoefficient(barTotal(bar, weights), 3)}</span>
          </span>
        )}
      </th>
      {bar ? (
        <>
          <td>
            <ScoreBar bar={bar} weights={weights} constant={constant} />
            {!embedded && <span className={styles.note}>no vector: treated as unlike all others</span>}
          </td>
          <td data-numeric className={`${styles.total} ${styles.far}`}>{formatCoefficient(barTotal(bar, weights), 3)}</td>
          <td data-numeric className={styles.far}>
            {formatNumber(bar.mutual_information)}
            <ScaleNote value={bar.mutual_information} largest={largest} />
          </td>
        </>
      ) : (
        <>
          <td className={styles.note}>
            {entity ? "Duplicate of another candidate, or not scored: in no partition" : "Not in this graph: in no partition"}
          </td>
          <td className={styles.far} />
          <td className={styles.far} />
        </>
      )}
      {isChosen !== null && <td className={styles.far}>{bar ? <SideCell isSerendipitous={isChosen} /> : <span className={styles.note}>left out</span>}</td>}
      {stored.map((partition) => (
        <td key={partition.method} className={styles.side}>{sideLabel(partition, position, "left out")}</td>
      ))}
    </tr>
  );
}

function SideCell({ isSerendipitous }: { isSerendipitous: boolean }) {
  return (
    <span className={styles.tag} data-serendipitous={isSerendipitous || undefined}>
      {isSerendipitous ? "serendipitous" : "existing"}
    </span>
  );
}
