import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { jsonResponse, makeUser, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { addUp, byModel, byPerson, byRelease, costSentence, spendingSentence } from "./costData";
import { CostsPage } from "./CostsPage";
import type { ModelCost, Spending } from "./queries";

function row(task: string, model: string, change: Partial<ModelCost> = {}): ModelCost {
  return {
    release: { slug: "pairs", title: "Pairs" }, task: { name: task, title: `Title of ${task}` }, model, parameters: null, runs: 1, items: 10, calls: 12,
    tokens_in: 1000, tokens_out: 50, tokens_in_per_item: 100, tokens_out_per_item: 5, cost: "0.200000", cost_per_item: "0.020000", ...change,
  };
}
const BOTH = row("both", "large", { tokens_in: 4000, tokens_in_per_item: 400, cost: "1.000000" });
const NOTHING = row("parametric", "large");
const SMALL = row("parametric", "small", { parameters: 135_000_000, cost: "0.000000", tokens_in_per_item: 120 });
const ROWS = [BOTH, NOTHING, SMALL];

const ADAS: Spending = {
  person: { email: "ada@x.example", name: "Ada" }, endpoint: { id: "e1", name: "cloud" }, model: "large", calls: 5, tokens_in: 100, tokens_out: 10,
  cost: "0.250000", unknown_cost: "0.050000", last_call_at: "2026-11-01T10:00:00Z",
};
const OF_COMMANDS: Spending = { ...ADAS, person: null, cost: "1.000000", unknown_cost: "0.000000" };

describe("the sums", () => {
  it("orders settings by what they show a model, and models by cost", () => {
    const [release] = byRelease(ROWS);
    expect(release?.settings.map(({ name }) => name)).toEqual(["parametric", "both"]);
    expect(release?.models.map(({ model, bySetting }) => [model, [...bySetting.keys()]])).toEqual([["large", ["both", "parametric"]], ["small", ["parametric"]]]);
    expect(byModel(ROWS).map(({ model, cost, parameters, items }) => [model, cost.toFixed(2), parameters, items])).toEqual([["large", "1.20", null, 20], ["small", "0.00", 135_000_000, 10]]);
    expect(addUp(ROWS)).toMatchObject({ runs: 3, items: 30, calls: 36, tokensIn: 6000, tokensOut: 150 });
  });

  it("says in words what the bars show", () => {
    const [release] = byRelease(ROWS);
    expect(release && costSentence(release)).toBe("‘Title of both’ with large takes the most tokens for an item: 400 in and 5 out, 3.9 times those of ‘Title of parametric’ with large.");
    const [single] = byRelease([NOTHING]);
    expect(single && costSentence(single)).toBe("‘Title of parametric’ with large takes 100 tokens in and 5 out for an item.");
    expect(spendingSentence(byPerson([ADAS, OF_COMMANDS]), 90)).toBe("$1.25 were paid in 90 days, the most by commands of the server: $1.00.");
    expect(spendingSentence(byPerson([ADAS, ADAS]), 30)).toBe("$0.50 were paid in 30 days, all by Ada.");
  });
});

function open(path: string, user: ReturnType<typeof makeUser> | null, costs: ModelCost[] = ROWS) {
  const requests = mockServer(({ path: asked }) => {
    if (asked === "/api/v1/me") return jsonResponse({ user });
    if (asked.startsWith("/api/v1/model-spending")) return jsonResponse({ results: [OF_COMMANDS, ADAS] });
    if (asked.startsWith("/api/v1/model-costs.csv")) return problemResponse(503, "busy", "The server is busy. Try again in a minute.");
    return asked.startsWith("/api/v1/model-costs") ? jsonResponse({ results: costs }) : undefined;
  });
  renderRoute([{ path: "/costs", Component: CostsPage }], path);
  return requests;
}

const ADMINISTRATOR = makeUser({ roles: { researcher: false, administrator: true, coordinator: false } });
const RESEARCHER = makeUser({ roles: { researcher: true, administrator: false, coordinator: false } });

describe("the page", () => {
  it("draws tokens by setting, with the numbers beside and as tables", async () => {
    open("/costs", null);
    const bars = await screen.findByRole("list", { name: "Tokens for one item of Pairs" });
    expect(within(bars).getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "Title of bothlarge400 in5 out", "Title of parametricsmall120 in5 out", "Title of parametriclarge100 in5 out",
    ]);
    const settings = screen.getByRole("table", { name: "Models by settings: Pairs" });
    expect(within(settings).getByRole("row", { name: /^small/ })).toHaveTextContent("small120 in, 5 out$0.02 an itemnot run");
    expect(screen.getByRole("table", { name: "Costs by release, task and model" })).toBeVisible();
    expect(within(screen.getByRole("table", { name: "Costs by model" })).getByRole("row", { name: /^small/ })).toHaveTextContent("135-million-parameter model");
    expect(screen.queryByRole("radiogroup")).not.toBeInTheDocument();
  });

  it("states that it counts the latest runs alone", async () => {
    open("/costs", null, [row("both", "large", { runs: 500 })]);
    expect(await screen.findByText("These are the latest 500 runs. The files have all.")).toBeVisible();
  });

  it("reads one's own runs, and says how to come to one", async () => {
    const requests = open("/costs", RESEARCHER, []);
    expect(await screen.findByText(/No run is on a board yet/)).toBeVisible();
    expect(screen.queryByRole("radio", { name: "By person" })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("radio", { name: "My runs" }));
    expect(await screen.findByText(/You have no runs yet/)).toBeVisible();
    expect(requests.at(-1)?.path).toBe("/api/v1/model-costs?own=true");
  });

  it("shows administrators who paid where, for a period", async () => {
    const requests = open("/costs?of=people", ADMINISTRATOR);
    const table = await screen.findByRole("table", { name: "Costs by person and endpoint" });
    expect(within(table).getAllByRole("rowheader").map(({ textContent }) => textContent)).toEqual(["Commands of the server", "Adaada@x.example"]);
    await userEvent.click(screen.getByRole("radio", { name: "365 days" }));
    await waitFor(() => expect(requests.at(-1)?.path).toBe("/api/v1/model-spending?days=365"));
  });

  it("is the public page for others who open the address of administrators", async () => {
    const requests = open("/costs?of=people", RESEARCHER);
    await screen.findByRole("table", { name: "Costs by model" });
    expect(requests.some(({ path }) => path.includes("spending"))).toBe(false);
  });

  it("shows why a file could not be made", async () => {
    open("/costs", null);
    await userEvent.click(await screen.findByRole("button", { name: "Download CSV" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("The server is busy.");
  });
});
