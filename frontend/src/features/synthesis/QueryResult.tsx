import { Tag } from "@/components/Tag";
import { formatList, formatPlural } from "@/lib/format";
import { outcomeLabel, roleLabel, STEP_LABELS } from "./labels";
import type { SynthesizedQuery } from "./queries";
import styles from "./Synthesis.module.css";

/** One query from its relation to its answers; why it was dropped, if it was. */
export function QueryResult({ query }: { query: SynthesizedQuery }) {
  const { role, relation, outcome, reason, step, gold, properties, first_text, text, answers, candidates, gold_passed } = query;
  return (
    <li className={styles.query}>
      <p className={styles.text} dir="auto">{text || first_text || relation}</p>
      <p className={styles.marks}>
        <Tag>{outcome ? outcomeLabel(outcome) : STEP_LABELS[step]}</Tag> <Tag>{roleLabel(role)}</Tag>
        {gold_passed === false && <Tag>Gold answer refused</Tag>}
      </p>
      {reason !== "" && <p className={styles.quiet}><bdi>{reason}</bdi></p>}
      <details>
        <summary>From relation to answers</summary>
        <p>Relation: <bdi>{relation}</bdi></p>
        <p>Gold answer: <bdi>{gold.name}</bdi> (<bdi>{gold.id}</bdi>)</p>
        {first_text !== "" && <p>First text: <bdi>{first_text}</bdi></p>}
        <ul>{properties.map(({ text: stated, is_hard, source }) => <li key={`${is_hard} ${stated} ${source}`}>{is_hard ? "Hard" : "Soft"}: <bdi>{stated}</bdi>. Source: <q><bdi>{source}</bdi></q></li>)}</ul>
        {answers.length > 0 && <p>{formatPlural(answers.length, "answer")} of {formatPlural(candidates, "candidate")}: <bdi>{formatList(answers)}</bdi></p>}
      </details>
    </li>
  );
}
