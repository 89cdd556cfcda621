import { Quote, X } from "lucide-react";
import { Button } from "@/components/Button";
import styles from "./Marks.module.css";

interface Props {
  marks: { key: string; text: string }[];
  /** With the place of the mark. */
  onRemove: (at: number) => void;
}

/** What is marked, each with a way to take it back; nothing where nothing is. */
export function BecauseList({ marks, onRemove }: Props) {
  if (!marks.length) return null;
  return (
    <ul className={styles.because} aria-label="What decided">
      {marks.map(({ key, text }, at) => (
        <li key={key}>
          <Quote size={13} aria-hidden />
          <span>Because: {text}</span>
          <Button variant="quiet" size="icon" onPress={() => onRemove(at)} aria-label={`Remove the mark: ${text}`}><X size={16} aria-hidden /></Button>
        </li>
      ))}
    </ul>
  );
}
