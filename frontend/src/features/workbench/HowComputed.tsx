import { SelectField } from "@/components/SelectField";
import { coefficient, count } from "@/lib/format";
import { number } from "@/lib/evidenceWords";
import type { Auc, Embedding, Parameters } from "./api";
import styles from "./HowComputed.module.css";
import { CHOICES, OPTION_NAMES, type Options } from "./options";

interface Props {
  /** What the shown numbers were computed with; absent while nothing was. */
  parameters: Options | Parameters;
  onChoose: (name: keyof Options, value: string) => void;
  /** Those that matter here. */
  names?: (keyof Options)[];
}

/** What the paper leaves open, as choices; each asks the server anew. */
export function OptionFields({ parameters, onChoose, names = OPTION_NAMES }: Props) {
  return (
    <div className={styles.options}>
      {names.map((name) => {
        const { label, values } = CHOICES[name];
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
export function Facts({ parameters, embedding, surpriseError, marginalError }: FactsProps) {
  const { hops, damping, precision } = parameters;
  return (
    <div className={styles.facts}>
      <p>
        Walks of up to {hops} hops, longer ones weighing more (h / Σh); the marginal with damping {damping}
        {marginalError !== undefined && `, wrong by at most ${number(marginalError)} in all`}; numbers in {precision}
        {surpriseError !== null && surpriseError > 0 && `, S wrong by at most ${number(surpriseError)}`}.
      </p>
      {embedding && <Aucs embedding={embedding} />}
    </div>
  );
}

const NEGATIVE_WORDS = {
  uniform: "pairs drawn evenly",
  same_type: "pairs of the same types",
  degree_matched: "pairs whose ends have as many links",
};

/** A bad embedding must be seen: what it knows, beside what mere numbers of links know. */
export function Aucs({ embedding: { method, dimensions, without_vector: without, aucs } }: { embedding: Embedding }) {
  return (
    <>
      <p>
        Relevance compares vectors of {dimensions} numbers ({method === "gcn" ? "a trained network" : "propagation"}).{" "}
        {without > 0 && `${count(without)} entities without links have none and count as unlike all others. `}
        How well they tell links that they never saw from pairs without one (area under the curve, 0.5 is chance):
      </p>
      <ul>
        {aucs.map(({ negatives, n, embedding, degree_product: plain }) => (
          <li key={negatives}>
            Against {NEGATIVE_WORDS[negatives]}: {aucWords(embedding)}; the number of links alone {aucWords(plain)}, of {count(n)} pairs.
          </li>
        ))}
      </ul>
    </>
  );
}

function aucWords({ value, low, high }: Auc): string {
  if (value === null) return "too few to tell";
  return low === null || high === null ? coefficient(value) : `${coefficient(value)} (${coefficient(low)} to ${coefficient(high)})`;
}
