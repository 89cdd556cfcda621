import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newQueryClient } from "@/lib/queryClient";
import type { Part } from "./api";
import { ExportMenu } from "./ExportMenu";
import { aGraph, SNAPSHOT } from "./testing";

let asked: { address: string; init: RequestInit | undefined }[];
let kept: string[];

beforeEach(() => {
  asked = [];
  kept = [];
  document.cookie = "csrftoken=hers";
  vi.stubGlobal("fetch", (address: string, init?: RequestInit) => {
    asked.push({ address, init });
    return Promise.resolve(new globalThis.Response("file"));
  });
  URL.createObjectURL = () => "blob:file";
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    kept.push(this.download);
  });
});
afterEach(() => vi.unstubAllGlobals());

async function choose(kind: RegExp, part: Part) {
  const menu = <ExportMenu graph={aGraph()} snapshot={SNAPSHOT} part={part} name="D:1" />;
  const router = createMemoryRouter([{ path: "/explore/:slug", element: menu }], { initialEntries: ["/explore/demo"] });
  render(<QueryClientProvider client={newQueryClient()}><RouterProvider router={router} /></QueryClientProvider>);
  await userEvent.click(screen.getByRole("button", { name: "Export" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: kind }));
  await waitFor(() => expect(kept).toHaveLength(1));
}

const many = Array.from({ length: 300 }, (_, at) => `DRUGBANK:DB${at}`);

describe("an export", () => {
  it.each([
    [/^CSV/, "csv", "demo-d-1-csv.zip"],
    [/^JSON/, "json", "demo-d-1.json"],
    [/^GraphML/, "graphml", "demo-d-1.graphml"],
    [/^KGX/, "kgx", "demo-d-1-kgx.zip"],
  ])("of %s is named for what it is", async (kind, format, name) => {
    await choose(kind, { ids: ["D:1", "X:2"] });
    expect(asked).toEqual([
      { address: `/api/v1/graphs/demo/export?format=${format}&ids=D%3A1&ids=X%3A2&snapshot=${SNAPSHOT}`, init: { credentials: "same-origin" } },
    ]);
    expect(kept).toEqual([name]);
  });

  it("says which kinds come as a zip", async () => {
    await choose(/^CSV.*in a zip/, { around: "D:1" });
    expect(asked[0]?.address).toBe(`/api/v1/graphs/demo/export?format=csv&around=D%3A1&snapshot=${SNAPSHOT}`);
  });

  it("of more entities than an address holds is sent for, with the page's token", async () => {
    await choose(/^CSV/, { ids: many });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.address).toBe(`/api/v1/graphs/demo/export?snapshot=${SNAPSHOT}`);
    expect(asked[0]?.init).toMatchObject({ method: "POST", credentials: "same-origin", headers: { "X-CSRFToken": "hers" } });
    expect(JSON.parse(asked[0]?.init?.body as string)).toEqual({ format: "csv", ids: many });
  });
});
