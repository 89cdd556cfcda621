import { render, screen } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { useRef, useState, type KeyboardEvent, type ReactElement, type RefObject } from "react";
import type { Payload } from "@/api/contract";
import type { AnswerStep, AnswerUpdate, EditorHandle } from "@/domains/studies/studyKind";

export interface BoardProps<Answer extends Payload> {
  ref: RefObject<EditorHandle | null>;
  answer: Answer;
  shortcutsEnabled: true;
  announce: (words: string) => void;
  onChange: (update: AnswerUpdate<Answer>, step: AnswerStep) => void;
}

interface Options<Answer extends Payload> {
  start: Answer;
  /** Where keys act. */
  isOnBoard: (target: EventTarget | null) => boolean;
  board: (props: BoardProps<Answer>) => ReactElement;
}

/** What a test reads of a board. `focus`: as when its question appears. */
export interface AnswerBoard<Answer extends Payload> {
  readonly answer: Answer;
  readonly steps: AnswerStep[];
  readonly announced: string[];
  readonly user: UserEvent;
  readonly focus: () => Promise<void>;
}

/** Render a kind's board on a page that hands it the keys. */
export function renderBoard<Answer extends Payload>({ start, isOnBoard, board }: Options<Answer>): AnswerBoard<Answer> {
  const user = userEvent.setup();
  const updates: AnswerUpdate<Answer>[] = [];
  const steps: AnswerStep[] = [];
  const announced: string[] = [];
  const shown: AnswerBoard<Answer> = {
    get answer() {
      return updates.reduce((answer, update) => update(answer), start);
    },
    steps,
    announced,
    user,
    focus: () => user.click(screen.getByRole("button", { name: "focus" })),
  };
  const announce = (words: string) => void announced.push(words);
  function record(update: AnswerUpdate<Answer>, step: AnswerStep): void {
    updates.push(update);
    steps.push(step);
  }
  function Page() {
    const [latest, setLatest] = useState(start);
    const handle = useRef<EditorHandle>(null);
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = isOnBoard(event.target) ? handle.current?.shortcuts[event.key.toLowerCase()] : undefined;
      if (shortcut) event.preventDefault();
      shortcut?.();
    };
    const onChange: BoardProps<Answer>["onChange"] = (update, step) => {
      record(update, step);
      setLatest(update);
    };
    return (
      // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- stands for the page
      <div onKeyDown={onKeyDown}>
        <button type="button" onClick={() => handle.current?.focusFirst()}>focus</button>
        {board({ ref: handle, answer: latest, shortcutsEnabled: true, announce, onChange })}
      </div>
    );
  }
  render(<Page />);
  return shown;
}
