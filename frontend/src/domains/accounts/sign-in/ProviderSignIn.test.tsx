import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { jsonResponse, mockServer, renderRoute, type RecordedRequest } from "@/test/visit";
import { ProviderSignIn } from "./ProviderSignIn";

let name: string;
let status: number;
let requests: RecordedRequest[];

beforeEach(() => {
  name = "Colombo University";
  status = 200;
  requests = mockServer(({ method }) => {
    if (method === "GET") return jsonResponse({ name });
    return status === 200 ? jsonResponse({ url: "https://login.example.org/authorize" }) : jsonResponse({ code: "provider_unavailable" }, status);
  });
});

function show(error: string | null = null, open = vi.fn()) {
  renderRoute([{ path: "/", element: <ProviderSignIn next="/explore?q=1" error={error} open={open} /> }], "/");
  return open;
}

it("opens the provider's page, with the page to return to", async () => {
  const open = show();
  await userEvent.click(await screen.findByRole("button", { name: "Sign in with Colombo University" }));
  await waitFor(() => expect(open).toHaveBeenCalledWith("https://login.example.org/authorize"));
  expect(requests.find(({ method }) => method === "POST")?.json).toEqual({ next: "/explore?q=1" });
});

it("shows nothing without a provider", async () => {
  name = "";
  show();
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});

it("states that the provider does not answer", async () => {
  status = 503;
  const open = show();
  await userEvent.click(await screen.findByRole("button"));
  expect(await screen.findByText(/does not answer/)).toBeInTheDocument();
  expect(open).not.toHaveBeenCalled();
});

it.each([
  ["signup_closed", /No account here/],
  ["permission_denied", /cannot sign in this way/],
  ["cancelled", /was cancelled/],
  ["<img src=x>", /failed/],
])("explains the error %s", async (error, text) => {
  show(error);
  expect(await screen.findByText(text)).toBeInTheDocument();
});
