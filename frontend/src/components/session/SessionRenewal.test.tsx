import "fake-indexeddb/auto";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useMe } from "@/lib/me";
import { isStillHers, leavePage } from "@/lib/session";
import { person } from "@/test/offline/fakeServer";
import { SessionRenewal } from "./SessionRenewal";

/** Who is signed in, and what was asked of the sign-in service. */
let user: string | null;
let asked: { path: string; body: unknown }[];

const reply = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

async function server(path: string, init: RequestInit = {}): Promise<Response> {
  if (path === "/api/v1/me") return reply(200, { user: user ? person(user) : null });
  asked.push({ path, body: init.body ? JSON.parse(String(init.body)) : null });
  if (path.endsWith("auth/code/request")) {
    return reply(401, { data: { flows: [{ id: "login_by_code", is_pending: true }] } });
  }
  if (path.endsWith("auth/session")) user = null;
  else if (String(init.body).includes("wrong")) return reply(400, { errors: [{ code: "email_password_mismatch", message: "" }] });
  else user = "her";
  return reply(200, {});
}

function Page() {
  return (
    <main>
      <p>{useMe()?.name ?? "nobody"}'s page</p>
      <button type="button">Her place</button>
    </main>
  );
}

async function open() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Page />
      <SessionRenewal />
    </QueryClientProvider>,
  );
  await screen.findByText("her's page");
}

beforeEach(() => {
  user = "her";
  asked = [];
  vi.stubGlobal("fetch", vi.fn(server));
});

afterEach(() => {
  leavePage();
  localStorage.clear();
  vi.unstubAllGlobals();
});

const gone = () => waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

describe("a session that ran out", () => {
  it("is asked for over the page, which stays hers", async () => {
    await open();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    user = null;
    await isStillHers();
    expect(await screen.findByRole("dialog", { name: "Sign in again" })).toHaveTextContent("her@example.org");
    expect(screen.queryByRole("textbox", { name: /mail/i })).not.toBeInTheDocument();
    expect(screen.getByText("her's page")).toBeInTheDocument();
  });

  it("is renewed with her password, for her address only", async () => {
    await open();
    user = null;
    await isStillHers();
    await userEvent.type(await screen.findByLabelText("Password"), "wrong{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("do not belong together");
    await userEvent.clear(screen.getByLabelText("Password"));
    await userEvent.type(screen.getByLabelText("Password"), "right{Enter}");
    await gone();
    expect(asked.at(-1)?.body).toEqual({ email: "her@example.org", password: "right" });
  });

  it("is renewed with a code that goes to her address", async () => {
    await open();
    user = null;
    await isStillHers();
    await userEvent.click(await screen.findByRole("radio", { name: "Code by e-mail" }));
    await userEvent.click(screen.getByRole("button", { name: "Send me a code" }));
    await userEvent.type(await screen.findByLabelText("Code"), "ABC123{Enter}");
    await gone();
    expect(asked.map(({ body }) => body)).toEqual([{ email: "her@example.org" }, { code: "ABC123" }]);
  });

  it("can wait: a line stays at the foot of the page", async () => {
    await open();
    user = null;
    await isStillHers();
    await screen.findByRole("dialog");
    await userEvent.keyboard("{Escape}");
    await gone();
    await userEvent.click(screen.getByRole("button", { name: "Sign in again" }));
    expect(await screen.findByRole("dialog")).toBeInTheDocument();
  });

  it("gives the focus back to where she was, also when it was put off first", async () => {
    await open();
    screen.getByRole("button", { name: "Her place" }).focus();
    user = null;
    await isStillHers();
    await screen.findByRole("dialog");
    await userEvent.keyboard("{Escape}");
    await gone();
    await waitFor(() => expect(screen.getByRole("button", { name: "Her place" })).toHaveFocus());
    await userEvent.click(screen.getByRole("button", { name: "Sign in again" }));
    await userEvent.type(await screen.findByLabelText("Password"), "right{Enter}");
    await gone();
    await waitFor(() => expect(screen.getByRole("button", { name: "Her place" })).toHaveFocus());
  });
});

describe("a session that is somebody else's", () => {
  it("is named, and ended when she says so; then she signs in herself", async () => {
    await open();
    user = "colleague";
    await isStillHers();
    const dialog = await screen.findByRole("dialog", { name: "Someone else is signed in" });
    expect(dialog).toHaveTextContent("colleague@example.org");
    expect(screen.getByText("her's page")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Sign out colleague@example.org" }));
    await userEvent.type(await screen.findByLabelText("Password"), "right{Enter}");
    await gone();
  });
});
