import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { ReleasePage } from "./ReleasePage";

const DRAFT = {
  slug: "pairs", name: "Pairs", track: "truthhypo", state: "draft", items: { dev: 0, test: 60 }, entries: 0, queries: 10, queries_per_day: 3,
  test_share: 1, seed: 0, cutoff: null, digest: "abc", evaluator_version: "1", graph: null, opens_at: null, closes_at: "2030-05-03T10:30:45Z",
  created_at: "2026-11-22T09:00:00Z", corrects: null, corrects_name: null, corrected_by: null, corrected_by_name: null,
  open_reports: 0, can_change: true, partition: "", has_several_partitions: false,
  licence: "", citation: "", data_card: "", terms: "", version: 4,
};

let stored = DRAFT;

/** A server that refuses what is of an older version, and deletions if there is a refusal. */
function open(release: object = {}, refusal?: Response) {
  stored = { ...DRAFT, ...release };
  const requests = mockServer(({ path, method, json }) => {
    if (method === "DELETE") return refusal ?? (path.endsWith(`/pairs?version=${stored.version}`) ? new Response(null, { status: 204 }) : undefined);
    if (!/releases\/pairs(\/state)?$/.test(path)) return jsonResponse({ results: [], metrics: [], alerts: [], graphs: [], offered: [] });
    if (method === "GET") return jsonResponse(stored);
    const { version, ...fields } = json as typeof DRAFT;
    if (version !== stored.version) return problemResponse(409, "stale_version", "This release was changed.");
    stored = { ...stored, ...fields, version: version + 1 };
    return jsonResponse(stored);
  });
  renderRoute([{ path: "/releases/:slug", Component: ReleasePage }, { path: "/releases", Component: () => <h1>All releases</h1> }], "/releases/pairs");
  return () => requests.filter(({ method }) => method === "PATCH").map(({ json }) => json);
}

const user = userEvent.setup();
const field = (name: string) => screen.findByRole("textbox", { name });

async function edit(name: string, text: string) {
  await user.click(await screen.findByRole("button", { name: "Edit" }));
  await user.type(await field(name), text);
}

function saveByAnother(fields: Partial<typeof DRAFT>) {
  stored = { ...stored, ...fields, version: stored.version + 1 };
}

const save = () => user.click(screen.getByRole("button", { name: "Save" }));
const isClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

describe("the form of a draft", () => {
  let sent: () => unknown[];
  beforeEach(() => {
    sent = open();
  });

  it("sends what was changed with the version that was read", async () => {
    await edit("Terms", "Cite the paper.");
    await save();
    await isClosed();
    expect(sent()).toEqual([{ terms: "Cite the paper.", version: 4 }]);
  });

  it("leaves what was typed, and shows what somebody else saved meanwhile", async () => {
    await edit("Terms", "Mine.");
    saveByAnother({ terms: "Theirs.", licence: "MIT" });
    await save();
    expect(await screen.findByText("Somebody else changed this release while you edited it. Your text is still here.")).toBeInTheDocument();
    const changed = await screen.findByRole("table", { name: "What was changed meanwhile" });
    expect(within(changed).getByRole("row", { name: "Licence MIT unchanged" })).toBeInTheDocument();
    expect(within(changed).getByRole("row", { name: "Terms Theirs. Mine." })).toBeInTheDocument();
    expect(await field("Terms")).toHaveValue("Mine.");
    expect(screen.getByRole("button", { name: "Save" })).toHaveAttribute("aria-disabled", "true");
    expect(stored.terms).toBe("Theirs.");
  });

  it("overwrites what both changed, and nothing else of theirs", async () => {
    await edit("Terms", "Mine.");
    saveByAnother({ terms: "Theirs.", licence: "MIT" });
    await save();
    await user.click(await screen.findByRole("button", { name: "Save my changes over theirs" }));
    await isClosed();
    expect(stored).toMatchObject({ terms: "Mine.", licence: "MIT", closes_at: DRAFT.closes_at, version: 6 });
  });

  it("loads their version, which can be edited and saved", async () => {
    await edit("Terms", "Mine.");
    saveByAnother({ terms: "Theirs." });
    await save();
    await user.click(await screen.findByRole("button", { name: "Discard mine and load theirs" }));
    expect(await field("Terms")).toHaveValue("Theirs.");
    await user.type(await field("Licence"), "MIT");
    await save();
    await isClosed();
    expect(stored).toMatchObject({ terms: "Theirs.", licence: "MIT" });
  });

  it("states the new state where the texts are the same", async () => {
    await edit("Terms", "Mine.");
    saveByAnother({ state: "open" });
    await save();
    expect(await screen.findByText("Its texts are the same. Its state is now: open.")).toBeInTheDocument();
  });
});

describe("the opening of a draft", () => {
  const isRefused = "This release was changed.";

  it("is of the version that the page shows: what another saved is read first", async () => {
    open();
    await user.click(await screen.findByRole("button", { name: "Open" }));
    saveByAnother({ terms: "Theirs." });
    await user.click(screen.getByRole("button", { name: "Open it" }));
    expect(await screen.findByText(isRefused)).toBeInTheDocument();
    expect(stored.state).toBe("draft");
    await waitFor(() => expect(screen.getByText("Theirs.")).toBeInTheDocument());
    await user.click(screen.getByRole("button", { name: "Open it" }));
    await isClosed();
    expect(stored.state).toBe("open");
  });
});

describe("the deletion of a draft", () => {
  const remove = async () => {
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await user.click(await screen.findByRole("button", { name: "Delete it" }));
  };

  it("is done once it is confirmed, and leads to the list", async () => {
    open();
    await remove();
    expect(await screen.findByRole("heading", { name: "All releases" })).toBeInTheDocument();
  });

  it("shows why the server refuses it", async () => {
    open({}, problemResponse(409, "job_under_way", "A job of this draft is under way."));
    await remove();
    expect(await screen.findByText("A job of this draft is under way.")).toBeInTheDocument();
  });

  it.each([{ state: "open" }, { corrects: "first" }])("is not offered to organisers for %j", async (release) => {
    open(release);
    expect(await screen.findByRole("button", { name: "Edit" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Delete" })).not.toBeInTheDocument();
  });
});
