import type { Assignment, Response } from "@/api/contract";
import { Button } from "@/components/Button";
import { Dialog, DialogActions } from "@/components/Dialog";
import { moment } from "@/lib/format";
import type { Answer } from "@/lib/offline";
import { STATE_WORDS } from "@/lib/words";
import { compare, type Row } from "./compare";
import styles from "./Conflict.module.css";

interface Props {
  question: Assignment["question"];
  mine: Answer;
  saved: Response;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  onKeepMine: () => void;
  onTakeSaved: () => void;
}

/** The same question was answered in two places. Closing decides nothing: both are kept. */
export function ConflictDialog({ question, mine, saved, isOpen, onOpenChange, onKeepMine, onTakeSaved }: Props) {
  const rows = compare(question.candidates, mine, saved);
  const same = rows.every((row) => !row.differs);
  return (
    <Dialog
      title={`Question ${question.number} was answered in two places`}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      width={680}
    >
      <p>
        {same
          ? `Both answers are the same; the saved one is marked: ${STATE_WORDS[saved.state]}.`
          : "This answer was also changed in another window or on another device. Choose which one stands."}{" "}
        Until you choose, both are kept.
      </p>
      <Versions rows={rows} savedHead={`Saved${saved.updated_at ? ` ${moment(saved.updated_at)}` : ""}`} />
      <DialogActions>
        <Button look="quiet" onPress={() => onOpenChange(false)}>
          Decide later
        </Button>
        <Button onPress={onTakeSaved}>Take the saved one</Button>
        <Button look="primary" onPress={onKeepMine}>
          Keep mine
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Versions({ rows, savedHead }: { rows: Row[]; savedHead: string }) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="visually-hidden">Both answers, line by line</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">Mine, on this device</th>
            <th scope="col">{savedHead}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${index} ${row.label}`} className={row.differs ? styles.differs : ""}>
              <th scope="row">
                {row.label} {row.differs && <span className={styles.mark}>differs</span>}
              </th>
              <td>{row.mine}</td>
              <td>{row.saved}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
