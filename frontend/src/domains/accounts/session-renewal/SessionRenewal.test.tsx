import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useCurrentUser } from "@/lib/currentUser";
import { isSameUser, showRenewal } from "@/lib/session";
import { makeUser } from "@/test/offline/fakeServer";
import { SessionRenewal } from "./SessionRenewal";

/** Who is signed in, and the requests to the sign-in service. */
let user: string | null;
let requests: { path: string; body: unknown }[];

const reply = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

async function server(path: string, init: RequestInit = {}): Promise<Response> {
  if (path === "/api/v1/me") return reply(200, { user: user ? makeUser(user) : null });
  requests.push({ path, body: init.body ? JSON.parse(String(init.body)) : null });
  if (path.endsWith("auth/code/request")) {
    return reply(401, { data: { flows: [{ id: "login_by_code", is_pending: true }] } });
  }
  if (path.endsWith("auth/session")) user = null;
  else if (String(init.body).includes("wrong")) return reply(400, { errors: [{ code: "email_password_mismatch", message: "" }] });
  else user = "expert";
  return reply(200, {});
}

function Page() {
  return (
    <main>
      <p>{useCurrentUser()?.name ?? "nobody"}'s page</p>
      <button type="button">Place</button>
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
  await screen.findByText("expert's page");
}

beforeEach(() => {
  user = "expert";
  requests = [];
  vi.stubGlobal("fetch", vi.fn(server));
});

afterEach(() => vi.useRealTimers());

/** Once the dialog has the focus: before, the key is not its own. */
async function escape() {
  const dialog = await screen.findByRole("dialog");
  await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
  await userEvent.keyboard("{Escape}");
}

const gone = () => waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

describe("a session that ran out", () => {
  it("is asked for over the page, which stays with its user", async () => {
    await open();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    user = null;
    await isSameUser();
    const dialog = await screen.findByRole("dialog", { name: "Sign in again" });
    await waitFor(() => expect(dialog).toHaveTextContent("expert@example.org"));
    expect(screen.queryByRole("textbox", { name: /mail/i })).not.toBeInTheDocument();
    expect(screen.getByText("expert's page")).toBeInTheDocument();
  });

  it("waits with its dialog until no key is held and input has paused", async () => {
    await open();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    fireEvent.keyDown(document.body, { key: "Alt", altKey: true });
    user = null;
    await act(() => isSameUser());
    const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
    pass(5000);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(screen.getByRole("status")).toHaveTextContent("Your session has expired");
    fireEvent.keyUp(document.body, { key: "Alt" });
    pass(900);
    fireEvent.keyDown(document.body, { key: "x" });
    pass(900);
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    pass(200);
    expect(screen.getByRole("dialog", { name: "Sign in again" })).toBeInTheDocument();
  });

  it("waits for a drag, and opens at once where it is asked for", async () => {
    await open();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    fireEvent(document.body, new MouseEvent("pointerdown", { bubbles: true, buttons: 1 }));
    user = null;
    await act(() => isSameUser());
    act(() => vi.advanceTimersByTime(5000));
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    act(showRenewal);
    expect(screen.getByRole("dialog", { name: "Sign in again" })).toBeInTheDocument();
  });

  it("is renewed with the password of the same address only", async () => {
    await open();
    user = null;
    await isSameUser();
    await userEvent.type(await screen.findByLabelText("Password"), "wrong{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("Wrong e-mail address or password");
    await userEvent.clear(screen.getByLabelText("Password"));
    await userEvent.type(screen.getByLabelText("Password"), "right{Enter}");
    await gone();
    expect(requests.at(-1)?.body).toEqual({ email: "expert@example.org", password: "right" });
  });

  it("is renewed with a code that goes to the same address", async () => {
    await open();
    user = null;
    await isSameUser();
    await userEvent.click(await screen.findByRole("radio", { name: "Code by e-mail" }));
    await userEvent.click(screen.getByRole("button", { name: "Send me a code" }));
    await userEvent.type(await screen.findByLabelText("Code"), "ABC123{Enter}");
    await gone();
    expect(requests.map(({ body }) => body)).toEqual([{ email: "expert@example.org" }, { code: "ABC123" }]);
  });

  it("can wait: a line stays at the foot of the page", async () => {
    await open();
    user = null;
    await isSameUser();
    await escape();
    await gone();
    await userEvent.click(screen.getByRole("button", { name: "Sign in again" }));
    expect(await screen.findByRole("dialog")).toBeInTheDocument();
  });

  it("gives the focus back to where it was, also when it was put off first", async () => {
    await open();
    screen.getByRole("button", { name: "Place" }).focus();
    user = null;
    await isSameUser();
    await escape();
    await gone();
    await waitFor(() => expect(screen.getByRole("button", { name: "Place" })).toHaveFocus());
    await userEvent.click(screen.getByRole("button", { name: "Sign in again" }));
    await userEvent.type(await screen.findByLabelText("Password"), "right{Enter}");
    await gone();
    await waitFor(() => expect(screen.getByRole("button", { name: "Place" })).toHaveFocus());
  });
});

describe("a session that is somebody else's", () => {
  it("is named, and ended on request; then the user of the page signs in", async () => {
    await open();
    user = "colleague";
    await isSameUser();
    const dialog = await screen.findByRole("dialog", { name: "Someone else is signed in" });
    expect(dialog).toHaveTextContent("colleague@example.org");
    expect(screen.getByText("expert's page")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Sign out colleague@example.org" }));
    await userEvent.type(await screen.findByLabelText("Password"), "right{Enter}");
    await gone();
  });
});
