import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { problemResponse, jsonResponse, mockServer, makeUser, renderRoute, type RecordedRequest } from "@/test/visit";
import { PeoplePage } from "./PeoplePage";

const NEXT = "http://elsewhere.example/api/v1/people?cursor=2";

function person(name: string, roles: { researcher?: boolean; administrator?: boolean } = {}, active = true, studies: object[] = []) {
  return {
    id: name,
    email: `${name}@hospital.example`,
    name,
    roles: { researcher: false, administrator: false, coordinator: false, ...roles },
    is_active: active,
    is_simulated: false,
    created_at: "2026-11-21T10:00:00Z",
    last_sign_in: studies.length > 0 ? "2026-11-22T10:00:00Z" : null,
    studies,
  };
}

const ADAS_STUDIES = [{ id: "s1", name: "Drugs", role: "coordinator" }, { id: "s1", name: "Drugs", role: "expert" }];

type Answer = (request: RecordedRequest) => globalThis.Response | undefined;

function open(own: Answer = () => undefined): RecordedRequest[] {
  const requests = mockServer((one) => {
    const { path } = one;
    const answer = own(one);
    if (answer) return answer;
    if (path === "/api/v1/me") return jsonResponse({ user: makeUser({ id: "Ines" }) });
    if (path === "/api/v1/people") {
      return jsonResponse({ next: NEXT, results: [person("Ines", { administrator: true }), person("Ada", {}, true, ADAS_STUDIES)] });
    }
    if (path === "/api/v1/people?cursor=2") return jsonResponse({ next: null, results: [person("Bea", {}, false)] });
    if (path === "/api/v1/webhook-hosts") return jsonResponse({ results: [{ id: 7, host: "hooks.example.org" }] });
    return path.startsWith("/api/v1/people/invitations") ? jsonResponse({ next: null, results: [] }) : undefined;
  });
  renderRoute([{ path: "/people", Component: PeoplePage }], "/people");
  return requests;
}

const rows = async () => {
  const table = await screen.findByRole("table", { name: "People" });
  return within(table).getAllByRole("row").slice(1).map((row) => row.textContent);
};

