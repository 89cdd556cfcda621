import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { jsonResponse, makeUser, mockServer, renderRoute, type RecordedRequest } from "@/test/visit";
import { AccountPage } from "../AccountPage";
import type { ApiToken } from "./tokens";

let tokens: ApiToken[];
let requests: RecordedRequest[];

const token = (id: string, fields: Partial<ApiToken> = {}): ApiToken => ({
  id,
  name: id,
  scope: "submit",
  prefix: "srd_abcd",
  created_at: "2026-11-01T10:00:00Z",
  expires_at: "2999-11-01T10:00:00Z",
  last_used_at: null,
  revoked_at: null,
  ...fields,
});

beforeEach(() => {
  tokens = [];
  requests = mockServer(({ method, path, json }) => {
    if (path === "/api/v1/me") return jsonResponse({ user: makeUser() });
    if (path === "/api/v1/tokens" && method === "POST") {
      const created = token((json as { name: string }).name, json as Partial<ApiToken>);
      tokens = [created, ...tokens];
      return jsonResponse({ ...created, token: "srd_abcdefgh-secret" }, 201);
    }
    if (path === "/api/v1/tokens") return jsonResponse(tokens);
    if (method === "DELETE") {
      tokens = tokens.map((one) => (path.endsWith(one.id) ? { ...one, revoked_at: "2026-11-22T10:00:00Z" } : one));
      return jsonResponse(tokens[0]);
    }
    return undefined;
  });
});

const open = () => renderRoute([{ path: "/account", Component: AccountPage }], "/account");
const rows = async () => {
  const table = await screen.findByRole("table", { name: "Your tokens" });
  return within(table).getAllByRole("row").slice(1).map((row) => row.textContent);
};

it("shows a new token once", async () => {
  open();
  expect(await screen.findByText("You have no token yet.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Create a token" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Create a token" }));
  expect(dialog.getByRole("button", { name: "Create the token" })).toBeDisabled();
  await userEvent.type(dialog.getByLabelText("Name"), "cluster");
  await userEvent.click(dialog.getByRole("radio", { name: /^Read only/ }));
  await userEvent.click(dialog.getByRole("button", { name: "Create the token" }));
  expect(await dialog.findByLabelText("Token")).toHaveValue("srd_abcdefgh-secret");
  expect(requests.find(({ method }) => method === "POST")?.json).toEqual({ name: "cluster", scope: "read", expires_in_days: 365 });
  await userEvent.click(dialog.getByRole("button", { name: "Done" }));
  expect(await rows()).toEqual(["cluster srd_abcd…readneveruntil 1 November 2999Revoke"]);
  await userEvent.click(screen.getByRole("button", { name: "Create a token" }));
  expect(screen.queryByLabelText("Token")).not.toBeInTheDocument();
});

it("revokes a token after a question, and keeps it in the list", async () => {
  tokens = [token("laptop"), token("old", { expires_at: "2026-01-01T00:00:00Z", last_used_at: "2025-12-01T00:00:00Z" })];
  open();
  expect(await rows()).toEqual([
    "laptop srd_abcd…read and submitneveruntil 1 November 2999Revoke",
    "old srd_abcd…read and submit1 December 2025expired",
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Revoke laptop" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Revoke laptop?" }));
  await userEvent.click(dialog.getByRole("button", { name: "Revoke it" }));
  await screen.findByText("revoked");
  expect(await rows()).toEqual([
    "laptop srd_abcd…read and submitneverrevoked",
    "old srd_abcd…read and submit1 December 2025expired",
  ]);
});
