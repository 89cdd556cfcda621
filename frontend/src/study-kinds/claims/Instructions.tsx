import styles from "./Claim.module.css";

export function Instructions() {
  return (
    <section className={styles.section} aria-labelledby="how-heading">
      <h2 id="how-heading">How to verify</h2>
      <p>
        Each question is a claim, with the documents and edges of a graph that were found for it. Judge by this
        evidence alone: does it support the claim, contradict it, or not settle it?
      </p>
      <p>
        Mark each sentence or edge that decides. If the study requires a mark for <b>Supported</b> and{" "}
        <b>Contradicted</b>, the page states it. Choose <b>Not sure</b> if you cannot judge.
      </p>
      <p className={styles.keys}>
        Keys <kbd>1</kbd> to <kbd>3</kbd> and <kbd>N</kbd> choose, <kbd>J</kbd> and <kbd>K</kbd> move, <kbd>Space</kbd>{" "}
        marks.
      </p>
    </section>
  );
}
