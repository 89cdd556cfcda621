import styles from "./Query.module.css";

export function Instructions() {
  return (
    <section className={styles.section} aria-labelledby="how-heading">
      <h2 id="how-heading">How to write</h2>
      <p>
        Each page shows an entity drawn at random from a graph, with its documents and links. Read them, and write the
        query of somebody who looks for this entity and does not know its name.
      </p>
      <p>
        A query that names its answer cannot be submitted; the name appears below the field. Choose{" "}
        <b>No query is possible</b> if nothing here leads to this entity. Keys <kbd>W</kbd> writes, <kbd>N</kbd> gives
        up, <kbd>C</kbd> comments.
      </p>
    </section>
  );
}
