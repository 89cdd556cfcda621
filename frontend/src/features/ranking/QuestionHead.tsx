import type { Assignment } from "@/api/contract";
import { ExternalLink } from "@/components/ExternalLink";
import { linkLabel } from "@/components/ranking/links";
import { Tag } from "@/components/Tag";
import { UNSURE_WORDS } from "@/lib/answerWords";
import { when } from "@/lib/format";
import { STATE_WORDS } from "@/lib/words";
import styles from "./RankingPage.module.css";
import { categoryWords } from "./words";

interface Props {
  assignment: Assignment;
  asOpened: boolean;
  onLinkOpened: (link: string) => void;
}

export function QuestionHead({ assignment, asOpened, onLinkOpened }: Props) {
  const { question } = assignment;
  return (
    <div className={styles.head}>
      <p className={styles.about}>
        {question.category && <Tag>{categoryWords(question.category)}</Tag>}
        <span>question {question.number}</span>
      </p>
      <h1 className={styles.question}>{question.text}</h1>
      {question.resources.length > 0 && (
        <p className={styles.lookUp}>
          <span>Look up</span>
          {question.resources.map(({ name, link }, index) => (
            <span key={index} title={linkLabel(link)}>
              <ExternalLink href={link} onOpen={() => onLinkOpened(link)}>
                {name}
              </ExternalLink>
            </span>
          ))}
        </p>
      )}
      <Before assignment={assignment} asOpened={asOpened} />
    </div>
  );
}

/** What she said about it before, where she did. */
function Before({ assignment, asOpened }: Omit<Props, "onLinkOpened">) {
  const { submitted, unsure_reason, state } = assignment.response;
  if (!submitted) return null;
  const why = submitted.state === "not_sure" && unsure_reason ? ` (${UNSURE_WORDS[unsure_reason].toLowerCase()})` : "";
  const reopened = state === "draft" || !asOpened;
  return (
    <p className={styles.before} data-state={state}>
      {submitted.state === "skipped" ? "You skipped this" : "You submitted this"} {when(submitted.submitted_at)}
      {submitted.state === "skipped" ? "." : `: ${STATE_WORDS[submitted.state]}${why}.`}
      {reopened && " Reopened: submit it again when it is as you want it."}
    </p>
  );
}
