import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { jsonResponse, mockServer, makeUser, renderRoute, type RecordedRequest } from "@/test/visit";
import { ResetPasswordPage } from "./ResetPasswordPage";
import { SignInPage } from "./SignInPage";

let signedIn: boolean;
let refusal: { status: number; code?: string } | null;
let requests: RecordedRequest[];

const PROVIDER = "/api/v1/sign-in/provider";
const ROUTES = [
  { path: "/sign-in", Component: SignInPage },
  { path: "/reset-password", Component: ResetPasswordPage },
  { path: "/home", element: <p>My batches</p> },
  { path: "/rank/batch-1", element: <p>My question</p> },
];

beforeEach(() => {
  signedIn = false;
  refusal = null;
  requests = mockServer(({ method, path }) => {
    if (path === "/api/v1/me") return jsonResponse({ user: signedIn ? makeUser() : null });
    if (path === PROVIDER) return jsonResponse({ name: "Colombo University" });
    if (refusal) {
      return jsonResponse({ errors: refusal.code ? [{ code: refusal.code, message: "No." }] : [] }, refusal.status);
    }
    if (path.endsWith("code/request")) {
      return jsonResponse({ data: { flows: [{ id: "login_by_code", is_pending: true }] } }, 401);
    }
    if (path.endsWith("password/reset") && method === "POST") return jsonResponse({ data: {} }, 401);
    signedIn = path.includes("/auth/login") || path.endsWith("code/confirm");
    return jsonResponse({});
  });
});

async function requestCode(address = "ada@hospital.example") {
  await userEvent.type(await screen.findByLabelText("E-mail"), address);
  await userEvent.click(screen.getByRole("button", { name: "Send me a code" }));
  return screen.findByLabelText("Code");
}

describe("signing in with a code", () => {
  it("takes the address, then the code, and opens the home page", async () => {
    renderRoute(ROUTES, "/sign-in");
    const field = await requestCode();
    expect(screen.getByRole("status")).toHaveTextContent("ada@hospital.example");
    expect(field).toHaveFocus();
    await userEvent.type(field, " ABC-123 {Enter}");
    expect(await screen.findByText("My batches")).toBeInTheDocument();
    expect(requests.find(({ path }) => path.endsWith("code/confirm"))?.json).toEqual({ code: "ABC-123" });
  });

  it("goes back to the page that was asked for", async () => {
    renderRoute(ROUTES, "/sign-in?next=/rank/batch-1");
    await userEvent.type(await requestCode(), "ABC{Enter}");
    expect(await screen.findByText("My question")).toBeInTheDocument();
  });

  it("goes nowhere else than on this site", async () => {
    const router = renderRoute(ROUTES, "/sign-in?next=//evil.example/rank/batch-1");
    await userEvent.type(await requestCode(), "ABC{Enter}");
    expect(await screen.findByText("My batches")).toBeInTheDocument();
    expect(router.state.location.pathname).toBe("/home");
  });

  it.each([
    [{ status: 400, code: "incorrect_code" }, /code is wrong/],
    [{ status: 409 }, /no longer works.*Send a new code/],
    [{ status: 429 }, /Too many attempts/],
  ])("keeps a refused code in its field and says why", async (answer, words) => {
    renderRoute(ROUTES, "/sign-in");
    const field = await requestCode();
    refusal = answer;
    await userEvent.type(field, "WRONG{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent(words);
    expect(field).toHaveValue("WRONG");
  });

  it("keeps the address when another way is chosen", async () => {
    renderRoute(ROUTES, "/sign-in");
    await userEvent.type(await screen.findByLabelText("E-mail"), "ada@hospital.example");
    await userEvent.click(screen.getByRole("radio", { name: "Password" }));
    expect(screen.getByLabelText("E-mail")).toHaveValue("ada@hospital.example");
  });
});

it("says when the browser does not store the session", async () => {
  renderRoute(ROUTES, "/sign-in");
  const field = await requestCode();
  mockServer(({ path }) => (path === "/api/v1/me" ? jsonResponse({ user: null }) : jsonResponse({})));
  await userEvent.type(field, "ABC{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent(/Allow cookies for this site/);
});

describe("signing in with a password", () => {
  it("opens the home page, or says that they do not belong together", async () => {
    refusal = { status: 400, code: "email_password_mismatch" };
    renderRoute(ROUTES, "/sign-in");
    await userEvent.click(await screen.findByRole("radio", { name: "Password" }));
    await userEvent.type(screen.getByLabelText("E-mail"), "ada@hospital.example");
    await userEvent.type(screen.getByLabelText("Password", { selector: "input" }), "wrong{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent(/Wrong e-mail address or password/);
    refusal = null;
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    expect(await screen.findByText("My batches")).toBeInTheDocument();
  });

  it("is not asked of somebody who is signed in", async () => {
    signedIn = true;
    renderRoute(ROUTES, "/sign-in");
    expect(await screen.findByText("My batches")).toBeInTheDocument();
    expect(requests.map(({ path }) => path)).not.toContain(PROVIDER);
  });
});

it("offers the site's provider to a visitor", async () => {
  renderRoute(ROUTES, "/sign-in");
  expect(await screen.findByRole("button", { name: "Sign in with Colombo University" })).toBeInTheDocument();
});

describe("a forgotten password", () => {
  it("is asked about without telling who has an account", async () => {
    renderRoute(ROUTES, "/reset-password");
    await userEvent.type(await screen.findByLabelText("E-mail"), "ada@hospital.example{Enter}");
    expect(await screen.findByRole("status")).toHaveTextContent(/If ada@hospital.example has an account/);
  });

  it("is replaced by the link's key, which stays out of every address", async () => {
    renderRoute(ROUTES, "/reset-password#1-key");
    await userEvent.type(await screen.findByLabelText("New password"), "a new one{Enter}");
    expect(await screen.findByRole("status")).toHaveTextContent("Your password has changed.");
    expect(requests.at(-1)?.json).toEqual({ key: "1-key", password: "a new one" });
    expect(requests.some(({ path }) => path.includes("1-key"))).toBe(false);
  });

  it("cannot be replaced by a link that was used, and another is offered", async () => {
    refusal = { status: 400, code: "invalid_password_reset" };
    renderRoute(ROUTES, "/reset-password#1-key");
    expect(await screen.findByText(/This link has expired or was used before/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Send me a link" })).toBeInTheDocument();
  });
});

describe("without an account", () => {
  it("leads to everything that is open to anybody", async () => {
    renderRoute(ROUTES, "/sign-in");
    const note = (await screen.findByText(/Accounts are by invitation only/)).querySelectorAll("a");
    expect([...note].map((link) => link.getAttribute("href"))).toEqual(["/practice", "/explore", "/leaderboard", "/releases", "/about#contact"]);
  });
});
