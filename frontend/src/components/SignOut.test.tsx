import "fake-indexeddb/auto";
import { onlineManager } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Me } from "@/api/contract";
import { leavePage } from "@/lib/session";
import { reply, serve, somebody, visit, type Asked } from "@/test/visit";
import { Button } from "./Button";
import { useSignOut } from "./SignOut";

let user: Me | null;
let asked: Asked[];

function Page() {
  const { ask, dialog } = useSignOut({ to: "/gone" });
  return (
    <>
      <Button onPress={ask}>Sign out</Button>
      {dialog}
    </>
  );
}

const ROUTES = [
  { path: "/", Component: Page },
  { path: "/gone", element: <p>Signed out</p> },
];

const leaving = () => asked.filter(({ method }) => method === "DELETE");

beforeEach(() => {
  user = somebody();
  asked = serve(({ method, path }) => {
    if (path === "/api/v1/me") return reply({ user });
    if (method === "DELETE" && path.endsWith("/auth/session")) {
      user = null;
      return reply({}, 401);
    }
    return undefined;
  });
});

afterEach(() => {
  onlineManager.setOnline(true);
  leavePage();
  localStorage.clear();
  vi.unstubAllGlobals();
});

it("without a network fails at once, and is not done later behind her back", async () => {
  visit(ROUTES, "/");
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
