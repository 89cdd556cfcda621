import type { EditorProps } from "@/domains/studies/studyKind";
import type { QuestionCheckAnswer, QuestionCheckItem } from "./answer";
import { CheckBoard } from "./CheckBoard";

export function CheckEditor({ item, answer, shortcutsEnabled, announce, onChange, ref }: EditorProps<QuestionCheckItem, QuestionCheckAnswer>) {
  return <CheckBoard ref={ref} item={item} answer={answer} shortcutsEnabled={shortcutsEnabled} announce={announce} onChange={onChange} />;
}
