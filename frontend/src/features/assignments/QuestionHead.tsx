import { Waypoints } from "lucide-react";
import type { ReactNode } from "react";
import type { Assignment } from "@/api/contract";
import { Button } from "@/components/Button";
import { ExternalLink } from "@/components/ExternalLink";
import { Kbd } from "@/components/Kbd";
import { Tag } from "@/components/Tag";
import { linkLabel } from "@/domains/studies/linkLabel";
import { outcomeLabel, type StudyKind } from "@/domains/studies/studyKind";
import { formatRecentDate } from "@/lib/format";
import { FeedbackText } from "./AnswerFeedback";
import styles from "./AssignmentsPage.module.css";

interface Props {
  kind: StudyKind;
  assignment: Assignment;
  /** Whether the answer stands as it was submitted. */
  isSubmitted: boolean;
  onLinkOpened: (link: string) => void;
  /** Only where the study has a graph. */
  onEvidence?: () => void;
  shortcutsEnabled: boolean;
  /** What stands at the end of the first line. */
  children?: ReactNode;
}

export function QuestionHeader({ kind, assignment, isSubmitted, onLinkOpened, onEvidence, shortcutsEnabled, children }: Props) {
  const { item } = assignment;
  return (
    <div className={styles.head}>
      <p className={styles.about}>
        {item.category && <Tag>{categoryLabel(item.category)}</Tag>}
        <span>question {item.number}</span>
        {onEvidence && (
          <Button variant="quiet" onPress={onEvidence}>
            <Waypoints size={16} aria-hidden />
            Evidence
            {shortcutsEnabled && <Kbd>E</Kbd>}
          </Button>
        )}
        {children}
      </p>
      <h1 ref={publishHeight} className={styles.question}>{item.text}</h1>
      {item.resources.length > 0 && (
        <p className={styles.lookUp}>
          <span>Look up</span>
          {item.resources.map(({ name, link }, index) => (
            <span key={index} title={linkLabel(link)}>
              <ExternalLink href={link} onOpen={() => onLinkOpened(link)}>{name}</ExternalLink>
            </span>
          ))}
        </p>
      )}
      <PreviousAnswer kind={kind} assignment={assignment} isSubmitted={isSubmitted} />
    </div>
  );
}

/** The question stays in view while the page scrolls under it: what takes the focus stands clear of it. */
function publishHeight(question: HTMLElement | null) {
  const page = question?.closest("main");
  if (!question || !page) return;
  const observer = new ResizeObserver(() => {
    page.style.setProperty("--question", `${question.offsetHeight}px`);
    // A long one is scrolled by keys, too.
    if (question.scrollHeight > question.clientHeight) question.tabIndex = 0;
    else question.removeAttribute("tabindex");
  });
  observer.observe(question);
  return () => observer.disconnect();
}

/** The category as the file has it, with a space after its colon. */
const categoryLabel = (category: string) => category.replace(/:(?=\S)/g, ": ");

function PreviousAnswer({ kind, assignment, isSubmitted }: Pick<Props, "kind" | "assignment" | "isSubmitted">) {
  const { submitted, payload, status, outcome, feedback } = assignment.response;
  if (!submitted) return null;
  const isSkip = submitted.outcome === "skipped";
  const detail = kind.outcomeDetail(payload, submitted.outcome);
  const result = `${outcomeLabel(kind, submitted.outcome)}${detail && ` (${detail})`}`;
  const isReopened = status === "draft" && !isSubmitted;
  return (
    <p className={styles.before} data-state={outcome || status}>
      {isSkip ? "You skipped this" : "You submitted this"} {formatRecentDate(submitted.submitted_at)}
      {isSkip ? "." : `: ${result}.`}
      {isReopened && " Reopened: submit it again when you are done."}
      {feedback && <>{" "}<FeedbackText {...feedback} /></>}
    </p>
  );
}
