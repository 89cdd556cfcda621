import styles from "./Introduction.module.css";

/** The last point is about the panel of evidence, which no study has whose questions carry their own. */
export function RecordedDataList({ ofKind, hasOwnEvidence }: { ofKind: string[]; hasOwnEvidence: boolean }) {
  return (
    <section className={styles.section} aria-labelledby="recorded-heading">
      <h2 id="recorded-heading">What is recorded</h2>
      <ul className={styles.points}>
        {ofKind.map((text) => <li key={text}>{text}</li>)}
        <li>How long a question took you. The clock stops while the page is hidden, or after 60 seconds without any input.</li>
        <li>Which look-up links you opened from a question, and when you opened the definition.</li>
        {!hasOwnEvidence && <li>Where the study shows evidence, for which candidates you looked at it, and when.</li>}
      </ul>
      <p>
        The coordinators of this study see this with your name and e-mail address, and can export it. Other
        experts do not see your answers. Nothing that you do on the pages you look up is recorded.
      </p>
    </section>
  );
}
