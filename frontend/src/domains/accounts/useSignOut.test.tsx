import { onlineManager } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CurrentUser } from "@/api/contract";
import { jsonResponse, mockServer, makeUser, renderRoute, type RecordedRequest } from "@/test/visit";
import { Button } from "@/components/Button";
import { useSignOut } from "./useSignOut";

let user: CurrentUser | null;
let requests: RecordedRequest[];

function Page() {
  const { request, dialog } = useSignOut({ to: "/gone" });
  return (
    <>
      <Button onPress={request}>Sign out</Button>
      {dialog}
    </>
  );
}

const ROUTES = [
  { path: "/", Component: Page },
  { path: "/gone", element: <p>Signed out</p> },
];

const leaving = () => requests.filter(({ method }) => method === "DELETE");

beforeEach(() => {
  user = makeUser();
  requests = mockServer(({ method, path }) => {
    if (path === "/api/v1/me") return jsonResponse({ user });
    if (method === "DELETE" && path.endsWith("/auth/session")) {
      user = null;
      return jsonResponse({}, 401);
    }
    return undefined;
  });
});

afterEach(() => {
  onlineManager.setOnline(true);
});

it("without a network fails at once, and is not done later without the user", async () => {
  renderRoute(ROUTES, "/");
  const button = await screen.findByRole("button", { name: "Sign out" });
  const answer = fetch;
  onlineManager.setOnline(false);
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await userEvent.click(button);
  expect(await screen.findByRole("alert")).toHaveTextContent("The server did not answer.");
  expect(screen.getByRole("button", { name: "Try again" })).toBeEnabled();
  await userEvent.click(screen.getByRole("button", { name: "Stay signed in" }));
  vi.stubGlobal("fetch", answer);
  onlineManager.setOnline(true);
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(leaving()).toHaveLength(0);
  await userEvent.click(screen.getByRole("button", { name: "Sign out" }));
  expect(await screen.findByText("Signed out")).toBeInTheDocument();
  expect(leaving()).toHaveLength(1);
});
