import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { SessionField } from "./SessionField";
import { ToolSessionPage } from "./ToolSessionPage";

const SESSION = {
  id: "s1",
  release: "walk",
  graph: "walk-masked",
  snapshot: "abc-def",
  method: "expert",
  model: null,
  owner: "Rohan",
  is_own: true,
  calls: 3,
  calls_limit: 10_000,
  created_at: "2026-11-22T10:00:00Z",
  closed_at: "2026-11-22T11:00:00Z",
  submissions: ["12345678-1234"],
  is_shared: false,
  may_share: true,
};
const CALL = { number: 1, tool: "search", arguments: { query: "aspirin" }, digest: "d1", result_bytes: 1_200, milliseconds: 12.4, error_code: "", created_at: SESSION.created_at };
const CALLS = [
  CALL,
  { ...CALL, number: 2, tool: "entity", arguments: { id: "<b>x</b>" }, error_code: "no_entity" },
  { ...CALL, number: 3, milliseconds: null, error_code: "interrupted" },
];

const ASPIRIN = { id: "D:1", name: "aspirin", type: "Drug" };
const STEP = { number: 1, tool: "search", arguments: '{"query": "aspirin"}', frontier: [], offered: [{ source: null, relation: "", phrase: "", target: ASPIRIN, is_chosen: true }], offered_count: 1, chosen: [ASPIRIN], error_code: "", milliseconds: 12.4, is_stored: true };
const WALK = {
  calls: 3,
  steps: [
    STEP,
    { ...STEP, number: 2, tool: "neighbours", frontier: [ASPIRIN], offered: [{ source: ASPIRIN, relation: "treats", phrase: "treats", target: { id: "D:2", name: "fever", type: "Disease" }, is_chosen: false }], offered_count: 40, chosen: [] },
    { ...STEP, number: 3, offered: [], chosen: [], offered_count: 0, error_code: "interrupted", milliseconds: null, is_stored: false },
  ],
};

const routes = [{ path: "/tool-sessions/:id", Component: ToolSessionPage }];

function openServer(calls: unknown[] = CALLS, fields: object = {}) {
  let session = { ...SESSION, ...fields };
  return mockServer(({ path, json }) => {
    if (path === "/api/v1/tool-sessions/s1/sharing") {
      session = { ...session, ...(json as object) };
      return jsonResponse(session);
    }
    if (path === "/api/v1/tool-sessions/s1") return jsonResponse(session);
    if (path.startsWith("/api/v1/tool-sessions/s1/calls?")) return jsonResponse({ next: null, previous: null, results: calls });
    if (path === "/api/v1/tool-sessions/s1/walk") return jsonResponse(calls.length > 0 ? WALK : { calls: 0, steps: [] });
    if (path === "/api/v1/tool-sessions/s1/calls/1") return jsonResponse({ ...CALL, result: { hits: [] } });
    if (path.startsWith("/api/v1/tool-sessions?")) {
      const others = [{ ...SESSION, id: "s2", release: "other" }, { ...SESSION, id: "s3", model: { slug: "theirs", name: "Theirs" } }];
      return jsonResponse({ results: [SESSION, ...others] });
    }
    return undefined;
  });
}

