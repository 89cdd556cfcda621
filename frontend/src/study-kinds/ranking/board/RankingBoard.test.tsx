import { render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import { useAnnouncer } from "@/components/useAnnouncer";
import { RankingBoard } from "./RankingBoard";
import type { Ranking } from "./rankingModel";
import { useRanking, type RankingChange } from "./useRanking";

const NAMES = ["Zinc", "Balsalazide", "NADH", "Uridine-5'-\"Diphosphate\", (x.y)[0] "];
const of = (names: string[]) =>
  names.map((name, index) => ({ id: `id-${index}`, name, link: "https://go.drugbank.com/drugs/DB01593", prior_rank: index + 1 }));

function show(names = NAMES, letters = true, { isAnswered = false, allTied = false, hasPrior = true } = {}) {
  const candidates = of(names);
  const ids = candidates.map(({ id }) => id);
  const start: Ranking = allTied ? [ids] : ids.map((id) => [id]);
  const changes: RankingChange[] = [];
  function Board() {
    const control = useRanking(start, (change) => changes.push(change));
    const { announce, region } = useAnnouncer();
    return (
      <>
        <RankingBoard
          candidates={candidates}
          prior={hasPrior ? start : undefined}
          control={control}
          isAnswered={isAnswered}
          shortcutsEnabled={letters}
          announce={announce}
        />
        {region}
      </>
    );
  }
  const user = userEvent.setup();
  render(<Board />);
  return { user, changes };
}

const cards = () => screen.getAllByRole("group").filter((node) => node.dataset.part === "card");
const shown = () => cards().map((node) => node.getAttribute("aria-label")?.split(", rank")[0]);
const last = (changes: RankingChange[]) => changes.at(-1)?.ranking;

async function focusOn(user: ReturnType<typeof userEvent.setup>, place: number): Promise<void> {
  cards()[place]?.focus();
  await user.keyboard("{Shift}");
}

describe("three ways, one order", () => {
  const expected = [["id-1"], ["id-0"], ["id-2"], ["id-3"]];

  test("by the arrow keys with Alt", async () => {
    const { user, changes } = show();
    await focusOn(user, 1);
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    expect(last(changes)).toEqual(expected);
  });

  test("by a digit", async () => {
    const { user, changes } = show();
    await focusOn(user, 1);
    await user.keyboard("1");
    expect(last(changes)).toEqual(expected);
  });

  test("by clicking its arrow", async () => {
    const { user, changes } = show();
    await user.click(screen.getByRole("button", { name: "Move Balsalazide up" }));
    expect(last(changes)).toEqual(expected);
  });
});

test("a tie is made and undone by a click, a letter and undo alike", async () => {
  const { user, changes } = show();
  await user.click(screen.getByRole("button", { name: "Tie NADH with Balsalazide" }));
  expect(last(changes)).toEqual([["id-0"], ["id-1", "id-2"], ["id-3"]]);
  await user.click(screen.getByRole("button", { name: /^Undo/ }));
  await focusOn(user, 2);
  await user.keyboard("t");
  expect(last(changes)).toEqual([["id-0"], ["id-1", "id-2"], ["id-3"]]);
  await user.keyboard("u");
  await user.keyboard("{Shift>}U{/Shift}");
  expect(changes.map((change) => change.kind)).toEqual(["tied", "undone", "tied", "undone", "redone"]);
});

test.each([
  ["Undo", "Nothing to undo."],
  ["Redo", "Nothing to redo."],
])("%s keeps the focus when nothing is left, and says so", async (name, words) => {
  const { user } = show();
  await user.click(screen.getByRole("button", { name: "Move Balsalazide up" }));
  if (name === "Redo") await user.click(screen.getByRole("button", { name: /^Undo/ }));
  const button = screen.getByRole("button", { name: new RegExp(`^${name}`) });
  button.focus();
  await user.keyboard("{Enter}");
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.keyboard("{Enter}");
  expect(document.querySelector("[data-announcer]")).toHaveTextContent(words);
});

test("a move is said aloud, and focus goes with the card", async () => {
  const { user } = show();
  await focusOn(user, 0);
  await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
  expect(document.querySelector("[data-announcer]")).toHaveTextContent("Zinc, rank 2 of 4");
  expect(cards()[1]).toHaveFocus();
});

test("the prior is one quiet word, and where a card came from is said in words", async () => {
  const { user } = show();
  expect(within(cards()[0] as HTMLElement).getByText("model’s 1st")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Move Zinc down" }));
  expect(within(cards()[1] as HTMLElement).getByText("down from model’s 1st")).toBeVisible();
});

test("letters and digits do nothing when they are turned off, the arrows still do", async () => {
  const { user, changes } = show(NAMES, false);
  await focusOn(user, 2);
  await user.keyboard("1tuj");
  expect(changes).toEqual([]);
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  expect(changes).toHaveLength(1);
});

test("a name is shown as the file has it, whatever characters it holds", () => {
  show();
  expect(shown()).toContain(NAMES[3]);
});

test("two candidates are a pair: one is chosen, or they are equal", async () => {
  const { user, changes } = show(["Zinc", "Calcium"]);
  await user.click(screen.getByRole("button", { name: "Choose: Calcium" }));
  expect(last(changes)).toEqual([["id-1"], ["id-0"]]);
  await user.click(screen.getByRole("button", { name: /^Equal/ }));
  expect(last(changes)?.map((group) => group.toSorted())).toEqual([["id-0", "id-1"]]);
});

describe("a pair that is not decided", () => {
  const pressed = () => screen.getAllByRole("button", { pressed: true }).map((button) => button.getAttribute("aria-label"));

  test("shows nothing as chosen, whatever the model put first", () => {
    show(["Zinc", "Calcium"]);
    expect(screen.queryAllByRole("button", { pressed: true })).toEqual([]);
    expect(screen.queryByText("Chosen")).not.toBeInTheDocument();
  });

  test("takes the model's first as the choice when it is pressed, and announces it", async () => {
    const { user, changes } = show(["Zinc", "Calcium"]);
    await user.click(screen.getByRole("button", { name: "Choose: Zinc" }));
    expect(pressed()).toEqual(["Chosen: Zinc"]);
    expect(document.querySelector("[data-announcer]")).toHaveTextContent("Zinc, rank 1 of 2, as before");
    expect(changes).toEqual([]);
  });

  test("is undecided again when the choice is undone", async () => {
    const { user } = show(["Zinc", "Calcium"]);
    await user.click(screen.getByRole("button", { name: "Choose: Calcium" }));
    expect(pressed()).toEqual(["Chosen: Calcium"]);
    await user.click(screen.getByRole("button", { name: /^Undo/ }));
    expect(screen.queryAllByRole("button", { pressed: true })).toEqual([]);
  });

  test("keeps the choice of the model's first through a second thought that is undone", async () => {
    const { user } = show(["Zinc", "Calcium"]);
    await user.click(screen.getByRole("button", { name: "Choose: Zinc" }));
    await user.click(screen.getByRole("button", { name: "Choose: Calcium" }));
    await user.click(screen.getByRole("button", { name: /^Undo/ }));
    expect(pressed()).toEqual(["Chosen: Zinc"]);
  });

  test("may be called equal where the model tied them, without untying them", async () => {
    const { user, changes } = show(["Zinc", "Calcium"], true, { allTied: true });
    expect(screen.queryAllByRole("button", { pressed: true })).toEqual([]);
    await user.click(screen.getByRole("button", { name: /^Equal/ }));
    expect(pressed()).toEqual([expect.stringMatching(/^Equal/)]);
    expect(changes).toEqual([]);
  });

  test("shows the choice of an earlier answer", () => {
    show(["Zinc", "Calcium"], true, { isAnswered: true });
    expect(pressed()).toEqual(["Chosen: Zinc"]);
  });
});

describe("without a prior", () => {
  const hidden = { hasPrior: false };

  test("cards state their rank and nothing of another order, also once they have moved", async () => {
    const { user, changes } = show(NAMES, true, hidden);
    expect(cards().map((one) => one.getAttribute("aria-label"))).toEqual(NAMES.map((name, at) => `${name}, rank ${at + 1} of 4`));
    await user.click(screen.getByRole("button", { name: "Move Balsalazide up" }));
    expect(last(changes)).toEqual([["id-1"], ["id-0"], ["id-2"], ["id-3"]]);
    expect(document.body).not.toHaveTextContent(/model|start|from/);
  });

  test("a pair has the order that would be submitted on its cards, and nothing chosen", async () => {
    const { user } = show(["Zinc", "Calcium"], true, hidden);
    expect(cards().map((one) => within(one).getByText(/^now/).textContent)).toEqual(["now 1st", "now 2nd"]);
    expect(screen.queryAllByRole("button", { pressed: true })).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Choose: Calcium" }));
    expect(cards().map((one) => within(one).getByText(/^now/).textContent)).toEqual(["now 2nd", "now 1st"]);
    await user.click(screen.getByRole("button", { name: /^Equal/ }));
    expect(cards().map((one) => within(one).getByText("equal").textContent)).toEqual(["equal", "equal"]);
  });

  test("a pair shows the choice of an earlier answer that is the order at the start", () => {
    show(["Zinc", "Calcium"], true, { ...hidden, isAnswered: true });
    expect(screen.getByRole("button", { pressed: true })).toHaveAccessibleName("Chosen: Zinc");
  });
});
