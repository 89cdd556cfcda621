import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Endpoint, EndpointSettings } from "@/domains/endpoints/queries";
import { makeJob } from "@/domains/jobs/fixtures";
import type { Job } from "@/domains/jobs/jobs";
import { jsonResponse, makeUser, mockServer, problemResponse, renderRoute, type RecordedRequest } from "@/test/visit";
import { ChangeEndpointPage } from "./ChangeEndpointPage";
import { EndpointPage } from "./EndpointPage";
import { EndpointsPage } from "./EndpointsPage";
import { NewEndpointPage } from "./NewEndpointPage";

const SETTINGS: EndpointSettings = {
  base_url: "https://models.example.org/v1", key_env: "", has_key: true, max_in_flight: 32, timeout_s: 120, cache_epoch: 0, usable_by: "administrators",
  people: [], is_private: false, created_at: "2026-11-01T10:00:00Z", retired_at: null,
};
const CLOUD: Endpoint = {
  id: "e1", name: "cloud", model: "large-1", price_in: "0.150000", price_out: "0.600000", context_tokens: 8192, parameters: 7_000_000_000,
  size_label: "7-billion-parameter model", may_publish: false, probed_at: "2026-11-02T10:00:00Z",
  capabilities: { schema_output: true, object_output: true, tool_calls: false, logprobs: null, repeats: true, counts_tokens: true, token_ratio: 1, model_returned: "large-1", notes: { tool_calls: "rejected: no tools" } },
  settings: SETTINGS,
};
const UNPRICED: Endpoint = { ...CLOUD, id: "e2", name: "new", price_in: null, price_out: null, probed_at: null, capabilities: { model_returned: "" }, settings: { ...SETTINGS, has_key: false } };
const RETIRED: Endpoint = { ...CLOUD, id: "e3", name: "old (12ab)", settings: { ...SETTINGS, has_key: false, retired_at: "2026-11-05T10:00:00Z" } };
const ADMINISTRATOR = makeUser({ roles: { researcher: false, administrator: true, coordinator: false } });
const RESEARCHER = makeUser({ roles: { researcher: true, administrator: false, coordinator: false } });

class QuietSocket {
  close() {}
}
beforeEach(() => vi.stubGlobal("WebSocket", QuietSocket));

interface World {
  user?: typeof ADMINISTRATOR;
  endpoints?: Endpoint[];
  jobs?: Job[];
  write?: (sent: RecordedRequest) => globalThis.Response | undefined;
}

function open(path: string, { user = ADMINISTRATOR, endpoints = [CLOUD, UNPRICED], jobs = [], write = () => undefined }: World = {}) {
  const shown = user === ADMINISTRATOR ? endpoints : endpoints.map((one) => ({ ...one, settings: null }));
  const requests = mockServer((sent) => {
    if (sent.method !== "GET") return write(sent);
    if (sent.path === "/api/v1/me") return jsonResponse({ user });
    if (sent.path.startsWith("/api/v1/jobs")) return jsonResponse({ results: jobs });
    if (sent.path === "/api/v1/endpoints?retired=true") return jsonResponse({ results: [...shown, RETIRED] });
    if (sent.path === "/api/v1/endpoints") return jsonResponse({ results: shown });
    const one = shown.find(({ id }) => sent.path === `/api/v1/endpoints/${id}`);
    return one && jsonResponse(one);
  });
  const routes = [
    { path: "/endpoints", Component: EndpointsPage },
    { path: "/endpoints/new", Component: NewEndpointPage },
    { path: "/endpoints/:id", Component: EndpointPage },
    { path: "/endpoints/:id/change", Component: ChangeEndpointPage },
  ];
  return { requests, router: renderRoute(routes, path) };
}

const writes = (requests: RecordedRequest[]) => requests.filter(({ method }) => method !== "GET");

