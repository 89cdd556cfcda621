import type { EditorProps } from "@/domains/studies/studyKind";
import type { PairAnswer, PairItem } from "./answer";
import { PairBoard } from "./PairBoard";

export function PairEditor({ item, answer, shortcutsEnabled, announce, onChange, onActivity, ref }: EditorProps<PairItem, PairAnswer>) {
  return (
    <PairBoard
      ref={ref}
      item={item}
      answer={answer}
      shortcutsEnabled={shortcutsEnabled}
      announce={announce}
      onChange={onChange}
      onBackground={() => onActivity("background", null)}
    />
  );
}
