import type { Question, Response } from "@/api/contract";
import { CandidateName, PriorWord } from "@/components/ranking/CandidateName";
import { flat, isTied, ranksOf } from "@/components/ranking/model";
import { priorWords, type PriorName } from "@/components/ranking/words";
import { REASON_WORDS } from "@/lib/answerWords";
import styles from "./ReadOnlyAnswer.module.css";

interface Props {
  question: Question;
  response: Response;
  priorName: PriorName;
}

/** Her answer where it can no longer change. */
export function ReadOnlyAnswer({ question, response, priorName }: Props) {
  const { ranking } = response;
  return (
    <>
      <ol className={styles.list} aria-label="The order, most serendipitous first">
        {flat(ranking).map((id) => {
          const candidate = question.candidates.find((one) => one.id === id);
          if (!candidate) return null;
          return (
            <li key={id} className={styles.card}>
              <span className={styles.rank}>
                {ranksOf(ranking).get(id)}
                {isTied(ranking, id) && "="}
              </span>
              <CandidateName candidate={candidate} onLinkOpened={nothing} />
              <PriorWord words={priorWords(ranking, question.prior, id, priorName)} />
            </li>
          );
        })}
      </ol>
      <Remarks response={response} />
    </>
  );
}

/** Nothing is written to a closed study, not even which links were followed. */
function nothing(): void {}

function Remarks({ response: { confidence, reasons, comment } }: Pick<Props, "response">) {
  const lines: [string, string][] = [
    ["How sure", confidence === null ? "" : `${confidence} of 5`],
    ["Reasons", reasons.map((reason) => REASON_WORDS[reason]).join(", ")],
    ["Comment", comment],
  ];
  const said = lines.filter(([, what]) => what !== "");
  if (!said.length) return null;
  return (
    <dl className={styles.remarks}>
      {said.map(([name, what]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
