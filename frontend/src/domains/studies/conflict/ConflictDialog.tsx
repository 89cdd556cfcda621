import type { Item, Payload, Response } from "@/api/contract";
import { Button } from "@/components/Button";
import { Dialog, DialogActions } from "@/components/Dialog";
import { formatDateTime } from "@/lib/format";
import { responseLabel, type AnswerDifference, type StudyKind } from "../studyKind";
import styles from "./Conflict.module.css";

interface Props {
  kind: StudyKind;
  item: Item;
  local: Payload;
  saved: Response;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  onKeepLocal: () => void;
  onAcceptSaved: () => void;
}

/** The same question was answered in two places. Closing the dialog decides nothing: both are kept. */
export function ConflictDialog({ kind, item, local, saved, isOpen, onOpenChange, onKeepLocal, onAcceptSaved }: Props) {
  const rows = kind.differences(item, local, saved.payload);
  const isSame = rows.every((row) => !row.isDifferent);
  return (
    <Dialog title={`Question ${item.number} was answered in two places`} isOpen={isOpen} onOpenChange={onOpenChange} width={680}>
      <p>
        {isSame
          ? `Both answers are the same; the saved one is marked: ${responseLabel(kind, saved)}.`
          : "This answer was also changed in another window or on another device. Choose which one to keep."}{" "}
        Until you choose, both are kept.
      </p>
      <VersionTable rows={rows} savedHead={`Saved${saved.updated_at ? ` ${formatDateTime(saved.updated_at)}` : ""}`} />
      <DialogActions>
        <Button variant="quiet" onPress={() => onOpenChange(false)}>Decide later</Button>
        <Button onPress={onAcceptSaved}>Take the saved one</Button>
        <Button variant="primary" onPress={onKeepLocal}>Keep mine</Button>
      </DialogActions>
    </Dialog>
  );
}

function VersionTable({ rows, savedHead }: { rows: AnswerDifference[]; savedHead: string }) {
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
            <tr key={`${index} ${row.label}`} className={row.isDifferent ? styles.differs : ""}>
              <th scope="row">{row.label} {row.isDifferent && <span className={styles.mark}>differs</span>}</th>
              <td>{row.local}</td>
              <td>{row.saved}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
