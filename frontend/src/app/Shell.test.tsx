import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Link } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Me } from "@/api/contract";
import { Page } from "@/components/Page";
import { AccountPage } from "@/features/account";
import { leavePage } from "@/lib/session";
import { reply, serve, somebody, visit, type Asked } from "@/test/visit";
import { Guard } from "./Guard";
import { NotFound } from "./NotFound";
import { PageError } from "./PageError";
import { Root, Shell } from "./Shell";

let user: Me | null;
let asked: Asked[];

function Broken(): never {
  throw new Error("It broke.");
}

/** A page of its own each, as features have them: nothing of one is left in the next. */
const named = (title: string) => () => (
  <Page title={title}>
    <Link to="/elsewhere">Go elsewhere</Link>
  </Page>
);

const PAGES = [
  { index: true, Component: named("Serendib") },
  { path: "elsewhere", Component: named("Elsewhere") },
  { path: "sign-in", Component: named("Sign in") },
  { path: "broken", Component: Broken },
  { element: <Guard need="administrator" />, children: [{ path: "people", Component: named("People") }] },
  { element: <Guard need="person" />, children: [{ path: "account", Component: AccountPage }] },
  { path: "*", Component: NotFound },
];

function open(path: string) {
  const pages = [{ errorElement: <PageError />, children: PAGES }];
  return visit([{ element: <Root />, children: [{ element: <Shell />, children: pages }] }], path);
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

beforeEach(() => {
  user = somebody();
  vi.stubGlobal("scrollTo", () => undefined);
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
  leavePage();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe("coming to a page", () => {
  it("leaves focus to the browser at first, and puts it on the heading after a navigation", async () => {
    open("/");
    expect(await heading("Serendib")).not.toHaveFocus();
    await userEvent.click(screen.getByRole("link", { name: "Go elsewhere" }));
    expect(await heading("Elsewhere")).toHaveFocus();
  });

  it("names the tab", async () => {
    open("/elsewhere");
    await heading("Elsewhere");
    expect(document.title).toBe("Elsewhere · Serendib");
  });

  it("that does not exist says so and leads on", async () => {
    open("/no-such-page");
    await heading("There is no page here");
    expect(await screen.findByRole("link", { name: "Continue to my batches" })).toHaveAttribute("href", "/home");
  });

  it("that breaks keeps the bar and says what to do", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    open("/broken");
    await heading("This page stopped");
    expect(screen.getByRole("button", { name: "Load this page again" })).toBeInTheDocument();
    expect(screen.getByRole("navigation", { name: "Main" })).toBeInTheDocument();
  });
});

describe("a page that is not for everybody", () => {
  it("sends a visitor to sign in and back", async () => {
    user = null;
    const router = open("/people?part=2");
    await heading("Sign in");
    expect(router.state.location.search).toBe(`?next=${encodeURIComponent("/people?part=2")}`);
  });

  it("turns an outsider away in words", async () => {
    open("/people");
    await heading("This page is for others");
  });

  it("opens to whom it is for", async () => {
    user = somebody({ roles: { researcher: false, administrator: true } });
    open("/people");
    await heading("People");
  });

  it("says when nobody could be asked who she is, and asks again", async () => {
    let resting = true;
    serve(() => (resting ? reply({ detail: "The server is resting." }, 503) : reply({ user })));
    open("/account");
    expect(await screen.findByRole("alert")).toHaveTextContent("The server is resting.");
    resting = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await heading("Account");
  });
});

describe("the bar", () => {
  it("offers a visitor to sign in, and to come back to where she was", async () => {
    user = null;
    open("/elsewhere");
    const link = await screen.findByRole("link", { name: "Sign in" });
    expect(link).toHaveAttribute("href", "/sign-in?next=%2Felsewhere");
  });

  it("keeps the chosen appearance on this device", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    open("/");
    await userEvent.click(await screen.findByRole("button", { name: "Appearance: as the system" }));
    await userEvent.click(await screen.findByRole("menuitemradio", { name: "Dark" }));
    expect(document.documentElement.dataset.theme).toBe("dark");
    expect(localStorage.getItem("serendib-theme")).toBe("dark");
  });

  it("knows at once that she signed out on the account page", async () => {
    open("/account");
    await heading("Account");
    await userEvent.click(await screen.findByRole("button", { name: "Sign out" }));
    await heading("Serendib");
    await waitFor(() => expect(screen.getByRole("link", { name: "Sign in" })).toBeInTheDocument());
    expect(screen.queryByRole("link", { name: "My batches" })).not.toBeInTheDocument();
    expect(asked.filter(({ method }) => method === "DELETE")).toHaveLength(1);
  });
});
