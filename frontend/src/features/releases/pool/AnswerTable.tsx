import { DataTable } from "@/components/DataTable";
import { AllRowsButton, useFirstRows } from "@/components/FirstRows";
import { formatCount } from "@/lib/format";
import styles from "../Releases.module.css";
import type { AnswerToJudge } from "./queries";

const SHOWN_FIRST = 10;
const COLUMNS = [{ label: "Order", isNumeric: true }, "Answer", "Question", "Ranked by", { label: "Effect", isNumeric: true }];

/** The first answers to judge: those whose verdict is most likely to change the board. */
export function AnswerTable({ answers, unjudged }: { answers: AnswerToJudge[]; unjudged: number }) {
  const { shown, more } = useFirstRows(answers, SHOWN_FIRST);
  return (
    <>
      <DataTable label="Answers to judge first" minWidth={760} folds columns={COLUMNS}>
        {shown.map((row) => (
          <tr key={row.position}>
            <th scope="row" data-numeric>{formatCount(row.position)}</th>
            <td className={styles.cell}>{row.name}{row.name !== row.answer && <div className={styles.quiet}>{row.answer}</div>}</td>
            <td className={styles.cell}>{row.question}<div className={styles.quiet}>item {row.item}</div></td>
            <td className={styles.cell}>{row.entries.map(({ model, rank }) => `${model} (${rank})`).join(", ")}</td>
            <td data-numeric className="number">{row.effect.toFixed(2)}</td>
          </tr>
        ))}
      </DataTable>
      <p className={styles.quiet}>
        The effect is the expected change of the board by one verdict; the largest is 1.
        {unjudged > shown.length && ` ${formatCount(shown.length)} of ${formatCount(unjudged)} are shown.`}
      </p>
      <AllRowsButton more={more} of="of these" />
    </>
  );
}