describe("the list", () => {
  it("shows administrators where each is, what it costs, and what the probe found", async () => {
    open("/endpoints");
    const row = await screen.findByRole("row", { name: /^cloud/ });
    for (const text of ["https://models.example.org/v1", "key stored, encrypted", "32 at once", "2 November 2026", "Administrators", "may not be published"]) {
      expect(within(row).getByText(text)).toBeVisible();
    }
    expect(row).toHaveTextContent("$0.15 in$0.60 out");
    expect(within(row).getByText(/^4 of 6 checks passed: JSON schema, .* Not checked: log-probabilities\.$/)).toBeVisible();
    const unpriced = screen.getByRole("row", { name: /^new/ });
    expect(within(unpriced).getByText("Runs are refused.")).toBeVisible();
    expect(within(unpriced).getByText("never")).toBeVisible();
  });

  it("shows retired ones to an administrator who asks for them, without a link", async () => {
    open("/endpoints");
    await userEvent.click(await screen.findByRole("checkbox", { name: "Show retired ones" }));
    const row = await screen.findByRole("row", { name: /^old/ });
    expect(within(row).getByText("retired on 5 November 2026")).toBeVisible();
    expect(within(row).queryByRole("link")).not.toBeInTheDocument();
  });

  it("is the same page for researchers, without settings and without anything to change", async () => {
    open("/endpoints", { user: RESEARCHER });
    const row = await screen.findByRole("row", { name: /^cloud/ });
    expect(within(row).getByText("8,192 tokens of context")).toBeVisible();
    expect(screen.queryByText(/models\.example\.org/)).not.toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Add an endpoint" })).not.toBeInTheDocument();
    expect(screen.queryByRole("checkbox")).not.toBeInTheDocument();
  });

  it("shows why it could not be read, and tries again", async () => {
    mockServer(({ path }) => (path === "/api/v1/me" ? jsonResponse({ user: RESEARCHER }) : problemResponse(500, "error", "The server has a fault.")));
    renderRoute([{ path: "/endpoints", Component: EndpointsPage }], "/endpoints");
    expect(await screen.findByRole("alert")).toHaveTextContent("The server has a fault.");
    expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  });

  it("says to an administrator without endpoints how to add one", async () => {
    open("/endpoints", { endpoints: [] });
    expect(await screen.findByText(/Add a server with OpenAI’s interface/)).toBeVisible();
    expect(screen.getAllByRole("link", { name: "Add an endpoint" })).toHaveLength(2);
  });

  it("says what a researcher without endpoints can do", async () => {
    open("/endpoints", { user: RESEARCHER, endpoints: [] });
    expect(await screen.findByText(/An administrator adds one/)).toBeVisible();
  });
});

