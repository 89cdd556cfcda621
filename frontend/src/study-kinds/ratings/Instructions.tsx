import styles from "@/domains/studies/scales/Scales.module.css";

export function Instructions() {
  return (
    <section className={styles.section} aria-labelledby="how-heading">
      <h2 id="how-heading">How to rate</h2>
      <p>
        Each page shows a text, such as a query for a knowledge graph, and a few scales. Rate
        each scale from 1 to 5; what 1 and 5 mean is below it. 3 is neither good nor bad.
      </p>
      <p>
        Choose <b>Not sure</b> with a reason where you cannot judge: it counts as an answer. Rate each text on its own,
        whatever you gave the one before. Keys <kbd>1</kbd> to <kbd>5</kbd> rate and go on, <kbd>N</kbd> is not sure.
      </p>
    </section>
  );
}
