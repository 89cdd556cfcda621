import { useCallback, useImperativeHandle, useRef } from "react";
import { useOpenField } from "@/domains/studies/answer-board/useOpenField";
import { BecauseList } from "@/domains/studies/marks/BecauseList";
import { markChange, markKey, type EvidenceMark } from "@/domains/studies/marks/marks";
import type { EditorProps } from "@/domains/studies/studyKind";
import { hasOrder, markText, marksOf, orderOf, remarkChange, remarksOf, withMark, withOrder, type RankingAnswer, type RankingItem, type RemarkValues } from "./answer";
import { RankingBoard, type BoardHandle } from "./board/RankingBoard";
import { useRanking, type RankingChange } from "./board/useRanking";
import { CONFIDENCE_FIELD_ID, ConfidenceField } from "./ConfidenceField";
import { LinkMarks } from "./LinkMarks";
import { Remarks } from "./Remarks";
import styles from "./RankingEditor.module.css";

export function RankingEditor(props: EditorProps<RankingItem, RankingAnswer>) {
  const { item, initial, answer, response, isDemo, shortcutsEnabled, announce, onChange, onActivity, ref } = props;
  const board = useRef<BoardHandle>(null);
  const remarkField = useOpenField(false);
  const onRankingChange = useCallback(
    ({ kind, old, new: next, ranking }: RankingChange) => onChange(withOrder(ranking), { kind, old, new: next }),
    [onChange],
  );
  const control = useRanking(orderOf(initial), onRankingChange);
  const remarks = remarksOf(answer);
  const setRemark = <Name extends keyof RemarkValues>(name: Name, value: RemarkValues[Name]) => onChange(...remarkChange(answer, name, value));
  const marks = marksOf(answer);
  const toggle = (mark: EvidenceMark) => {
    const { message, step } = markChange(marks, mark);
    announce(message);
    if (step) onChange(withMark(mark), step);
  };
  const restoreFocus = () => board.current?.restoreFocus();

  useImperativeHandle(ref, () => ({
    focusFirst: () => board.current?.focusFirst(),
    restoreFocus,
    shortcuts: {
      s: () => document.querySelector<HTMLElement>(`#${CONFIDENCE_FIELD_ID} button`)?.focus(),
      c: remarkField.open,
    },
  }));

  return (
    <>
      <RankingBoard
        ref={board}
        candidates={item.candidates}
        prior={item.prior}
        priorName={isDemo ? "start" : "model"}
        control={control}
        isAnswered={hasOrder(response.submitted?.outcome ?? "")}
        shortcutsEnabled={shortcutsEnabled}
        announce={announce}
        onLinkOpened={({ id, link }) => onActivity("link_opened", { candidate: id, link })}
      />
      <div className={styles.remarks}>
        <ConfidenceField value={remarks.sureness} onChange={(value) => setRemark("sureness", value)} onLeave={restoreFocus} />
        <Remarks
          text={remarks.text}
          tags={remarks.tags}
          shortcutsEnabled={shortcutsEnabled}
          isOpen={remarkField.isOpen}
          onToggle={remarkField.toggle}
          field={remarkField.field}
          onTextChange={(text) => setRemark("text", text)}
          onTagsChange={(tags) => setRemark("tags", tags)}
          onLeave={restoreFocus}
        >
          <LinkMarks resources={item.resources} marks={marks} onToggle={toggle} />
        </Remarks>
        <BecauseList
          marks={marks.map((mark) => ({ key: markKey(mark), text: markText(item, mark) }))}
          onRemove={(at) => marks[at] && toggle(marks[at])}
        />
      </div>
    </>
  );
}
