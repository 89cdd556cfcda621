import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { problem, reply, serve, visit } from "@/test/visit";
import type { Importing } from "./api";
import { ImportPage } from "./ImportPage";

function anImport(change: Partial<Importing> = {}): Importing {
  return {
    id: "i1", name: "Mine", format: "csv", files: ["edges.csv"], dry_run: true, state: "done", doing: "", percent: 100,
    seconds_left: null, graph: null, snapshot: null, created_at: "2026-11-21T10:00:00Z", ended_at: null,
    report: {
      format: "csv",
      files: { "edges.csv": "edges" },
      rows: { entities: 3, edges: 2 },
      dropped: { "unknown-target": 4 },
      faults: [{ file: "edges.csv", line: 7, reason: "unknown-target", message: "The edge ends nowhere.", detail: "X:9" }],
      first: {
        entities: [{ id: "D:1", name: "Aspirin", type: "Drug", synonyms: [], xrefs: [], sections: [] }],
        edges: [{ source: "D:1", relation: "treats", phrase: "treats", target: "X:1", score: null, evidence: "label", level: "", p_value: null, publications: [] }],
      },
    },
    ...change,
  };
}

const open = (path = "/explore/import") => visit([{ path: "explore/import", Component: ImportPage }], path);

async function fill() {
  await userEvent.type(await screen.findByRole("textbox", { name: /Name of the graph/ }), "Mine");
  const input = document.querySelector("input[type=file]") as HTMLInputElement;
  await userEvent.upload(input, new File(["source,relation,target\n"], "edges.csv"));
}

afterEach(() => vi.unstubAllGlobals());

