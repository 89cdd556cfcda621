import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PracticeQuestion } from "@/api/contract";
import { reply, serve, visit, type Asked } from "@/test/visit";
import { PracticePage } from "./index";

const candidate = (name: string, prior_rank: number) => ({
  id: name,
  name,
  link: `https://example.org/${name}`,
  prior_rank,
  hint: `About ${name}.`,
});

const PRACTICE: PracticeQuestion = {
  question: {
    id: "q",
    file_id: "9000",
    number: 1,
    text: "Which drugs can treat acute pain?",
    category: "Pain",
    resources: [],
    candidates: [candidate("Oxycodone", 1), candidate("Ibuprofen", 2), candidate("Suzetrigine", 3)],
    prior: [["Oxycodone"], ["Ibuprofen"], ["Suzetrigine"]],
  },
  explanation: "Suzetrigine is the serendipitous one.",
  sources: [{ claim: "It was approved.", source: "The agency", url: "https://example.org/source" }],
};

let asked: Asked[];

beforeEach(() => {
  asked = serve(({ path }) => (path === "/api/v1/practice-question" ? reply(PRACTICE) : undefined));
  visit([{ path: "/practice", Component: PracticePage }], "/practice");
});

afterEach(() => vi.unstubAllGlobals());

const order = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

it("shows what the order means, and sends nothing anywhere", async () => {
  await userEvent.click(await screen.findByRole("button", { name: "Move Suzetrigine up" }));
  await userEvent.click(screen.getByRole("button", { name: "Show what my order means" }));
  expect(screen.getByRole("heading", { name: "Your order" })).toHaveFocus();
  expect(order().slice(0, 3)).toEqual(["1. Oxycodone", "2. Suzetrigine", "3. Ibuprofen"]);
  expect(screen.getByText("Suzetrigine is the serendipitous one.")).toBeInTheDocument();
  expect(screen.getByText(/Nothing was saved or sent/)).toBeInTheDocument();
  expect(asked.every(({ method }) => method === "GET")).toBe(true);
});

it("lets the order stand, and be tried again from the start", async () => {
  await userEvent.click(await screen.findByRole("button", { name: "Move Suzetrigine up" }));
  await userEvent.click(screen.getByRole("button", { name: "Move Suzetrigine down" }));
  await userEvent.click(screen.getByRole("button", { name: "I agree with this order" }));
  await userEvent.click(screen.getByRole("button", { name: "Try it again" }));
  expect(await screen.findByRole("button", { name: "I agree with this order" })).toBeInTheDocument();
});
