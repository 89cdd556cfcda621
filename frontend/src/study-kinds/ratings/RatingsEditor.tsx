import { ScaleBoard } from "@/domains/studies/scales/ScaleBoard";
import type { EditorProps } from "@/domains/studies/studyKind";
import type { RatingsAnswer, RatingsItem } from "./answer";
import { Details } from "./Details";

export function RatingsEditor({ item, answer, shortcutsEnabled, announce, onChange, ref }: EditorProps<RatingsItem, RatingsAnswer>) {
  return (
    <ScaleBoard ref={ref} item={item} answer={answer} shortcutsEnabled={shortcutsEnabled} announce={announce} onChange={onChange}>
      <Details text={item.details} />
    </ScaleBoard>
  );
}
