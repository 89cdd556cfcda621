import { describe, expect, it } from "vitest";
import { boardShortcut } from "./boardShortcuts";

const NONE = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

describe("a key on a candidate", () => {
  it("with Alt moves it up and down, and leaves back and forward to the browser", () => {
    const alt = (key: string) => boardShortcut({ ...NONE, altKey: true, key }, true);
    expect(alt("ArrowUp")).toEqual({ do: "move", by: -1 });
    expect(alt("ArrowDown")).toEqual({ do: "move", by: 1 });
    expect(alt("ArrowLeft")).toBeNull();
    expect(alt("ArrowRight")).toBeNull();
  });

  it.each([
    ["ArrowLeft", -1],
    ["ArrowUp", -1],
    ["ArrowRight", 1],
    ["ArrowDown", 1],
  ])("alone (%s) goes to its neighbour", (key, by) => {
    expect(boardShortcut({ ...NONE, key }, false)).toEqual({ do: "focus", by });
  });
});
