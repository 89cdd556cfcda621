import styles from "@/domains/studies/scales/Scales.module.css";

export function Instructions() {
  return (
    <section className={styles.section} aria-labelledby="how-heading">
      <h2 id="how-heading">How to check</h2>
      <p>
        Each page shows a question with the graph pattern it was written from and what answers it. Rate its grammar, its
        clarity and its biological relevance from 1 to 5; what 1 and 5 mean is below each scale.
      </p>
      <p>
        If you know a better wording, choose <b>Correct the wording</b>: it is stored beside the original. Choose{" "}
        <b>Not sure</b> with a reason where you cannot judge. Keys <kbd>1</kbd> to <kbd>5</kbd> rate and go on,{" "}
        <kbd>N</kbd> is not sure, <kbd>W</kbd> corrects the wording.
      </p>
    </section>
  );
}
