import { useImperativeHandle, useRef } from "react";
import type { Item, Payload } from "@/api/contract";
import type { EditorProps } from "@/domains/studies/studyKind";

export type RatingAnswer = Payload & { stars: number | null };

export function RatingEditor({ answer, onChange, ref }: EditorProps<Item, RatingAnswer>) {
  const field = useRef<HTMLInputElement>(null);
  const focus = () => field.current?.focus({ preventScroll: true });
  useImperativeHandle(ref, () => ({ focusFirst: focus, restoreFocus: focus, shortcuts: {} }));
  return (
    <fieldset>
      <legend>Your rating</legend>
      {[1, 2, 3, 4, 5].map((stars) => (
        <label key={stars}>
          <input
            ref={stars === 1 ? field : null}
            type="radio"
            name="stars"
            checked={answer.stars === stars}
            onChange={() => onChange((latest) => ({ ...latest, stars }), { kind: "starred", old: answer.stars, new: stars })}
          />
          {stars} of 5
        </label>
      ))}
    </fieldset>
  );
}
