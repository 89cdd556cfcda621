import styles from "./Instructions.module.css";

export function Instructions() {
  return (
    <section className={styles.section} aria-labelledby="how-heading">
      <h2 id="how-heading">How to compare</h2>
      <p>
        Each question shows two hypotheses, A and B, each with its rationale. Choose the better one: which is more
        likely true, and which rationale rests on facts? Programs may have written them; which one is not shown.
      </p>
      <p>
        Choose <b>Both bad</b> if neither is worth a test, and <b>Not sure</b> if you cannot judge: both count as
        answers. You can mark the sentence that decided, and comment. Keys <kbd>1</kbd> to <kbd>5</kbd>, <kbd>B</kbd>{" "}
        and <kbd>N</kbd> choose.
      </p>
    </section>
  );
}
