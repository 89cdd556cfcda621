import { ExternalLink } from "../ExternalLink";
import styles from "./Definition.module.css";
import { WorkedExample } from "./WorkedExample";

const PARTS = [
  {
    part: "relevance",
    name: "Relevant",
    asks: "Does it answer the question as it is put?",
  },
  {
    part: "novelty",
    name: "New",
    asks: "Is it more than what a specialist would name at once?",
  },
  {
    part: "surprise",
    name: "Surprising",
    asks: "Does it get there by a way that was not expected, and that still makes sense?",
  },
] as const;

/** What serendipitous means here: three questions, and one answer weighed by them. */
export function Definition() {
  return (
    <div className={styles.definition}>
      <p>
        An answer is serendipitous when it is all three of these. Put first the one that, with all three
        weighed together, a colleague would be most glad to have come upon.
      </p>
      <ol className={styles.parts}>
        {PARTS.map(({ part, name, asks }) => (
          <li key={part} data-part={part}>
            <b>{name}</b>
            <span>{asks}</span>
          </li>
        ))}
      </ol>
      <p>
        An answer that is wrong for the question is not serendipitous, however surprising. Where two are
        equally so, tie them. Where you cannot tell, say that you are not sure.
      </p>
      <WorkedExample />
      <p className={styles.source}>
        Sources of the example:{" "}
        <ExternalLink href="https://www.fda.gov/news-events/press-announcements/fda-approves-novel-non-opioid-treatment-moderate-severe-acute-pain">
          FDA, 30 January 2025
        </ExternalLink>{" "}
        and DrugBank for the other three.
      </p>
    </div>
  );
}