it("lists everybody in parts, each from this site whatever its address says", async () => {
  open();
  expect(await rows()).toEqual([
    "InesInes@hospital.exampleLast sign-in: neveradministratornever21 November 2026Change",
    "AdaAda@hospital.exampleLast sign-in: 22 November 2026coordinator in Drugsexpert in Drugs22 November 202621 November 2026Change",
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Show more" }));
  expect(await screen.findByText("(closed)")).toBeInTheDocument();
  expect(await rows()).toHaveLength(3);
  expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
});

it("shows two studies of a person of many, and the others when asked", async () => {
  const studies = ["One", "Two", "Three", "Four", "Five", "Six"].map((name) => ({ id: name, name, role: "expert" }));
  open(({ path }) => (path === "/api/v1/people" ? jsonResponse({ next: null, results: [person("Ada", {}, true, studies)] }) : undefined));
  const more = await screen.findByRole("button", { name: "and 4 more studies of Ada" });
  const items = () => within(screen.getByRole("table", { name: "People" })).getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(items()).toEqual(["expert in One", "expert in Two"]);
  await userEvent.click(more);
  expect(items()).toHaveLength(6);
  const fewer = screen.getByRole("button", { name: "Fewer studies of Ada" });
  expect(fewer).toHaveFocus();
  expect(fewer).toHaveAttribute("aria-expanded", "true");
  await userEvent.click(fewer);
  expect(items()).toHaveLength(2);
});

it("searches by name and role, and names what to change where nobody matches", async () => {
  const requests = open(({ path }) => (path.includes("role=expert") ? jsonResponse({ next: null, results: [] }) : path.includes("search") ? jsonResponse({ next: null, results: [person("Ada")] }) : undefined));
  await rows();
  await userEvent.type(screen.getByRole("searchbox", { name: "Find by name or e-mail" }), "ada");
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Role" }), "Experts");
  expect(await screen.findByText(/Nobody matches/)).toBeInTheDocument();
  expect(requests.at(-1)?.path).toBe("/api/v1/people?search=ada&role=expert");
});

it("makes a person a coordinator", async () => {
  const requests = open(({ method }) => (method === "PATCH" ? jsonResponse(person("Ada")) : undefined));
  const dialog = await change("Ada");
  await userEvent.click(dialog.getByRole("checkbox", { name: /^Coordinator/ }));
  expect(dialog.getByRole("status")).toHaveTextContent("Ada can import questionnaires and graphs, and coordinates those studies.");
  await userEvent.click(dialog.getByRole("button", { name: "Change the roles" }));
  await screen.findByText(/Ada can import questionnaires/);
  expect(patches(requests).map(({ json }) => json)).toEqual([{ roles: { coordinator: true } }]);
});

it("offers the site's roles, not those of a study", async () => {
  open();
  expect(await screen.findByText(/You have not invited a researcher or an administrator yet/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Invite" }));
  const names = (await screen.findAllByRole("radio")).map((radio) => radio.closest("label")?.textContent);
  expect(names[0]).toMatch(/^Researcher/);
  expect(names[1]).toMatch(/^Administrator/);
  expect(names).toHaveLength(2);
  // Administrators do not see studies that are not theirs.
  expect(names.join(" ")).not.toMatch(/sees all/i);
});

const change = async (name: string) => {
  await userEvent.click(await screen.findByRole("button", { name: `Change the account of ${name}` }));
  return within(await screen.findByRole("dialog", { name: `The account of ${name}` }));
};
const patches = (requests: RecordedRequest[]) => requests.filter(({ method }) => method === "PATCH");

it("closes an account after saying what that does, and says so afterwards", async () => {
  const requests = open(({ method }) => (method === "PATCH" ? jsonResponse(person("Ada", {}, false)) : undefined));
  const dialog = await change("Ada");
  expect(dialog.getByRole("status")).toHaveTextContent("You have not changed anything yet.");
  expect(dialog.getByRole("button", { name: "Change the account" })).toBeDisabled();
  await userEvent.click(dialog.getByRole("radio", { name: /^Closed/ }));
  expect(dialog.getByRole("status")).toHaveTextContent(/Ada is signed out everywhere at once.*Open invitations to this address/);
  expect(patches(requests)).toHaveLength(0);
  await userEvent.click(dialog.getByRole("button", { name: "Close the account" }));
  expect(await screen.findByText(/Ada is signed out everywhere at once/)).toBeInTheDocument();
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  expect(patches(requests)).toEqual([{ method: "PATCH", path: "/api/v1/people/Ada", json: { is_active: false } }]);
  await waitFor(() => expect(screen.getByRole("button", { name: "Change the account of Ada" })).toHaveFocus());
});

it("gives a role and sends nothing but that", async () => {
  const requests = open(({ method }) => (method === "PATCH" ? jsonResponse(person("Ada", { researcher: true })) : undefined));
  const dialog = await change("Ada");
  await userEvent.click(dialog.getByRole("checkbox", { name: /^Researcher/ }));
  expect(dialog.getByRole("status")).toHaveTextContent("Ada can submit predictions, upload files of sets and compute their serendipity.");
  await userEvent.click(dialog.getByRole("button", { name: "Change the roles" }));
  await screen.findByText("Ada can submit predictions, upload files of sets and compute their serendipity.");
  expect(patches(requests).map(({ json }) => json)).toEqual([{ roles: { researcher: true } }]);
});

it("says whose address is not confirmed, and keeps what was chosen", async () => {
  open(({ method }) => (method === "PATCH" ? problemResponse(409, "address_unproven", "Sign out, and sign in with a code from your mail.") : undefined));
  const dialog = await change("Ada");
  await userEvent.click(dialog.getByRole("checkbox", { name: /^Administrator/ }));
  await userEvent.click(dialog.getByRole("button", { name: "Change the roles" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("Nothing was changed: Ada@hospital.example is not confirmed yet.");
  expect(dialog.getByRole("checkbox", { name: /^Administrator/ })).toBeChecked();
});

it("does not let administrators remove their own role", async () => {
  open();
  const dialog = await change("Ines");
  expect(dialog.getByRole("checkbox", { name: /^Administrator/ })).toBeDisabled();
  expect(dialog.getByRole("checkbox", { name: /^Researcher/ })).toBeEnabled();
  expect(dialog.queryByRole("radio")).not.toBeInTheDocument();
  expect(dialog.getByText(/Only another administrator can close it/)).toBeInTheDocument();
});

it("allows a host of webhooks and removes one", async () => {
  const requests = open(({ path, method }) => (path.startsWith("/api/v1/webhook-hosts") && method !== "GET" ? jsonResponse(null, 201) : undefined));
  await userEvent.type(await screen.findByLabelText("Host"), "lab.example:8443");
  await userEvent.click(screen.getByRole("button", { name: "Allow it" }));
  await userEvent.click(await screen.findByRole("button", { name: "Remove hooks.example.org" }));
  await userEvent.click(await screen.findByRole("button", { name: "Remove it" }));
  const writes = () => requests.filter(({ path, method }) => path.startsWith("/api/v1/webhook-hosts") && method !== "GET");
  await waitFor(() => expect(writes().map(({ method, path, json }) => [method, path, json])).toEqual([
    ["POST", "/api/v1/webhook-hosts", { host: "lab.example:8443" }],
    ["DELETE", "/api/v1/webhook-hosts/7", null],
  ]));
  expect(await screen.findByText("hooks.example.org is removed.")).toHaveFocus();
});
