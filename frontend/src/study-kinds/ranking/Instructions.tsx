import styles from "./Instructions.module.css";

/** The demo's first order was made up, and is not called a model's. */
export function Instructions({ isDemo }: { isDemo: boolean }) {
  return (
    <section className={styles.section} aria-labelledby="how-heading">
      <h2 id="how-heading">How to rank</h2>
      <p>
        You may start from {isDemo ? "an order made up for this demo" : "an order that language models gave"}, or from an
        arbitrary one. Put the most serendipitous first. Three ways do the same; mix them as you like.
      </p>
      <dl className={styles.ways}>
        <div>
          <dt>Drag</dt>
          <dd>Take a candidate by its handle and drop it where it belongs.</dd>
        </div>
        <div>
          <dt>Buttons</dt>
          <dd>The arrows on a candidate move it up or down by one place.</dd>
        </div>
        <div>
          <dt>Keys</dt>
          <dd>
            On a candidate, <kbd>Alt</kbd> + <kbd>↑</kbd> or <kbd>↓</kbd> moves it, a number key puts it at that
            place, <kbd>T</kbd> ties it with the one above, <kbd>U</kbd> undoes.
          </dd>
        </div>
      </dl>
      <p>
        If the order is right as it is, choose <b>I agree with this order</b> or <b>This is my order</b>. If you changed it, choose <b>Submit my order</b>. If you cannot decide, choose <b>Not sure</b>: it counts as an answer. <b>Skip</b> leaves a question unanswered. Every change is saved, and you can reopen every answer.
      </p>
    </section>
  );
}