describe("the audit of a session", () => {
  it("lists the calls with arguments, sizes, errors and times", async () => {
    openServer();
    renderRoute(routes, "/tool-sessions/s1");
    expect(await screen.findByText("3 calls on the graph of walk. The session is closed.")).toBeInTheDocument();
    expect(await screen.findByRole("row", { name: /1 search \{"query":"aspirin"\} .*1 kB.* 12 ms/ })).toBeInTheDocument();
    expect(screen.getByRole("row", { name: /2 entity \{"id":"<b>x<\/b>"\} Error: no_entity/ })).toBeInTheDocument();
    expect(screen.getByRole("row", { name: /3 search .* The server stopped before the call ended not known/ })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Masked by expert" })).toHaveAttribute("href", "/explore/walk-masked");
    expect(screen.getByRole("link", { name: "12345678" })).toHaveAttribute("href", "/submissions/12345678-1234");
  });

  it("reads a result when it is opened, and not before", async () => {
    const requests = openServer();
    renderRoute(routes, "/tool-sessions/s1");
    const summary = await screen.findByText("1 kB");
    expect(requests.some(({ path }) => path.endsWith("/calls/1"))).toBe(false);
    await userEvent.click(summary);
    expect(await screen.findByRole("region", { name: "Result of call 1" })).toHaveTextContent('"hits": []');
  });

  it("replays the calls as steps, with what each offered and what later calls chose", async () => {
    openServer();
    renderRoute(routes, "/tool-sessions/s1?level=1");
    const first = await screen.findByRole("article", { name: "Call 1" });
    expect(within(first).getByText("Later calls are about aspirin.")).toBeVisible();
    expect(await screen.findByRole("slider", { name: "Step of the walk" })).toHaveAttribute("aria-valuetext", "call 1 of 3");
    await userEvent.click(screen.getByRole("button", { name: "One call on" }));
    const second = await screen.findByRole("article", { name: "Call 2" });
    expect(within(second).getByText("About aspirin.")).toBeVisible();
    expect(screen.getByText("At call 2, 40 entities were offered and 0 chosen.")).toBeVisible();
    await userEvent.click(within(second).getByText("Entities that were offered"));
    expect(within(second).getByText("aspirin treats fever")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "One call on" }));
    expect(within(await screen.findByRole("article", { name: "Call 3" })).getByText(/server stopped/)).toBeVisible();
  });

  it("is shared by its owner, who can take that back", async () => {
    const requests = openServer();
    renderRoute(routes, "/tool-sessions/s1");
    expect(await screen.findByText("You and the organisers of the release read these calls.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Share with everybody" }));
    expect(await screen.findByText("Everybody reads these calls.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Stop sharing" }));
    expect(await screen.findByRole("button", { name: "Share with everybody" })).toBeInTheDocument();
    expect(requests.filter(({ path }) => path.endsWith("/sharing")).map(({ json }) => json)).toEqual([{ is_shared: true }, { is_shared: false }]);
  });

  it("names what a shared session lacks that nobody else reads now", async () => {
    openServer(CALLS, { is_shared: true, may_share: false });
    renderRoute(routes, "/tool-sessions/s1");
    expect(await screen.findByText("These calls are hidden. Everybody reads them while a scored dev entry names them, and no anonymous or test one.")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Stop sharing" })).toBeInTheDocument();
  });

  it("shows to others no owner, the results that name it, and no choice", async () => {
    openServer(CALLS, { owner: null, is_own: false, is_shared: true, may_share: false });
    renderRoute(routes, "/tool-sessions/s1");
    expect(await screen.findByRole("link", { name: "12345678" })).toHaveAttribute("href", "/results/12345678-1234");
    expect(screen.queryByText("Owner")).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /shar/i })).not.toBeInTheDocument();
  });

  it("says why it cannot be shared yet", async () => {
    openServer(CALLS, { submissions: [], may_share: false });
    renderRoute(routes, "/tool-sessions/s1");
    expect(await screen.findByText(/Once scored entries of dev items name them/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /share/i })).not.toBeInTheDocument();
  });

  it("says that no tool was called yet", async () => {
    openServer([]);
    renderRoute(routes, "/tool-sessions/s1");
    expect(await screen.findByText("No tool was called in this session yet.")).toBeInTheDocument();
  });

  it("shows what the server says to others", async () => {
    mockServer(() => problemResponse(404, "not_found", "This session does not exist, or you may not see it."));
    renderRoute(routes, "/tool-sessions/s1");
    expect(await screen.findByText(/does not exist/)).toBeInTheDocument();
  });
});

it("offers the sessions of the release that no other model has", async () => {
  openServer();
  const Form = () => <SessionField release="walk" model="mine" value="" onChange={() => undefined} />;
  renderRoute([{ path: "/", Component: Form }], "/");
  const options = (await screen.findByLabelText("Session of tool calls")).querySelectorAll("option");
  expect([...options].map(({ value }) => value)).toEqual(["", "s1"]);
});
