import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { problem, reply, serve, somebody, visit, type Asked } from "@/test/visit";
import { PeoplePage } from "./index";

const NEXT = "http://elsewhere.example/api/v1/people?cursor=2";

function person(name: string, roles: { researcher?: boolean; administrator?: boolean } = {}, active = true) {
  return {
    id: name,
    email: `${name}@hospital.example`,
    name,
    roles: { researcher: false, administrator: false, ...roles },
    is_active: active,
    is_simulated: false,
    created_at: "2026-11-21T10:00:00Z",
  };
}

type Answer = (asked: Asked) => globalThis.Response | undefined;

function open(own: Answer = () => undefined): Asked[] {
  const asked = serve((one) => {
    const { path } = one;
    const answer = own(one);
    if (answer) return answer;
    if (path === "/api/v1/me") return reply({ user: somebody({ id: "Ines" }) });
    if (path === "/api/v1/people") {
      return reply({ next: NEXT, results: [person("Ines", { administrator: true }), person("Ada")] });
    }
    if (path === "/api/v1/people?cursor=2") return reply({ next: null, results: [person("Bea", {}, false)] });
    return path.startsWith("/api/v1/people/invitations") ? reply({ next: null, results: [] }) : undefined;
  });
  visit([{ path: "/people", Component: PeoplePage }], "/people");
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

const rows = async () => {
  const table = await screen.findByRole("table", { name: "People" });
  return within(table).getAllByRole("row").slice(1).map((row) => row.textContent);
};

it("lists everybody in parts, each from this site whatever its address says", async () => {
  open();
  expect(await rows()).toEqual([
    "InesInes@hospital.exampleadministrator21 November 2026Change",
    "AdaAda@hospital.examplenone; by study only21 November 2026Change",
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Show more" }));
  expect(await screen.findByText("(closed)")).toBeInTheDocument();
  expect(await rows()).toHaveLength(3);
  expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
});

it("offers the site's roles, not those of a study", async () => {
  open();
  expect(await screen.findByText(/Invitations of researchers and administrators will be here/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Invite" }));
  const names = (await screen.findAllByRole("radio")).map((radio) => radio.closest("label")?.textContent);
  expect(names[0]).toMatch(/^Researcher/);
  expect(names[1]).toMatch(/^Administrator/);
  expect(names).toHaveLength(2);
});

const change = async (name: string) => {
  await userEvent.click(await screen.findByRole("button", { name: `Change the account of ${name}` }));
  return within(await screen.findByRole("dialog", { name: `The account of ${name}` }));
};
const patches = (asked: Asked[]) => asked.filter(({ method }) => method === "PATCH");

it("closes an account after saying what that does, and says so afterwards", async () => {
  const asked = open(({ method }) => (method === "PATCH" ? reply(person("Ada", {}, false)) : undefined));
  const dialog = await change("Ada");
  expect(dialog.getByRole("status")).toHaveTextContent("Nothing is changed yet.");
  expect(dialog.getByRole("button", { name: "Change the account" })).toBeDisabled();
  await userEvent.click(dialog.getByRole("radio", { name: /^Closed/ }));
  expect(dialog.getByRole("status")).toHaveTextContent(/Ada is signed out everywhere at once.*Open invitations to this address/);
  expect(patches(asked)).toHaveLength(0);
  await userEvent.click(dialog.getByRole("button", { name: "Close the account" }));
  expect(await screen.findByText(/Ada is signed out everywhere at once/)).toBeInTheDocument();
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  expect(patches(asked)).toEqual([{ method: "PATCH", path: "/api/v1/people/Ada", json: { is_active: false } }]);
  await waitFor(() => expect(screen.getByRole("button", { name: "Change the account of Ada" })).toHaveFocus());
});

it("gives a role and sends nothing but that", async () => {
  const asked = open(({ method }) => (method === "PATCH" ? reply(person("Ada", { researcher: true })) : undefined));
  const dialog = await change("Ada");
  await userEvent.click(dialog.getByRole("checkbox", { name: /^Researcher/ }));
  expect(dialog.getByRole("status")).toHaveTextContent("Ada may submit models' predictions and see their scores.");
  await userEvent.click(dialog.getByRole("button", { name: "Change the roles" }));
  await screen.findByText("Ada may submit models' predictions and see their scores.");
  expect(patches(asked).map(({ json }) => json)).toEqual([{ roles: { researcher: true } }]);
});

it("says whose address is not confirmed, and keeps what was chosen", async () => {
  open(({ method }) => (method === "PATCH" ? problem(409, "address_unproven", "Sign out, and sign in with a code from your mail.") : undefined));
  const dialog = await change("Ada");
  await userEvent.click(dialog.getByRole("checkbox", { name: /^Administrator/ }));
  await userEvent.click(dialog.getByRole("button", { name: "Change the roles" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("Nothing was changed: Ada@hospital.example is not confirmed yet.");
  expect(dialog.getByRole("checkbox", { name: /^Administrator/ })).toBeChecked();
});

it("lets nobody shut herself out", async () => {
  open();
  const dialog = await change("Ines");
  expect(dialog.getByRole("checkbox", { name: /^Administrator/ })).toBeDisabled();
  expect(dialog.getByRole("checkbox", { name: /^Researcher/ })).toBeEnabled();
  expect(dialog.queryByRole("radio")).not.toBeInTheDocument();
  expect(dialog.getByText(/another administrator can close it/)).toBeInTheDocument();
});
