import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { PromptPage } from "./PromptPage";
import { TrackPrompts } from "./TrackPrompts";

const PROMPT = {
  name: "stark-rerank", version: "3", intent: "A better order.", source: "STaRK, section 3.1", output: "One JSON object: `ranking`.",
  system: "You judge <b>search results</b> of {domain}.", user: "The query:\n{query}",
  tasks: [
    { name: "stark-prime-rerank", title: "Order the first twenty", track: "stark-prime" },
    { name: "stark-mag-rerank", title: "Order the first twenty", track: "stark-mag" },
    { name: "other", title: "Scores", track: "" },
  ],
};

it("shows the version, intent, source and text of a prompt, and nothing of it as HTML", async () => {
  mockServer(({ path }) => (path === "/api/v1/prompts/stark-rerank" ? jsonResponse(PROMPT) : undefined));
  renderRoute([{ path: "/prompts/:name", Component: PromptPage }], "/prompts/stark-rerank");
  expect(await screen.findByRole("heading", { level: 1, name: "Prompt stark-rerank" })).toBeInTheDocument();
  expect(screen.getByText("A better order.")).toBeInTheDocument();
  expect(screen.getByText("Version").nextSibling).toHaveTextContent("3");
  expect(screen.getByText("STaRK, section 3.1")).toBeInTheDocument();
  expect(screen.getByText("One JSON object: ranking.")).toBeInTheDocument();
  const system = screen.getByRole("region", { name: "System message" });
  expect(within(system).getByText("You judge <b>search results</b> of {domain}.")).toBeInTheDocument();
  expect(screen.getByText(/The query:\s+\{query\}/)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "stark-mag-rerank" })).toHaveAttribute("href", "/tracks/stark-mag");
  expect(screen.queryByRole("link", { name: "other" })).not.toBeInTheDocument();
});

it("lists the tasks of one track, with links to their prompts", async () => {
  renderRoute([{ path: "/", Component: () => <TrackPrompts track="stark-mag" prompts={[PROMPT]} /> }], "/");
  expect(await screen.findByRole("link", { name: "Prompt stark-rerank, version 3" })).toHaveAttribute("href", "/prompts/stark-rerank");
  expect(screen.getAllByRole("listitem")).toHaveLength(1);
  expect(screen.getByText("stark-mag-rerank")).toBeInTheDocument();
});