describe("adding", () => {
  const fill = async (values: Record<string, string>) => {
    for (const [label, text] of Object.entries(values)) {
      await userEvent.click(screen.getByLabelText(label));
      await userEvent.paste(text);
    }
  };

  it("sends what was entered, the key once, and opens the new endpoint", async () => {
    const { requests, router } = open("/endpoints/new", { write: () => jsonResponse(CLOUD, 201) });
    expect(screen.getByRole("button", { name: "Add the endpoint" })).toBeDisabled();
    expect(screen.getByText(/Runs and probes are refused until both are set/)).toBeVisible();
    await fill({ Name: "cloud", Address: "https://models.example.org/v1", Model: "large-1", "Tokens in": "0.15" });
    await userEvent.click(screen.getByRole("radio", { name: /^A new key/ }));
    expect(screen.getByLabelText("Key", { selector: "input" })).toHaveAttribute("type", "password");
    await userEvent.click(screen.getByLabelText("Key", { selector: "input" }));
    await userEvent.paste("a-key");
    await userEvent.click(screen.getByRole("radio", { name: /^Named people/ }));
    await fill({ "E-mail addresses": "a@x.example\nb@x.example" });
    await userEvent.click(screen.getByRole("button", { name: "Add the endpoint" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/endpoints/e1"));
    expect(writes(requests).map(({ json }) => json)).toEqual([
      {
        name: "cloud", base_url: "https://models.example.org/v1", model: "large-1", key: "a-key", key_env: "", price_in: "0.15", price_out: null,
        max_in_flight: 32, timeout_s: 120, context_tokens: null, parameters: null, is_private: false, usable_by: "named", people: ["a@x.example", "b@x.example"], may_publish: false,
      },
    ]);
  });

  it("shows the faults of the server next to their fields, and keeps what was entered", async () => {
    const faults = [
      { place: "base_url", message: "The address is not public. Mark the endpoint as private.", code: "endpoint_address_refused", expected: "" },
      { place: "people.1", message: "No account has this address. Invite the person first.", code: "unknown_person", expected: "" },
    ];
    open("/endpoints/new", { write: () => problemResponse(422, "invalid", "Some fields are invalid.", faults) });
    await fill({ Name: "lab", Address: "https://10.0.0.1/v1", Model: "m" });
    await userEvent.click(screen.getByRole("radio", { name: /^Named people/ }));
    await fill({ "E-mail addresses": "a@x.example b@x.example" });
    await userEvent.click(screen.getByRole("button", { name: "Add the endpoint" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Some fields are invalid.");
    expect(screen.getByLabelText("Address")).toHaveAccessibleDescription(/not public/);
    expect(screen.getByLabelText("E-mail addresses")).toHaveAccessibleDescription(/b@x\.example: No account/);
    expect(screen.getByLabelText("Address")).toHaveValue("https://10.0.0.1/v1");
  });

  it("does not send numbers that are none", async () => {
    const { requests } = open("/endpoints/new");
    await fill({ Name: "lab", Address: "https://x.example/v1", Model: "m", "Tokens in": "1,5" });
    expect(screen.getByLabelText("Tokens in")).toHaveAccessibleDescription(/Enter dollars such as 0\.15/);
    await userEvent.type(screen.getByLabelText("Model"), "{Enter}");
    expect(writes(requests)).toEqual([]);
  });
});

describe("one endpoint", () => {
  it("is not probed before it has a price, and says where to set one", async () => {
    open("/endpoints/e2");
    expect(await screen.findByText(/Its price is unknown/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Set the price" })).toHaveAttribute("href", "/endpoints/e2/change");
    expect(screen.getByRole("button", { name: "Probe now" })).toBeDisabled();
    expect(screen.getByText(/It was not probed yet/)).toBeVisible();
  });

  it("shows each check with its reason, and follows a probe", async () => {
    const job = makeJob({ id: "p1", kind: "endpoint-probe", phase: "sending six calls", percent: 10 });
    const { requests } = open("/endpoints/e1", { jobs: [], write: () => jsonResponse(job, 202) });
    const row = await screen.findByRole("row", { name: /^Calls a tool/ });
    expect(within(row).getByText("rejected: no tools")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Probe now" }));
    await waitFor(() => expect(writes(requests).map(({ path }) => path)).toEqual(["/api/v1/endpoints/e1/probe"]));
  });

  it("shows a probe under way, and why one failed", async () => {
    const failed = makeJob({ kind: "endpoint-probe", state: "failed", error: { code: "endpoint_key_missing", detail: "The environment variable of cloud holds no key. Set it and restart." } as Job["error"] });
    open("/endpoints/e1", { jobs: [failed] });
    expect(await screen.findByText("The last probe failed: The environment variable of cloud holds no key. Set it and restart.")).toBeVisible();
  });

  it("shows the progress of a probe, and offers no second one", async () => {
    open("/endpoints/e1", { jobs: [makeJob({ kind: "endpoint-probe", phase: "sending six calls", percent: 10 })] });
    expect(await screen.findByText("Running: sending six calls, 10%")).toBeVisible();
    expect(screen.getByRole("button", { name: "Probing" })).toBeDisabled();
  });

  it("changes rights in a dialog, and people only where they are named", async () => {
    const { requests } = open("/endpoints/e1", { write: () => jsonResponse({ ...CLOUD, may_publish: true, settings: { ...SETTINGS, usable_by: "everyone" } }) });
    await userEvent.click(await screen.findByRole("button", { name: "Set rights" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Rights to cloud" }));
    await userEvent.click(dialog.getByRole("radio", { name: /^Everyone/ }));
    await userEvent.click(dialog.getByRole("checkbox", { name: /^Answers may be published/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Set the rights" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(writes(requests).map(({ method, json }) => [method, json])).toEqual([["PATCH", { usable_by: "everyone", may_publish: true }]]);
  });

  it("is retired after a confirmation", async () => {
    const { requests, router } = open("/endpoints/e1", { write: () => new globalThis.Response(null, { status: 204 }) });
    await userEvent.click(await screen.findByRole("button", { name: "Retire" }));
    expect(screen.getByRole("button", { name: "Leave it as it is" })).toHaveFocus();
    await userEvent.click(screen.getByRole("button", { name: "Retire it" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/endpoints"));
    expect(writes(requests).map(({ method, path }) => [method, path])).toEqual([["DELETE", "/api/v1/endpoints/e1"]]);
  });

  it("shows researchers what it can do, and nothing to change", async () => {
    open("/endpoints/e1", { user: RESEARCHER });
    expect(await screen.findByRole("row", { name: /^Follows a strict JSON schema/ })).toBeVisible();
    for (const name of ["Probe now", "Set rights", "Retire"]) expect(screen.queryByRole("button", { name })).not.toBeInTheDocument();
    expect(screen.queryByText("Settings")).not.toBeInTheDocument();
  });
});

describe("changing", () => {
  it("leaves the stored key alone unless another is entered", async () => {
    const { requests, router } = open("/endpoints/e1/change", { write: () => jsonResponse(CLOUD) });
    expect(await screen.findByRole("radio", { name: /^The stored key/ })).toBeChecked();
    expect(screen.getByLabelText("Tokens in")).toHaveValue("0.15");
    await userEvent.clear(screen.getByLabelText("Tokens out"));
    await userEvent.click(screen.getByRole("button", { name: "Change the endpoint" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/endpoints/e1"));
    expect(writes(requests)[0]?.json).toEqual({ price_in: "0.15", price_out: null, max_in_flight: 32, timeout_s: 120, context_tokens: 8192, parameters: 7_000_000_000, is_private: false });
  });

  it("requests all answers anew where that is chosen, from the number that the endpoint has", async () => {
    const endpoints = [{ ...CLOUD, settings: { ...SETTINGS, cache_epoch: 3 } }];
    const changed = { ...CLOUD, settings: { ...SETTINGS, cache_epoch: 4 } };
    const write = () => {
      endpoints[0] = changed;
      return jsonResponse(changed);
    };
    const { requests } = open("/endpoints/e1/change", { endpoints, write });
    const anew = await screen.findByRole("checkbox", { name: /^Request all answers anew/ });
    expect(anew).not.toBeChecked();
    expect(screen.getByText(/each new one is paid for. Runs under way pause/)).toBeVisible();
    await userEvent.click(anew);
    await userEvent.click(screen.getByRole("button", { name: "Change the endpoint" }));
    await waitFor(() => expect(writes(requests)[0]?.json).toMatchObject({ cache_epoch: 4 }));
    expect(await screen.findByText("Used again since model change 4")).toBeVisible();
  });

  it("removes the key where none is chosen", async () => {
    const { requests } = open("/endpoints/e1/change", { write: () => jsonResponse(CLOUD) });
    await userEvent.click(await screen.findByRole("radio", { name: /^No key/ }));
    await userEvent.click(screen.getByRole("button", { name: "Change the endpoint" }));
    await waitFor(() => expect(writes(requests)[0]?.json).toMatchObject({ key: "", key_env: "" }));
  });
});
