import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Item, Response } from "@/api/contract";
import { rankingPayload } from "@/test/offline/fakeServer";
import { kind } from "@/study-kinds/ranking";
import { ConflictDialog } from "./ConflictDialog";

const candidate = (id: string, name: string) => ({ id, name, link: "", prior_rank: 1 });

const item: Item = {
  id: "q",
  file_id: "0",
  number: 7,
  text: "",
  category: "",
  resources: [],
  candidates: [candidate("z", "Zinc"), candidate("n", "NADH"), candidate("c", "Calcium")],
  prior: [["z"], ["n"], ["c"]],
} as Item;

const saved: Response = {
  version: 4,
  status: "submitted",
  outcome: "changed",
  payload: rankingPayload([["n"], ["z"], ["c"]], { confidence: 2, reasons: ["well_known"], comment: "From the other computer" }),
  active_ms: 1000,
  updated_at: "2026-01-01T10:00:00Z",
  submitted: null,
};

const local = { ...saved.payload, ranking: [["z"], ["n", "c"]], confidence: 4 };

function show() {
  const handlers = { onKeepLocal: vi.fn(), onAcceptSaved: vi.fn(), onOpenChange: vi.fn() };
  render(<ConflictDialog kind={kind} item={item} local={local} saved={saved} isOpen {...handlers} />);
  return handlers;
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

  it("does what is chosen, and nothing when that is left for later", async () => {
    const handlers = show();
    await userEvent.click(screen.getByRole("button", { name: "Decide later" }));
    expect(handlers.onOpenChange).toHaveBeenCalledWith(false);
    expect(handlers.onKeepLocal).not.toHaveBeenCalled();
    expect(handlers.onAcceptSaved).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole("button", { name: "Keep mine" }));
    expect(handlers.onKeepLocal).toHaveBeenCalledOnce();
    await userEvent.click(screen.getByRole("button", { name: "Take the saved one" }));
    expect(handlers.onAcceptSaved).toHaveBeenCalledOnce();
  });
});

describe("an answer to be kept elsewhere", () => {
  it("is complete: the order, the confidence, the reasons and the comment", () => {
    expect(kind.summarize(item, local)).toEqual([
      "1. Zinc",
      "2. NADH and Calcium (tied)",
      "Confidence: 4 of 5",
      "Reasons: Well known",
      "Comment: From the other computer",
    ]);
  });

  it("includes the reason for not being sure", () => {
    const unsure = { ...local, confidence: null, reasons: [], comment: "", unsure_reason: "too_close" };
    expect(kind.summarize(item, unsure).slice(2)).toEqual([
      "Confidence: none",
      "Reasons: none",
      "Not sure: They are too close to call",
    ]);
  });
});
