import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import type { ResponseWrite } from "@/api/contract";
import { clearAccountData, engineFor } from "@/lib/offline";
import { rankingPayload } from "@/test/offline/fakeServer";
import { jsonResponse, makeBatch, makeUser, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { HomePage } from "../HomePage";

const ROUTES = [{ path: "/home", Component: HomePage }, { path: "/account", element: <h1>Account</h1> }];
const write: ResponseWrite = { version: 0, action: "submit", outcome: "changed", payload: rankingPayload([["a"]]), active_ms: 0 };
let users = 0;
let account = "";

afterEach(() => clearAccountData(account));

/** The home page of an expert with an answer that the server answers with `status`. */
async function open(status: number, withdrawalStatus = 204) {
  users += 1;
  account = `withdrawing-${users}`;
  const user = makeUser({ id: account });
  const requests = mockServer(({ path }) => {
    if (path === "/api/v1/me") return jsonResponse({ user });
    if (path === "/api/v1/batches") return jsonResponse({ results: [makeBatch()] });
    if (path.endsWith("/response")) return problemResponse(status, "refused", "Not now.");
    if (path.endsWith("/withdrawal")) return new Response(withdrawalStatus === 204 ? null : "{}", { status: withdrawalStatus });
    return undefined;
  });
  const engine = await engineFor(account);
  await engine.enqueue({ id: "w", resource: "q1", batch: makeBatch().id, kind: "ranking", interface: "rank-1", changes: 1, queuedAt: "2026-01-01T00:00:00Z", write });
  const router = renderRoute(ROUTES, "/home");
  await userEvent.click(await screen.findByRole("button", { name: /^Withdraw from/ }));
  const choose = async (choice: string) => {
    await userEvent.click(await screen.findByRole("radio", { name: new RegExp(`^${choice}`) }));
    await userEvent.click(screen.getByRole("button", { name: "Withdraw from the study" }));
  };
  const isPosted = () => requests.some(({ path }) => path.endsWith("/withdrawal"));
  return { engine, router, choose, isPosted };
}

it("keeps no answers while one of them is not sent", async () => {
  const { engine, choose, isPosted } = await open(503);
  await choose("Keep my answers");
  expect(await screen.findByText("Not sent from this device: 1 answer. Connect first.")).toBeVisible();
  expect(isPosted()).toBe(false);
  expect(engine.state.queue).toHaveLength(1);
});

it("keeps no answers while the server has refused one", async () => {
  const { choose, isPosted } = await open(422);
  await choose("Keep my answers");
  expect(await screen.findByText(/^Not accepted by the server: 1 answer\./)).toBeVisible();
  expect(isPosted()).toBe(false);
});

it.each([204, 404])("leaves nothing to send where the answers are withdrawn too (%s)", async (status) => {
  const { engine, router, choose, isPosted } = await open(503, status);
  await choose("Withdraw my answers too");
  await waitFor(() => expect(router.state.location.pathname).toBe("/account"));
  expect(isPosted()).toBe(true);
  expect(engine.state.queue).toEqual([]);
});
