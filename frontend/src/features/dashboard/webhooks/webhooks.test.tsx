import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { makeDashboard } from "../fixtures";
import { WebhooksTab } from "./WebhooksTab";

const AT = "2026-11-23T04:00:00Z";
const FAILED = { id: "d1", event: "study.closed", state: "failed", attempts: 7, error: "The host answered with status 500.", created_at: AT, next_at: null, ended_at: AT };
const WAITING = { ...FAILED, id: "d2", event: "answer.submitted", state: "waiting", attempts: 1, next_at: AT, ended_at: null };
const WEBHOOK = { id: "w1", address: "https://hooks.example/a", events: ["study.closed"], created_at: AT, deliveries: [WAITING, FAILED] };

function open(webhooks: object[]) {
  const requests = mockServer(({ method, path }) => {
    if (method === "GET") return jsonResponse({ hosts: ["hooks.example"], webhooks });
    return path.endsWith("/webhooks") ? jsonResponse({ webhook: WEBHOOK, secret: "whsec_abc" }, 201) : new Response(null, { status: 204 });
  });
  renderRoute([{ path: "/", element: <WebhooksTab study={makeDashboard().study} /> }], "/");
  return () => requests.filter(({ method }) => method !== "GET").map(({ method, path, json }) => [method, path, json]);
}

it("adds a webhook and shows its secret once", async () => {
  const writes = open([]);
  await userEvent.click(screen.getByRole("button", { name: "Add a webhook" }));
  await userEvent.type(await screen.findByLabelText("Address"), "hooks.example/a");
  await userEvent.click(screen.getByRole("checkbox", { name: /An answer is submitted/ }));
  await userEvent.click(screen.getByRole("button", { name: "Add it" }));
  expect(await screen.findByLabelText("Secret of the webhook")).toHaveValue("whsec_abc");
  expect(writes()).toEqual([["POST", "/api/v1/studies/study-1/webhooks", { address: "https://hooks.example/a", events: ["study.closed", "answer.submitted"] }]]);
});

it("lists deliveries with their last error, sends one again and sends a test", async () => {
  const writes = open([WEBHOOK]);
  expect(await screen.findByRole("row", { name: /study\.closed.*failed.*7.*status 500/ })).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /Send again: answer/ })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: /Send again: study/ }));
  await userEvent.click(screen.getByRole("button", { name: "Send a test" }));
  await userEvent.click(screen.getByRole("button", { name: "Remove" }));
  await userEvent.click(await screen.findByRole("button", { name: "Remove it" }));
  await expect.poll(() => writes().map(([, path]) => path)).toEqual(["/api/v1/webhook-deliveries/d1/repeat", "/api/v1/webhooks/w1/test", "/api/v1/webhooks/w1"]);
  expect(await screen.findByText("The webhook to https://hooks.example/a is removed.")).toHaveFocus();
});
