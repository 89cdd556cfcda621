import { describe, expect, it } from "vitest";
import { makeBatch } from "@/test/visit";
import { batchState, batchName, nextBatch } from "./batches";

const study = makeBatch().study;
const fresh = makeBatch({ id: "fresh" });
const begun = makeBatch({ id: "begun", drafts: 1 });
const skipped = makeBatch({ id: "skipped", outcomes: { skipped: 2 } });
const done = makeBatch({ id: "done", answered: 10 });
const closed = makeBatch({ id: "closed", study: { ...study, status: "closed" } });

describe("a batch", () => {
  it("is begun by the first draft, answer or skip", () => {
    expect([fresh, begun, skipped, done, closed].map(batchState)).toEqual(["not begun", "begun", "begun", "done", "closed"]);
  });

  it("goes by its name, else by its number", () => {
    expect(batchName({ name: "Cancer", number: 3 })).toBe("Cancer");
    expect(batchName({ name: "", number: 3 })).toBe("Batch 3");
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
    const elsewhere = makeBatch({ id: "elsewhere", drafts: 1, study: { ...study, id: "study-2" } });
    expect(nextBatch([elsewhere, fresh], "study-1")?.id).toBe("fresh");
  });
});
