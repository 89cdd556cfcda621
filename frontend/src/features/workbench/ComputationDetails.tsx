import { SelectField } from "@/components/SelectField";
import { formatNumber } from "@/domains/graphs/evidenceLabels";
import { formatCoefficient, formatCount, formatPercent } from "@/lib/format";
import type { Auc, Embedding, Parameters, RankSummary } from "./api";
import styles from "./ComputationDetails.module.css";
import { OPTION_CHOICES, OPTION_NAMES, type Options } from "./options";

interface Props {
  /** What the shown numbers were computed with; absent while nothing was. */
  parameters: Options | Parameters;
  onChoose: (name: keyof Options, value: string) => void;
  /** Those that matter here. */
  names?: (keyof Options)[];
}

/** What the paper leaves open, as choices; each makes a new request. */
export function OptionFields({ parameters, onChoose, names = OPTION_NAMES }: Props) {
  return (
    <div className={styles.options}>
      {names.map((name) => {
        const { label, values } = OPTION_CHOICES[name];
        const value = String(parameters[name]);
        const hint = values.find((one) => one.value === value)?.hint;
        return <SelectField<string> key={name} label={label} value={value} options={values} hint={hint} onChange={(chosen) => onChoose(name, chosen)} />;
      })}
    </div>
  );
}

interface FactsProps {
  parameters: Parameters;
  embedding: Embedding | null;
  surpriseError: number | null;
  marginalError?: number;
}

/** The rest of what the numbers depend on, and how good they are. */
export function ComputationFacts({ parameters, embedding, surpriseError, marginalError }: FactsProps) {
  const { hops, damping } = parameters;
  return (
    <div className={styles.facts}>
      <p>
        Random walks of up to {hops} hops, weighted by length (h / Σh); stationary distribution with damping {damping}.
      </p>
      {embedding && <AucTable embedding={embedding} />}
      <details>
        <summary>Numerical precision</summary>
        <ul>
          <li>Numbers are computed in {parameters.precision}.</li>
          {surpriseError !== null && surpriseError > 0 && <li>The error of S is at most {formatNumber(surpriseError)}.</li>}
          {marginalError !== undefined && <li>The total error of the stationary distribution is at most {formatNumber(marginalError)}.</li>}
        </ul>
      </details>
    </div>
  );
}

const NEGATIVE_SAMPLING_LABELS = {
  uniform: "pairs drawn uniformly",
  same_type: "pairs of the same types",
  degree_matched: "pairs of the same degrees",
};

/** A bad embedding must be seen: what it knows, beside what mere numbers of links know. */
export function AucTable({ embedding: { method, dimensions, without_vector: without, aucs, ranks } }: { embedding: Embedding }) {
  return (
    <>
      <p>
        Relevance compares vectors of {dimensions} numbers ({method === "gcn" ? "a trained network" : "propagation"}).{" "}
        {without > 0 && `${formatCount(without)} entities have no links and no vector; they are treated as unlike all others. `}
        Area under the ROC curve for held-out links against unlinked pairs (0.5 is chance):
      </p>
      <ul>
        {aucs.map(({ negatives, n, embedding, degree_product: plain }) => (
          <li key={negatives}>
            Against {NEGATIVE_SAMPLING_LABELS[negatives]}: {aucLabel(embedding)}; the number of links alone {aucLabel(plain)}, of {formatCount(n)} pairs.
          </li>
        ))}
      </ul>
      {ranks?.embedding.mrr != null && (
        <p>
          Of {formatCount(ranks.embedding.n)} held-out links, each ranked among all unlinked entities: {rankLabel(ranks.embedding)}; by the number of links alone {rankLabel(ranks.degree_product)}.
        </p>
      )}
    </>
  );
}

function rankLabel({ mrr, hit10 }: RankSummary): string {
  return `mean reciprocal rank ${formatCoefficient(mrr ?? 0, 3)}, ${formatPercent(hit10 ?? 0)} among the first ten`;
}

function aucLabel({ value, low, high }: Auc): string {
  if (value === null) return "too few pairs";
  return low === null || high === null ? formatCoefficient(value) : `${formatCoefficient(value)} (${formatCoefficient(low)} to ${formatCoefficient(high)})`;
}
