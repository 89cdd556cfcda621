import { render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, test } from "vitest";
import type { Ranking } from "@/api/contract";
import { useAnnouncer } from "../useAnnouncer";
import { RankingBoard } from "./RankingBoard";
import { useRanking, type Change } from "./useRanking";

const NAMES = ["Zinc", "Balsalazide", "NADH", "Uridine-5'-\"Diphosphate\", (x.y)[0] "];
const of = (names: string[]) =>
  names.map((name, index) => ({ id: `id-${index}`, name, link: "https://go.drugbank.com/drugs/DB01593", prior_rank: index + 1 }));

function show(names = NAMES, letters = true, { isAnswered = false, allTied = false } = {}) {
  const candidates = of(names);
  const ids = candidates.map(({ id }) => id);
  const prior: Ranking = allTied ? [ids] : ids.map((id) => [id]);
  const told: Change[] = [];
  function Board() {
    const control = useRanking(prior, (change) => told.push(change));
    const { say, region } = useAnnouncer();
    return (
      <>
        <RankingBoard
          candidates={candidates}
          prior={prior}
          control={control}
          isAnswered={isAnswered}
          letters={letters}
          say={say}
        />
        {region}
      </>
    );
  }
  const user = userEvent.setup();
  render(<Board />);
  return { user, told };
}

const cards = () => screen.getAllByRole("group").filter((node) => node.dataset.part === "card");
const shown = () => cards().map((node) => node.getAttribute("aria-label")?.split(", rank")[0]);
const last = (told: Change[]) => told.at(-1)?.ranking;

async function focusOn(user: ReturnType<typeof userEvent.setup>, place: number): Promise<void> {
  cards()[place]?.focus();
  await user.keyboard("{Shift}");
}

describe("three ways, one order", () => {
  const wanted = [["id-1"], ["id-0"], ["id-2"], ["id-3"]];

  test("by the arrow keys with Alt", async () => {
    const { user, told } = show();
    await focusOn(user, 1);
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    expect(last(told)).toEqual(wanted);
  });

  test("by a digit", async () => {
    const { user, told } = show();
    await focusOn(user, 1);
    await user.keyboard("1");
    expect(last(told)).toEqual(wanted);
  });

  test("by clicking its arrow", async () => {
    const { user, told } = show();
    await user.click(screen.getByRole("button", { name: "Move Balsalazide up" }));
    expect(last(told)).toEqual(wanted);
  });
});

test("a tie is made and undone by a click, a letter and undo alike", async () => {
  const { user, told } = show();
  await user.click(screen.getByRole("button", { name: "Tie NADH with Balsalazide" }));
  expect(last(told)).toEqual([["id-0"], ["id-1", "id-2"], ["id-3"]]);
  await user.click(screen.getByRole("button", { name: /^Undo/ }));
  await focusOn(user, 2);
  await user.keyboard("t");
  expect(last(told)).toEqual([["id-0"], ["id-1", "id-2"], ["id-3"]]);
  await user.keyboard("u");
  await user.keyboard("{Shift>}U{/Shift}");
  expect(told.map((change) => change.kind)).toEqual(["tied", "undone", "tied", "undone", "redone"]);
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
  const { user, told } = show(NAMES, false);
  await focusOn(user, 2);
  await user.keyboard("1tuj");
  expect(told).toEqual([]);
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  expect(told).toHaveLength(1);
});

test("a name is shown as the file has it, whatever characters it holds", () => {
  show();
  expect(shown()).toContain(NAMES[3]);
});

test("two candidates are a pair: one is chosen, or they are equal", async () => {
  const { user, told } = show(["Zinc", "Calcium"]);
  await user.click(screen.getByRole("button", { name: "Choose: Calcium" }));
  expect(last(told)).toEqual([["id-1"], ["id-0"]]);
  await user.click(screen.getByRole("button", { name: /^Equal/ }));
  expect(last(told)?.map((group) => group.toSorted())).toEqual([["id-0", "id-1"]]);
});

describe("a pair that she has not decided", () => {
  const pressed = () =>
    screen.getAllByRole("button", { pressed: true }).map((button) => button.getAttribute("aria-label"));

  test("shows nothing as chosen, whatever the model put first", () => {
    show(["Zinc", "Calcium"]);
    expect(screen.queryAllByRole("button", { pressed: true })).toEqual([]);
    expect(screen.queryByText("Chosen")).not.toBeInTheDocument();
  });

  test("takes the model's first for her choice when she presses it, and that is said", async () => {
    const { user, told } = show(["Zinc", "Calcium"]);
    await user.click(screen.getByRole("button", { name: "Choose: Zinc" }));
    expect(pressed()).toEqual(["Chosen: Zinc"]);
    expect(document.querySelector("[data-announcer]")).toHaveTextContent("Zinc, rank 1 of 2, as before");
    expect(told).toEqual([]);
  });

  test("is undecided again when her choice is undone", async () => {
    const { user } = show(["Zinc", "Calcium"]);
    await user.click(screen.getByRole("button", { name: "Choose: Calcium" }));
    expect(pressed()).toEqual(["Chosen: Calcium"]);
    await user.click(screen.getByRole("button", { name: /^Undo/ }));
    expect(screen.queryAllByRole("button", { pressed: true })).toEqual([]);
  });

  test("keeps her choice of the model's first through a second thought that is undone", async () => {
    const { user } = show(["Zinc", "Calcium"]);
    await user.click(screen.getByRole("button", { name: "Choose: Zinc" }));
    await user.click(screen.getByRole("button", { name: "Choose: Calcium" }));
    await user.click(screen.getByRole("button", { name: /^Undo/ }));
    expect(pressed()).toEqual(["Chosen: Zinc"]);
  });

  test("may be called equal where the model tied them, without untying them", async () => {
    const { user, told } = show(["Zinc", "Calcium"], true, { allTied: true });
    expect(screen.queryAllByRole("button", { pressed: true })).toEqual([]);
    await user.click(screen.getByRole("button", { name: /^Equal/ }));
    expect(pressed()).toEqual([expect.stringMatching(/^Equal/)]);
    expect(told).toEqual([]);
  });

  test("shows the choice of an answer that she gave before", () => {
    show(["Zinc", "Calcium"], true, { isAnswered: true });
    expect(pressed()).toEqual(["Chosen: Zinc"]);
  });
});
