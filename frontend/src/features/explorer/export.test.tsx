import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createQueryClient } from "@/lib/queryClient";
import type { ExportSelection } from "./api";
import { ExportMenu } from "./ExportMenu";
import { makeGraph, SNAPSHOT } from "./testing";

let requests: { address: string; init: RequestInit | undefined }[];
let saved: string[];

beforeEach(() => {
  requests = [];
  saved = [];
  document.cookie = "csrftoken=token-1";
  vi.stubGlobal("fetch", (address: string, init?: RequestInit) => {
    requests.push({ address, init });
    return Promise.resolve(new globalThis.Response("file"));
  });
  URL.createObjectURL = () => "blob:file";
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});
async function choose(kind: RegExp, part: ExportSelection, hint = /./) {
  const menu = <ExportMenu graph={makeGraph()} snapshot={SNAPSHOT} part={part} name="D:1" />;
  const router = createMemoryRouter([{ path: "/explore/:slug", element: menu }], { initialEntries: ["/explore/demo"] });
  render(<QueryClientProvider client={createQueryClient()}><RouterProvider router={router} /></QueryClientProvider>);
  await userEvent.click(screen.getByRole("button", { name: "Export" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: kind, description: hint }));
  await waitFor(() => expect(saved).toHaveLength(1));
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
    expect(requests).toEqual([
      { address: `/api/v1/graphs/demo/export?format=${format}&ids=D%3A1&ids=X%3A2&snapshot=${SNAPSHOT}`, init: { credentials: "same-origin" } },
    ]);
    expect(saved).toEqual([name]);
  });

  it("says which kinds come as a zip", async () => {
    await choose(/^CSV$/, { around: "D:1" }, /in a zip/);
    expect(requests[0]?.address).toBe(`/api/v1/graphs/demo/export?format=csv&around=D%3A1&snapshot=${SNAPSHOT}`);
  });

  it("of more entities than an address holds is sent for, with the page's token", async () => {
    await choose(/^CSV/, { ids: many });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.address).toBe(`/api/v1/graphs/demo/export?snapshot=${SNAPSHOT}`);
    expect(requests[0]?.init).toMatchObject({ method: "POST", credentials: "same-origin", headers: { "X-CSRFToken": "token-1" } });
    expect(JSON.parse(requests[0]?.init?.body as string)).toEqual({ format: "csv", ids: many });
  });
});
