import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { leavePage } from "@/lib/session";
import { reply, serve, somebody, visit, type Asked } from "@/test/visit";
import { ResetPasswordPage, SignInPage } from "./index";

let signedIn: boolean;
let refusal: { status: number; code?: string } | null;
let asked: Asked[];

const ROUTES = [
  { path: "/sign-in", Component: SignInPage },
  { path: "/reset-password", Component: ResetPasswordPage },
  { path: "/home", element: <p>Her batches</p> },
  { path: "/rank/batch-1", element: <p>Her question</p> },
];

beforeEach(() => {
  signedIn = false;
  refusal = null;
  asked = serve(({ method, path }) => {
    if (path === "/api/v1/me") return reply({ user: signedIn ? somebody() : null });
    if (refusal) {
      return reply({ errors: refusal.code ? [{ code: refusal.code, message: "No." }] : [] }, refusal.status);
    }
    if (path.endsWith("code/request")) {
      return reply({ data: { flows: [{ id: "login_by_code", is_pending: true }] } }, 401);
    }
    if (path.endsWith("password/reset") && method === "POST") return reply({ data: {} }, 401);
    signedIn = path.includes("/auth/login") || path.endsWith("code/confirm");
    return reply({});
  });
});

afterEach(() => {
  leavePage();
  localStorage.clear();
  vi.unstubAllGlobals();
});

async function askForCode(address = "ada@hospital.example") {
  await userEvent.type(await screen.findByLabelText("E-mail"), address);
  await userEvent.click(screen.getByRole("button", { name: "Send me a code" }));
  return screen.findByLabelText("Code");
}

describe("signing in with a code", () => {
  it("takes the address, then the code, and goes to her work", async () => {
    visit(ROUTES, "/sign-in");
    const field = await askForCode();
    expect(screen.getByRole("status")).toHaveTextContent("ada@hospital.example");
    expect(field).toHaveFocus();
    await userEvent.type(field, " ABC-123 {Enter}");
    expect(await screen.findByText("Her batches")).toBeInTheDocument();
    expect(asked.find(({ path }) => path.endsWith("code/confirm"))?.json).toEqual({ code: "ABC-123" });
  });

  it("goes back to the page that was asked for", async () => {
    visit(ROUTES, "/sign-in?next=/rank/batch-1");
    await userEvent.type(await askForCode(), "ABC{Enter}");
    expect(await screen.findByText("Her question")).toBeInTheDocument();
  });

  it("goes nowhere else than on this site", async () => {
    const router = visit(ROUTES, "/sign-in?next=//evil.example/rank/batch-1");
    await userEvent.type(await askForCode(), "ABC{Enter}");
    expect(await screen.findByText("Her batches")).toBeInTheDocument();
    expect(router.state.location.pathname).toBe("/home");
  });

  it.each([
    [{ status: 400, code: "incorrect_code" }, /not the code/],
    [{ status: 409 }, /no longer works.*Send a new code/],
    [{ status: 429 }, /Too many attempts/],
  ])("keeps a refused code in its field and says why", async (answer, words) => {
    visit(ROUTES, "/sign-in");
    const field = await askForCode();
    refusal = answer;
    await userEvent.type(field, "WRONG{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent(words);
    expect(field).toHaveValue("WRONG");
  });

  it("keeps the address when another way is chosen", async () => {
    visit(ROUTES, "/sign-in");
    await userEvent.type(await screen.findByLabelText("E-mail"), "ada@hospital.example");
    await userEvent.click(screen.getByRole("radio", { name: "Password" }));
    expect(screen.getByLabelText("E-mail")).toHaveValue("ada@hospital.example");
  });
});

it("says when the browser does not keep her signed in", async () => {
  visit(ROUTES, "/sign-in");
  const field = await askForCode();
  serve(({ path }) => (path === "/api/v1/me" ? reply({ user: null }) : reply({})));
  await userEvent.type(field, "ABC{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent(/Allow cookies for this site/);
});

describe("signing in with a password", () => {
  it("goes to her work, or says that they do not belong together", async () => {
    refusal = { status: 400, code: "email_password_mismatch" };
    visit(ROUTES, "/sign-in");
    await userEvent.click(await screen.findByRole("radio", { name: "Password" }));
    await userEvent.type(screen.getByLabelText("E-mail"), "ada@hospital.example");
    await userEvent.type(screen.getByLabelText("Password", { selector: "input" }), "wrong{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent(/do not belong together/);
    refusal = null;
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    expect(await screen.findByText("Her batches")).toBeInTheDocument();
  });

  it("is not asked of somebody who is signed in", async () => {
    signedIn = true;
    visit(ROUTES, "/sign-in");
    expect(await screen.findByText("Her batches")).toBeInTheDocument();
  });
});

describe("a forgotten password", () => {
  it("is asked about without telling who has an account", async () => {
    visit(ROUTES, "/reset-password");
    await userEvent.type(await screen.findByLabelText("E-mail"), "ada@hospital.example{Enter}");
    expect(await screen.findByRole("status")).toHaveTextContent(/If ada@hospital.example has an account/);
  });

  it("is replaced by the link's key, which stays out of every address", async () => {
    visit(ROUTES, "/reset-password#1-key");
    await userEvent.type(await screen.findByLabelText("New password"), "a new one{Enter}");
    expect(await screen.findByRole("status")).toHaveTextContent("The new password is set.");
    expect(asked.at(-1)?.json).toEqual({ key: "1-key", password: "a new one" });
    expect(asked.some(({ path }) => path.includes("1-key"))).toBe(false);
  });

  it("cannot be replaced by a link that was used, and another is offered", async () => {
    refusal = { status: 400, code: "invalid_password_reset" };
    visit(ROUTES, "/reset-password#1-key");
    expect(await screen.findByText(/This link no longer works/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Send me a link" })).toBeInTheDocument();
  });
});

describe("without an account", () => {
  it("leads to everything that is open to anybody", async () => {
    visit(ROUTES, "/sign-in");
    const note = (await screen.findByText(/Accounts are made by invitation/)).querySelectorAll("a");
    expect([...note].map((link) => link.getAttribute("href"))).toEqual(["/practice", "/explore", "/leaderboard"]);
  });
});
