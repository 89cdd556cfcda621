import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import type { Board } from "@/domains/evaluation/queries";
import { BoardCards } from "./BoardCards";
import { readBoardView } from "./boardView";

const row = (place: number) => ({
  submission: `entry-${place}`, rank: { best: place, worst: place }, model: { name: `Model ${place}` }, scores: {}, provenance: "evaluated", is_simulated: false,
});
const results = Array.from({ length: 14 }, (_, at) => row(at + 1));
const board = { name: "Pairs", matching: 14, entries: 14, results } as unknown as Board;

function show(address: string): void {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <BoardCards board={board} view={readBoardView(new URLSearchParams(address))} columns={[]} onSort={() => {}} onChoose={() => {}} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test("ten cards stand at first, and all on request", async () => {
  show("");
  expect(screen.getAllByRole("listitem")).toHaveLength(10);
  await userEvent.click(screen.getByRole("button", { name: "Show all 14 entries" }));
  expect(screen.getAllByRole("listitem")).toHaveLength(14);
});

test("a compared entry is shown wherever it stands", () => {
  show("compare=entry-13");
  expect(screen.getAllByRole("listitem")).toHaveLength(11);
  expect(screen.getByRole("checkbox", { name: /Model 13/ })).toBeChecked();
});
