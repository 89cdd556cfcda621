import type { EditorProps } from "@/domains/studies/studyKind";
import type { WrittenQueryAnswer, WrittenQueryItem } from "./answer";
import { QueryBoard } from "./QueryBoard";

export function QueryEditor({ item, answer, shortcutsEnabled, announce, onChange, ref }: EditorProps<WrittenQueryItem, WrittenQueryAnswer>) {
  return <QueryBoard ref={ref} item={item} answer={answer} shortcutsEnabled={shortcutsEnabled} announce={announce} onChange={onChange} />;
}
