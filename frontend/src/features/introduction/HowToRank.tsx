import styles from "./Introduction.module.css";

/** The demo's first order was made up, and is not called a model's. */
export function HowToRank({ demo }: { demo: boolean }) {
  return (
    <section className={styles.section} aria-labelledby="how-heading">
      <h2 id="how-heading">How to rank</h2>
      <p>
        Each question comes with its candidates in{" "}
        {demo ? "an order made up for this demo" : "the order that language models gave them"}. Put the most
        serendipitous first. Three ways do the same; mix them as you like.
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
        When the order is right as it stands, say <b>I agree with this order</b>. When you have moved
        something, <b>Submit my order</b>. When you cannot tell, <b>Not sure</b> is a full answer.{" "}
        <b>Skip</b> leaves a question for the end of the batch. Everything is saved as you go, and you can
        come back to any answer.
      </p>
    </section>
  );
}
