import styles from "./Definition.module.css";

const PARTS = [
  {
    word: "Relevant",
    className: styles.relevance,
    text: "It answers the question: a plausible path in biology or medicine leads from the one to the other.",
  },
  {
    word: "New",
    className: styles.novelty,
    text: "It is not what the textbook, the guideline or a first search would give you.",
  },
  {
    word: "Surprising",
    className: styles.surprise,
    text: "You would not have thought of it, and once you see why it fits, you learn something.",
  },
];

/** What serendipitous means here, and one worked example; the same words wherever it is shown. */
export function SerendipityDefinition({ note }: { note?: string | undefined }) {
  return (
    <div className={styles.definition}>
      <p>An answer is serendipitous as far as it is all three:</p>
      <dl className={styles.parts}>
        {PARTS.map(({ word, className, text }) => (
          <div key={word}>
            <dt className={className}>{word}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p>Surprise alone does not count: an answer that cannot be right comes last, however odd it is.</p>
      <Example note={note} />
    </div>
  );
}

function Example({ note }: { note: string | undefined }) {
  return (
    <section className={styles.example} aria-label="A worked example">
      <p className={styles.question}>Suppose it is 2007. Which medicines might shrink an infantile haemangioma?</p>
      <ol className={styles.answers}>
        <li>
          <b>Propranolol.</b> A beta blocker for the heart, in nobody’s guideline for a skin tumour. Yet it
          narrows vessels and slows their growth; a year later it was seen to do so by chance. Relevant, new
          and surprising.
        </li>
        <li>
          <b>Timolol.</b> Another beta blocker, in eye drops. It fits for the same reason, so once you have
          the first it surprises less.
        </li>
        <li><b>Prednisolone.</b> It works, and everyone gives it. Relevant, neither new nor surprising.</li>
        <li><b>Omeprazole.</b> Unexpected, but nothing leads from it to the tumour. Not relevant, so last.</li>
      </ol>
      {note && <p>{note}</p>}
    </section>
  );
}
