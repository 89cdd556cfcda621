import type { EditorProps } from "@/domains/studies/studyKind";
import type { ClaimAnswer, ClaimItem } from "./answer";
import { ClaimBoard } from "./ClaimBoard";

export function ClaimEditor({ item, answer, shortcutsEnabled, announce, onChange, ref }: EditorProps<ClaimItem, ClaimAnswer>) {
  return <ClaimBoard ref={ref} item={item} answer={answer} shortcutsEnabled={shortcutsEnabled} announce={announce} onChange={onChange} />;
}
