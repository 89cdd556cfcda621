import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DataTable } from "@/components/DataTable";
import { Fact, Facts } from "@/components/Facts";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatCount, formatPercent, formatPlural } from "@/lib/format";
import { setStatisticsQuery, type QuestionSet, type SizeCount } from "./api";
import styles from "./SetStatistics.module.css";
import { groupSizes, type SizeGroup } from "./sizeGroups";

/** Words and answers of the questions of a set; read once it is opened. */
export function SetStatistics({ set }: { set: QuestionSet }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.statistics} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Statistics of the questions</summary>
      {isOpen && <Statistics set={set} />}
    </details>
  );
}

function Statistics({ set }: { set: QuestionSet }) {
  const query = useQuery(setStatisticsQuery(set.id));
  return (
    <QueryBoundary query={query} skeleton={<SkeletonRows rows={4} height={24} />}>
      {({ words, answers, ...found }) => (
        <>
          <Facts>
            <Fact name="Questions"><span className="number">{formatCount(found.questions)}</span></Fact>
            <Fact name="With several answers"><span className="number">{formatCount(found.with_several_answers)}</span></Fact>
            <Fact name="Answers of a question"><span className="number">{found.mean_answers.toFixed(2)}</span></Fact>
            <Fact name="Words of a question"><span className="number">{found.mean_words.toFixed(2)}</span></Fact>
            <Fact name="Shannon entropy"><span className="number">{`${found.shannon_entropy.toFixed(2)} bits`}</span></Fact>
            <Fact name="Type-token ratio"><span className="number">{found.type_token_ratio.toFixed(3)}</span></Fact>
          </Facts>
          <p className={styles.quiet}>
            Entropy and the share of different words are over all words of the questions, as in STaRK’s Table 3. The questions do not state which
            words are of relations and which of texts.
          </p>
          <div className={styles.charts}>
            <Sizes title="Questions by their number of words" unit="Words" sizes={words} />
            <Sizes title="Questions by their number of answers" unit="Answers" sizes={answers} />
          </div>
        </>
      )}
    </QueryBoundary>
  );
}

/** A bar beside each figure; the sentence states what they show. */
function Sizes({ title, unit, sizes }: { title: string; unit: string; sizes: SizeCount[] }) {
  const groups = groupSizes(sizes);
  const all = groups.reduce((sum, { questions }) => sum + questions, 0);
  const most = Math.max(1, ...groups.map(({ questions }) => questions));
  return (
    <figure className={styles.figure}>
      <figcaption><b>{title}.</b> {sizesSentence(groups, unit.toLowerCase(), all)}</figcaption>
      <DataTable label={title} columns={[unit, { label: "Questions", isNumeric: true }, { label: "Share", isNumeric: true }, { label: <span className="visually-hidden">Bar</span>, key: "bar" }]}>
        {groups.map(({ name, questions }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-numeric className="number">{formatCount(questions)}</td>
            <td data-numeric className="number">{formatPercent(questions / all)}</td>
            <td className={styles.cell}><span className={styles.bar} aria-hidden><span style={{ width: `${(100 * questions) / most}%` }} /></span></td>
          </tr>
        ))}
      </DataTable>
    </figure>
  );
}

function sizesSentence(groups: SizeGroup[], unit: string, all: number): string {
  const [first] = groups;
  if (first === undefined) return "There is no question.";
  const common = groups.reduce((before, one) => (one.questions > before.questions ? one : before), first);
  return `From ${formatCount(first.low)} to ${formatCount(groups.at(-1)?.high ?? first.high)} ${unit}; most often ${common.name}, in ${formatCount(common.questions)} of ${formatPlural(all, "question")}.`;
}