describe("importing a graph", () => {
  it("can be tried: the first rows as understood, and every dropped row with its line", async () => {
    const sent: FormData[] = [];
    serve(({ method, path }) => {
      if (method === "POST") return reply(anImport({ state: "queued", report: {} }), 202);
      return path.endsWith("/i1") ? reply(anImport()) : reply({ results: [] });
    });
    const before = globalThis.fetch;
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      if (init.body instanceof FormData) sent.push(init.body);
      return before(path, init);
    });
    const router = open();
    await fill();
    await userEvent.click(screen.getByText("Columns of other names"));
    await userEvent.type(screen.getByRole("textbox", { name: "source" }), "from");
    await userEvent.click(screen.getByRole("button", { name: "Try it without importing" }));
    expect(await screen.findByText(/The files hold 3 entities and 2 edges/)).toBeInTheDocument();
    expect(screen.getByText("4 rows to an unknown entity")).toBeInTheDocument();
    expect(screen.getByRole("table", { name: "Dropped rows, the first 1 of 4" })).toHaveTextContent("edges.csv, line 7The edge ends nowhere.X:9");
    expect(within(screen.getByRole("table", { name: "The first edges, as understood" })).getByText("label")).toBeInTheDocument();
    expect(router.state.location.search).toBe("?import=i1");
    expect(sent[0]?.get("dry_run")).toBe("true");
    expect(sent[0]?.get("mapping")).toBe('{"source":"from"}');
    expect(screen.getByRole("button", { name: "Import the graph" })).toBeEnabled();
  });

  it("shows how far it is, also to whoever comes back by the address", async () => {
    serve(({ path }) => (path.endsWith("/i1") ? reply(anImport({ state: "building", doing: "sorting edges", percent: 41, seconds_left: 90, dry_run: false })) : reply({ results: [] })));
    open("/explore/import?import=i1");
    expect(await screen.findByText("Building the snapshot: sorting edges, 41%, about 2 min left")).toBeInTheDocument();
    expect(screen.getByRole("progressbar", { name: "Done so far" })).toHaveAttribute("aria-valuenow", "41");
  });

  it("can be cancelled while it is under way, and what became of it is told", async () => {
    let isCancelled = false;
    const asked = serve(({ method, path }) => {
      if (method === "POST" && path.endsWith("/i1/cancel")) isCancelled = true;
      if (!path.includes("/i1")) return reply({ results: [] });
      const error = { code: "cancelled", detail: "Cancelled by Ada. Nothing was imported.", errors: [] };
      return reply(anImport({ dry_run: false, ...(isCancelled ? { state: "cancelled", report: { error } } : { state: "building", report: {} }) }));
    });
    open("/explore/import?import=i1");
    await userEvent.click(await screen.findByRole("button", { name: "Cancel the import" }));
    expect(await screen.findByRole("button", { name: "Let it go on" })).toHaveFocus();
    expect(asked.some(({ method }) => method === "POST")).toBe(false);
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Cancel the import" }));
    expect(await screen.findByText("Cancelled by Ada. Nothing was imported.")).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Mine was not imported" })).toHaveFocus();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Explore it" })).not.toBeInTheDocument();
  });

  it("that ended before it was cancelled shows its end", async () => {
    let isAsked = false;
    serve(({ method, path }) => {
      if (!path.includes("/i1")) return reply({ results: [] });
      if (method === "POST") {
        isAsked = true;
        return problem(409, "has_ended", "This import had ended before it could be cancelled.");
      }
      return reply(anImport({ dry_run: false, graph: "mine", ...(isAsked ? {} : { state: "indexing", report: {} }) }));
    });
    open("/explore/import?import=i1");
    await userEvent.click(await screen.findByRole("button", { name: "Cancel the import" }));
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel the import" }));
    expect(await screen.findByRole("link", { name: "Explore it" })).toBeInTheDocument();
  });

  it("leads to the graph when it is done", async () => {
    const report = { entities: 3, edges: 2 };
    serve(({ path }) => (path.endsWith("/i1") ? reply(anImport({ dry_run: false, graph: "mine", report })) : reply({ results: [] })));
    open("/explore/import?import=i1");
    expect(await screen.findByRole("link", { name: "Explore it" })).toHaveAttribute("href", "/explore/mine");
  });

  it("lists rows that were too many to drop once, and leads from the form to where it is told", async () => {
    const row = { place: "edges.csv, line 3", message: "The row has more or fewer cells than the header. 2 cells", code: "columns", expected: "" };
    const error = { code: "too_many_dropped", detail: "2 of 4 rows of edges cannot be read. Nothing was imported.", errors: [row] };
    const fault = { file: "edges.csv", line: 3, reason: "columns", message: "The row has more or fewer cells than the header.", detail: "2 cells" };
    let reads = 0;
    serve(({ method, path }) => {
      if (method === "POST") return reply(anImport({ state: "queued", dry_run: false, report: {} }), 202);
      if (!path.endsWith("/i1")) return reply({ results: [] });
      reads += 1;
      return reply(anImport({ dry_run: false, ...(reads < 2 ? { state: "reading", report: {} } : { state: "refused", report: { error, dropped: { columns: 1 }, faults: [fault] } }) }));
    });
    open();
    await fill();
    await userEvent.click(screen.getByRole("button", { name: "Import the graph" }));
    const under = await screen.findByRole("heading", { name: "Importing Mine" });
    await waitFor(() => expect(under).toHaveFocus());
    const ended = await screen.findByRole("heading", { name: "Mine was not imported" }, { timeout: 5000 });
    await waitFor(() => expect(ended).toHaveFocus());
    expect(screen.getByText("1 row with too many or too few cells")).toBeInTheDocument();
    expect(screen.getAllByRole("table").map((table) => table.querySelector("caption")?.textContent)).toEqual(["Dropped rows"]);
  });

  it("that is refused says every fault at once", async () => {
    const error = { code: "columns", detail: "The files are not a graph.", errors: [{ place: "edges.csv", message: "There is no column target.", code: "columns", expected: "target" }, { place: "b.csv", message: "It is empty.", code: "empty", expected: "" }] };
    serve(({ path }) => (path.endsWith("/i1") ? reply(anImport({ state: "refused", report: { error } })) : reply({ results: [] })));
    open("/explore/import?import=i1");
    expect(await screen.findByText("The files are not a graph.")).toBeInTheDocument();
    expect(within(screen.getByRole("table", { name: "Why it was refused" })).getAllByRole("row")).toHaveLength(3);
  });

  it("keeps what was chosen when the server says no at once", async () => {
    serve(({ method }) => (method === "POST" ? problem(409, "conflict", "An import into 'Mine' is under way.") : reply({ results: [] })));
    open();
    await fill();
    await userEvent.click(screen.getByRole("button", { name: "Import the graph" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("An import into 'Mine' is under way. What you chose is still chosen.");
    expect(screen.getByText("edges.csv")).toBeInTheDocument();
  });
});
