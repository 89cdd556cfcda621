import { describe, expect, it } from "vitest";
import { aBatch } from "@/test/visit";
import { batchState, nameOf, nextBatch } from "./batches";

const study = aBatch().study;
const fresh = aBatch({ id: "fresh" });
const begun = aBatch({ id: "begun", drafts: 1 });
const skipped = aBatch({ id: "skipped", skipped: 2 });
const done = aBatch({ id: "done", answered: 10 });
const closed = aBatch({ id: "closed", study: { ...study, status: "closed" } });

describe("a batch", () => {
  it("is begun by the first draft, answer or skip", () => {
    expect([fresh, begun, skipped, done, closed].map(batchState)).toEqual([
      "not begun",
      "begun",
      "begun",
      "done",
      "closed",
    ]);
  });

  it("goes by its name, else by its number", () => {
    expect(nameOf({ name: "Cancer", number: 3 })).toBe("Cancer");
    expect(nameOf({ name: "", number: 3 })).toBe("Batch 3");
  });
});

describe("what to rank next", () => {
  it("is what is under way before what is new", () => {
    expect(nextBatch([done, fresh, begun])?.id).toBe("begun");
    expect(nextBatch([done, fresh])?.id).toBe("fresh");
  });

  it("is nothing when all is done or closed", () => {
    expect(nextBatch([done, closed])).toBeUndefined();
  });

  it("stays inside the study that was asked for", () => {
    const elsewhere = aBatch({ id: "elsewhere", drafts: 1, study: { ...study, id: "study-2" } });
    expect(nextBatch([elsewhere, fresh], "study-1")?.id).toBe("fresh");
  });
});
