import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useOpenField } from "@/domains/studies/answer-board/useOpenField";
import type { AnswerStep, AnswerUpdate } from "@/domains/studies/studyKind";
import {
  isComplete,
  levelOf,
  reasonLabel,
  reasonOf,
  UNSURE_REASONS,
  withLevel,
  withReason,
  type Level,
  type ScaledAnswer,
  type ScaledItem,
  type UnsureReason,
} from "./scaledAnswer";

interface Options<Answer extends ScaledAnswer> {
  item: ScaledItem;
  answer: Answer;
  announce: (message: string) => void;
  onChange: (update: AnswerUpdate<Answer>, step: AnswerStep) => void;
}

/** What can be done with the scales, by key, mouse or touch, and where the focus goes then. */
export function useScaleActions<Answer extends ScaledAnswer>({ item: { scales }, answer, announce, onChange }: Options<Answer>) {
  const board = useRef<HTMLDivElement>(null);
  const names = scales.map(({ name }) => name);
  const [active, setActive] = useState(names.find((name) => !isComplete(answer, name)) ?? names[0] ?? "");
  const [openReasons, setOpenReasons] = useState<string | null>(null);
  const commentField = useOpenField(answer.comment !== "");
  useEffect(() => {
    const element = board.current;
    const followFocus = ({ target }: FocusEvent) => {
      const name = target instanceof Element && target.closest<HTMLElement>("[data-scale]")?.dataset.scale;
      if (name) setActive(name);
    };
    element?.addEventListener("focusin", followFocus);
    return () => element?.removeEventListener("focusin", followFocus);
  }, []);
  const elementOf = (name: string) => board.current?.querySelectorAll<HTMLElement>("[data-scale]")[names.indexOf(name)];

  const focusActive = () => elementOf(active)?.focus({ preventScroll: true });

  /** The neighbour, or the scale itself at either end. */
  function move(step: 1 | -1): void {
    elementOf(names[names.indexOf(active) + step] ?? active)?.focus();
  }

  function rate(name: string, level: Level): void {
    const step = { kind: "rated", old: { [name]: levelOf(answer, name) }, new: { [name]: level } };
    onChange((latest) => withLevel(latest, name, level), step);
    announce(`${name}: ${level}.`);
    setOpenReasons(null);
  }

  function chooseReason(name: string, reason: UnsureReason): void {
    const step = { kind: "unsure", old: { [name]: reasonOf(answer, name) }, new: { [name]: reason } };
    onChange((latest) => withReason(latest, name, reason), step);
    announce(`${name}: not sure, ${reasonLabel(reason).toLowerCase()}.`);
    setOpenReasons(null);
  }

  function showReasons(name: string): void {
    flushSync(() => setOpenReasons(name));
    elementOf(name)?.querySelector<HTMLElement>("[data-reason]")?.focus();
  }

  /** A digit chooses a level, or a reason while these are shown. */
  function pressDigit(level: Level): void {
    if (openReasons !== active) rate(active, level);
    else {
      const chosen = UNSURE_REASONS[level - 1];
      if (!chosen) return;
      chooseReason(active, chosen.reason);
    }
    move(1);
  }

  function closeReasons(): void {
    setOpenReasons(null);
    focusActive();
  }

  function comment(text: string): void {
    onChange((latest) => ({ ...latest, comment: text }), { kind: "comment", old: answer.comment, new: text, isContinued: true });
  }

  return {
    board,
    active,
    focusActive,
    move,
    rate,
    pressDigit,
    openReasons,
    chooseReason,
    closeReasons,
    showReasonsOfActive: () => showReasons(active),
    toggleReasons: (name: string) => (openReasons === name ? closeReasons() : showReasons(name)),
    comment,
    commentField,
  };
}

export type ScaleActions = Omit<ReturnType<typeof useScaleActions>, "board">;
