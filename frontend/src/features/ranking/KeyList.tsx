import { Switch } from "react-aria-components";
import styles from "./KeyList.module.css";

const ALWAYS: [string[], string][] = [
  [["↑", "↓"], "the candidate before, the one after"],
  [["Alt ↑", "Alt ↓"], "move it up, move it down"],
  [["Ctrl Z"], "undo; with Shift, redo"],
  [["Ctrl ↵"], "the main button: agree, or submit my order"],
];

const LETTERS: [string[], string][] = [
  [["J", "K"], "the candidate after, the one before"],
  [["1 to 9"], "place it at this rank"],
  [["T"], "tie it with the one above, or untie"],
  [["U", "Shift U"], "undo, redo"],
  [["A", "A"], "one after the other: I agree with this order"],
  [["N"], "not sure"],
  [["C"], "comment and reasons"],
  [["E"], "evidence for it, where the study has a graph; again to go there"],
  [["H"], "what serendipitous means"],
  [["?"], "these keys"],
];

interface Props {
  letters: boolean;
  onLetters: (on: boolean) => void;
}

export function KeyList({ letters, onLetters }: Props) {
  return (
    <div className={styles.keys}>
      <p>A candidate that has focus has a blue ring. These keys act on it.</p>
      <Keys rows={ALWAYS} />
      <Switch className={styles.switch ?? ""} isSelected={letters} onChange={onLetters}>
        <span className={styles.track} aria-hidden>
          <span className={styles.knob} />
        </span>
        Single letters and digits act on a candidate
      </Switch>
      {letters ? <Keys rows={LETTERS} /> : <p className={styles.off}>Off on this device. Buttons and dragging do all of it.</p>}
    </div>
  );
}

function Keys({ rows }: { rows: [string[], string][] }) {
  return (
    <dl className={styles.list}>
      {rows.map(([keys, what]) => (
        <div key={what}>
          <dt>
            {keys.map((key, index) => (
              <kbd key={index} className={styles.key}>
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
