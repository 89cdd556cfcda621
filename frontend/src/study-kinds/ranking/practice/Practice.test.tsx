import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute, type RecordedRequest } from "@/test/visit";
import { makeQuestion } from "./fixtures";
import { PracticePlayer } from "./PracticePlayer";

const QUESTIONS = [makeQuestion("Which drugs can treat acute pain?"), makeQuestion("Which drugs can treat gout?")];

let requests: RecordedRequest[];

beforeEach(() => {
  requests = mockServer(({ path }) => (path === "/api/v1/practice-questions" ? jsonResponse({ results: QUESTIONS }) : undefined));
  renderRoute([{ path: "/", Component: PracticePlayer }], "/");
});

const order = () => screen.getAllByRole("listitem").slice(0, 3).map(({ textContent }) => textContent);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

it("shows what the visitor's order means, and sends nothing anywhere", async () => {
  await press("Move Suzetrigine up");
  await press("Show what my order means");
  expect(screen.getByRole("heading", { name: /^You put Oxycodone first; the literature puts Suzetrigine first, your 2nd/ })).toHaveFocus();
  expect(order()).toEqual([
    "1OxycodoneRNS first for 33% of weightings",
    "2SuzetrigineFirst in the literatureRNS never first",
    "3IbuprofenFirst by RNSRNS first for 67% of weightings",
  ]);
  expect(screen.getByText("Suzetrigine is the documented surprise.")).toBeInTheDocument();
  expect(requests.every(({ method }) => method === "GET")).toBe(true);
});

it("goes on to the next question, and from the last to the first", async () => {
  await press("Show what this order means");
  await press("Rank one more");
  expect(screen.getByRole("heading", { name: "Which drugs can treat gout?" })).toHaveFocus();
  await press("Show what this order means");
  await press("Rank one more");
  expect(screen.getByRole("heading", { name: "Which drugs can treat acute pain?" })).toHaveFocus();
});

it("can be tried again from the start", async () => {
  await press("Move Suzetrigine up");
  await press("Show what my order means");
  await press("Try it again");
  expect(screen.getByRole("heading", { name: "Which drugs can treat acute pain?" })).toHaveFocus();
  expect(await screen.findByRole("button", { name: "Show what this order means" })).toBeInTheDocument();
});
