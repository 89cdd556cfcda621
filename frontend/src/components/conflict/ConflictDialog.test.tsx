import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Assignment, Response } from "@/api/contract";
import { answerLines } from "./compare";
import { ConflictDialog } from "./ConflictDialog";

const candidate = (id: string, name: string) => ({ id, name, link: "", prior_rank: 1 });

const question = {
  id: "q",
  number: 7,
  candidates: [candidate("z", "Zinc"), candidate("n", "NADH"), candidate("c", "Calcium")],
} as unknown as Assignment["question"];

const saved: Response = {
  version: 4,
  state: "changed",
  ranking: [["n"], ["z"], ["c"]],
  confidence: 2,
  reasons: ["well_known"],
  comment: "From the other room",
  unsure_reason: "",
  active_ms: 1000,
  updated_at: "2026-01-01T10:00:00Z",
  submitted: null,
};

const mine = { ...saved, ranking: [["z"], ["n", "c"]], confidence: 4 };

function show() {
  const told = { onKeepMine: vi.fn(), onTakeSaved: vi.fn(), onOpenChange: vi.fn() };
  render(<ConflictDialog question={question} mine={mine} saved={saved} isOpen {...told} />);
  return told;
}

describe("an answer that was changed in two places", () => {
  it("shows both in ranks and words, and marks what differs", () => {
    show();
    const row = (name: RegExp) => screen.getByRole("row", { name });
    expect(within(row(/^Zinc/)).getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["1", "2"]);
    expect(row(/^Calcium/)).toHaveTextContent("2, tied3");
    expect(row(/^Confidence/)).toHaveTextContent("differs4 of 52 of 5");
    expect(row(/^Comment/)).not.toHaveTextContent("differs");
    expect(row(/^Reasons/)).toHaveTextContent("Well known");
  });

  it("does what she decides, and nothing when she decides later", async () => {
    const told = show();
    await userEvent.click(screen.getByRole("button", { name: "Decide later" }));
    expect(told.onOpenChange).toHaveBeenCalledWith(false);
    expect(told.onKeepMine).not.toHaveBeenCalled();
    expect(told.onTakeSaved).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole("button", { name: "Keep mine" }));
    expect(told.onKeepMine).toHaveBeenCalledOnce();
    await userEvent.click(screen.getByRole("button", { name: "Take the saved one" }));
    expect(told.onTakeSaved).toHaveBeenCalledOnce();
  });
});

describe("an answer to be kept elsewhere", () => {
  it("is whole: the order, how sure, the reasons and the comment", () => {
    expect(answerLines(question.candidates, mine)).toEqual([
      "1. Zinc",
      "2. NADH and Calcium (tied)",
      "Confidence: 4 of 5",
      "Reasons: Well known",
      "Comment: From the other room",
    ]);
  });

  it("says why she was not sure", () => {
    const unsure = { ...mine, confidence: null, reasons: [], comment: "", unsure_reason: "too_close" as const };
    expect(answerLines(question.candidates, unsure).slice(2)).toEqual([
      "Confidence: none",
      "Reasons: none",
      "Not sure: They are too close to call",
    ]);
  });
});
