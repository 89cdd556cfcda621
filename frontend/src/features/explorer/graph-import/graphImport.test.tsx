import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { problemResponse, jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { makeJob } from "@/domains/jobs/fixtures";
import type { ImportJob } from "./api";
import { GraphImportPage } from "./GraphImportPage";

interface Change extends Partial<Omit<ImportJob, "result">> {
  isDryRun?: boolean;
  result?: ImportJob["result"];
}

function anImport({ isDryRun = true, result, ...change }: Change = {}): ImportJob {
  return {
    ...makeJob({ id: "i1", kind: "graph-import", state: "succeeded", percent: 100 }),
    parameters: { name: "Mine", files: ["edges.csv"], dry_run: isDryRun },
    result: result ?? {
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

const open = (path = "/explore/import") => renderRoute([{ path: "explore/import", Component: GraphImportPage }], path);

async function fill() {
  await userEvent.type(await screen.findByRole("textbox", { name: /Name of the graph/ }), "Mine");
  const input = document.querySelector("input[type=file]") as HTMLInputElement;
  await userEvent.upload(input, new File(["source,relation,target\n"], "edges.csv"));
}

describe("importing a graph", () => {
  it("can be tried: the first rows as understood, and every dropped row with its line", async () => {
    const sent: FormData[] = [];
    mockServer(({ method, path }) => {
      if (method === "POST") return jsonResponse(anImport({ state: "queued", result: {} }), 202);
      return path.endsWith("/i1") ? jsonResponse(anImport()) : jsonResponse({ results: [] });
    });
    const before = globalThis.fetch;
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      if (init.body instanceof FormData) sent.push(init.body);
      return before(path, init);
    });
    const router = open();
    await fill();
    await userEvent.click(screen.getByText("Other column names"));
    await userEvent.type(screen.getByRole("textbox", { name: "source" }), "from");
    await userEvent.click(screen.getByRole("button", { name: "Try it without importing" }));
    expect(await screen.findByText(/The files contain 3 entities and 2 edges/)).toBeInTheDocument();
    expect(screen.getByText("4 rows to an unknown entity")).toBeInTheDocument();
    expect(screen.getByRole("table", { name: "Dropped rows, the first 1 of 4" })).toHaveTextContent("edges.csv, line 7The edge ends nowhere.X:9");
    expect(within(screen.getByRole("table", { name: "First edges as imported" })).getByText("label")).toBeInTheDocument();
    expect(router.state.location.search).toBe("?import=i1");
    expect(sent[0]?.get("dry_run")).toBe("true");
    expect(sent[0]?.get("mapping")).toBe('{"source":"from"}');
    expect(screen.getByRole("button", { name: "Import the graph" })).toBeEnabled();
  });

  it("offers the formats that the server has, with the files that each expects", async () => {
    const formats = [
      { name: "csv", title: "Tables (CSV or TSV)", description: "", file_hint: "entities and edges", has_column_mapping: true },
      { name: "kgx", title: "KGX (Biolink)", description: "", file_hint: "nodes and edges", has_column_mapping: false },
    ];
    mockServer(({ path }) => jsonResponse({ results: path.endsWith("/graph-formats") ? formats : [] }));
    open();
    const select = await screen.findByRole("combobox", { name: "Format" });
    await userEvent.selectOptions(select, await screen.findByRole("option", { name: "KGX (Biolink)" }));
    expect(screen.getByText("nodes and edges")).toBeInTheDocument();
    expect(screen.queryByText("Other column names")).not.toBeInTheDocument();
    await userEvent.selectOptions(select, "csv");
    expect(screen.getByText("Other column names")).toBeInTheDocument();
  });

  it("shows how far it is, also to whoever comes back by the address", async () => {
    mockServer(({ path }) => (path.endsWith("/i1") ? jsonResponse(anImport({ state: "running", phase: "sorting edges", percent: 41, isDryRun: false })) : jsonResponse({ results: [] })));
    open("/explore/import?import=i1");
    expect(await screen.findByText("Running: sorting edges, 41%")).toBeInTheDocument();
    expect(screen.getByRole("progressbar", { name: "Progress: import of Mine" })).toHaveAttribute("aria-valuenow", "41");
  });

  it("can be cancelled while it is under way, and its result is shown", async () => {
    let isCancelled = false;
    const requests = mockServer(({ method, path }) => {
      if (method === "POST" && path.endsWith("/i1/cancel")) isCancelled = true;
      if (!path.includes("/i1")) return jsonResponse({ results: [] });
      const error = { code: "USER_CANCELLED", detail: "Cancelled by Ada.", errors: [] };
      return jsonResponse(anImport({ isDryRun: false, ...(isCancelled ? { state: "cancelled", result: {}, error } : { state: "running", result: {} }) }));
    });
    open("/explore/import?import=i1");
    await userEvent.click(await screen.findByRole("button", { name: "Cancel: import of Mine" }));
    expect(await screen.findByRole("button", { name: "Continue the job" })).toHaveFocus();
    expect(requests.some(({ method }) => method === "POST")).toBe(false);
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Cancel the job" }));
    expect(await screen.findByText("Cancelled by Ada. Nothing was imported.")).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Mine was not imported" })).toHaveFocus();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Explore it" })).not.toBeInTheDocument();
  });

  it("that ended before it was cancelled shows its end", async () => {
    let isAsked = false;
    mockServer(({ method, path }) => {
      if (!path.includes("/i1")) return jsonResponse({ results: [] });
      if (method === "POST") {
        isAsked = true;
        return problemResponse(409, "has_ended", "This import had ended before it could be cancelled.");
      }
      return jsonResponse(anImport({ isDryRun: false, result: { graph: "mine" }, ...(isAsked ? {} : { state: "running", result: {} }) }));
    });
    open("/explore/import?import=i1");
    await userEvent.click(await screen.findByRole("button", { name: "Cancel: import of Mine" }));
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Cancel the job" }));
    expect(await screen.findByRole("link", { name: "Explore it" })).toBeInTheDocument();
  });

  it("leads to the graph when it is done", async () => {
    const report = { entities: 3, edges: 2 };
    mockServer(({ path }) => (path.endsWith("/i1") ? jsonResponse(anImport({ isDryRun: false, result: { ...report, graph: "mine" } })) : jsonResponse({ results: [] })));
    open("/explore/import?import=i1");
    expect(await screen.findByRole("link", { name: "Explore it" })).toHaveAttribute("href", "/explore/mine");
  });

  it("lists rows that were too many to drop once, and leads from the form to the message", async () => {
    const row = { place: "edges.csv, line 3", message: "The row has more or fewer cells than the header. 2 cells", code: "columns", expected: "" };
    const error = { code: "USER_TOO_MANY_DROPPED", detail: "2 of 4 rows of edges cannot be read. Nothing was imported.", errors: [row] };
    const fault = { file: "edges.csv", line: 3, reason: "columns", message: "The row has more or fewer cells than the header.", detail: "2 cells" };
    let isEnded = false;
    mockServer(({ method, path }) => {
      if (method === "POST") return jsonResponse(anImport({ state: "queued", isDryRun: false, result: {} }), 202);
      if (!path.endsWith("/i1")) return jsonResponse({ results: [] });
      return jsonResponse(anImport({ isDryRun: false, ...(!isEnded ? { state: "running", result: {} } : { state: "failed", error, result: { dropped: { columns: 1 }, faults: [fault] } }) }));
    });
    open();
    await fill();
    await userEvent.click(screen.getByRole("button", { name: "Import the graph" }));
    const under = await screen.findByRole("heading", { name: "Importing Mine" });
    await waitFor(() => expect(under).toHaveFocus());
    isEnded = true;
    const ended = await screen.findByRole("heading", { name: "Mine was not imported" }, { timeout: 5000 });
    await waitFor(() => expect(ended).toHaveFocus());
    expect(screen.getByText("1 row with too many or too few cells")).toBeInTheDocument();
    expect(screen.getAllByRole("table").map((table) => table.querySelector("caption")?.textContent)).toEqual(["Dropped rows"]);
  });

  it("that is refused says every fault at once", async () => {
    const error = { code: "USER_COLUMNS", detail: "The files are not a graph.", errors: [{ place: "edges.csv", message: "There is no column target.", code: "columns", expected: "target" }, { place: "b.csv", message: "It is empty.", code: "empty", expected: "" }] };
    mockServer(({ path }) => (path.endsWith("/i1") ? jsonResponse(anImport({ state: "failed", result: {}, error })) : jsonResponse({ results: [] })));
    open("/explore/import?import=i1");
    expect(await screen.findByText("The files are not a graph.")).toBeInTheDocument();
    expect(within(screen.getByRole("table", { name: "Why it was refused" })).getAllByRole("row")).toHaveLength(3);
  });

  it("keeps what was chosen when the server says no at once", async () => {
    mockServer(({ method }) => (method === "POST" ? problemResponse(409, "conflict", "An import into 'Mine' is under way.") : jsonResponse({ results: [] })));
    open();
    await fill();
    await userEvent.click(screen.getByRole("button", { name: "Import the graph" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("An import into 'Mine' is under way. Your entries are still in the form.");
    expect(screen.getByText("edges.csv")).toBeInTheDocument();
  });
});
