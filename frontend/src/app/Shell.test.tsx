import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Link, MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CurrentUser } from "@/api/contract";
import { Page } from "@/components/Page";
import { AccountPage } from "@/features/account/AccountPage";
import { jsonResponse, mockServer, makeUser, renderRoute, setWindowWidth, type RecordedRequest } from "@/test/visit";
import { RequireRole } from "./Guard";
import { NotFound } from "./NotFound";
import { PageError } from "./PageError";
import { RootLayout, PageLayout } from "./Shell";

let user: CurrentUser | null;
let requests: RecordedRequest[];

function Broken(): never {
  throw new Error("It broke.");
}

function NotFetched(): never {
  throw new TypeError("Failed to fetch dynamically imported module: /assets/PathsPage.js");
}

/** A page of its own each, as features have them: nothing of one is left in the next. */
const named = (title: string) => () => <Page title={title}><Link to="/elsewhere">Go elsewhere</Link></Page>;

const PAGES = [
  { index: true, Component: named("Serendib") },
  { path: "elsewhere", Component: named("Elsewhere") },
  { path: "sign-in", Component: named("Sign in") },
  { path: "broken", Component: Broken },
  { path: "not-fetched", Component: NotFetched },
  { element: <RequireRole requires="administrator" />, children: [{ path: "people", Component: named("People") }] },
  { element: <RequireRole requires="person" />, children: [{ path: "account", Component: AccountPage }] },
  { path: "*", Component: NotFound },
];

function open(path: string) {
  const pages = [{ errorElement: <PageError />, children: PAGES }];
  return renderRoute([{ element: <RootLayout />, children: [{ element: <PageLayout />, children: pages }] }], path);
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

beforeEach(() => {
  user = makeUser();
  vi.stubGlobal("scrollTo", () => undefined);
  setWindowWidth(1440);
  requests = mockServer(({ method, path }) => {
    if (path === "/api/v1/me") return jsonResponse({ user });
    if (method === "DELETE" && path.endsWith("/auth/session")) {
      user = null;
      return jsonResponse({}, 401);
    }
    return undefined;
  });
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
    await heading("Page not found");
    expect(await screen.findByRole("link", { name: "Continue to my batches" })).toHaveAttribute("href", "/home");
  });

  it("that breaks keeps the bar and says what to do", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    open("/broken");
    await heading("This page failed");
    expect(screen.getByRole("button", { name: "Reload this page" })).toBeInTheDocument();
    expect(screen.getByRole("navigation", { name: "Main" })).toBeInTheDocument();
  });
});

it("whose code does not arrive is no fault of the page: the connection is", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  open("/not-fetched");
  await heading("This page could not be loaded");
  expect(screen.getByText(/Check your connection/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Reload this page" })).toBeInTheDocument();
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
    await heading("No access to this page");
  });

  it("opens to whom it is for", async () => {
    user = makeUser({ roles: { researcher: false, administrator: true, coordinator: false } });
    open("/people");
    await heading("People");
  });

  it("says when the current user could not be loaded, and tries again", async () => {
    let resting = true;
    mockServer(({ path }) => {
      if (resting) return jsonResponse({ detail: "The server is resting." }, 503);
      return jsonResponse(path.endsWith("/tokens") ? [] : { user });
    });
    open("/account");
    expect(await screen.findByRole("alert")).toHaveTextContent("The server is resting.");
    resting = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await heading("Account");
  });
});

describe("the bar", () => {
  it("offers a visitor to sign in, and to come back to the same page", async () => {
    user = null;
    open("/elsewhere");
    const link = await screen.findByRole("link", { name: "Sign in" });
    expect(link).toHaveAttribute("href", "/sign-in?next=%2Felsewhere");
  });

  it("keeps the chosen appearance on this device", async () => {
    open("/");
    await userEvent.click(await screen.findByRole("button", { name: "Appearance: system" }));
    await userEvent.click(await screen.findByRole("menuitemradio", { name: "Dark" }));
    expect(document.documentElement.dataset.theme).toBe("dark");
    expect(localStorage.getItem("serendib-theme")).toBe("dark");
  });

  it("knows at once that the user signed out on the account page", async () => {
    open("/account");
    await heading("Account");
    await userEvent.click(await screen.findByRole("button", { name: "Sign out" }));
    await heading("Serendib");
    await waitFor(() => expect(screen.getByRole("link", { name: "Sign in" })).toBeInTheDocument());
    expect(screen.queryByRole("link", { name: "My batches" })).not.toBeInTheDocument();
    expect(requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
  });

  it("has a menu for what does not fit a middling window", async () => {
    setWindowWidth(900);
    user = makeUser({
      roles: { researcher: true, administrator: true, coordinator: false },
      studies: [{ id: "study-1", name: "Pain", roles: ["expert", "coordinator"] }],
    });
    open("/elsewhere");
    const main = await screen.findByRole("navigation", { name: "Main" });
    await within(main).findByRole("link", { name: "My batches" });
    expect(within(main).getAllByRole("link").map(({ textContent }) => textContent)).toEqual(["My batches", "Explore", "Benchmarks", "Leaderboard"]);
    await userEvent.click(within(main).getByRole("button", { name: "More" }));
    expect((await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent)).toEqual(["Studies", "Submissions", "People", "Endpoints", "Releases"]);
  });
});

describe("the bar of a phone", () => {
  beforeEach(() => setWindowWidth(390));

  it("has four places at the bottom and the rest in a menu", async () => {
    open("/elsewhere");
    const main = await screen.findByRole("navigation", { name: "Main" });
    await waitFor(() => expect(within(main).getByRole("link", { name: "Home" })).toHaveAttribute("href", "/home"));
    expect(within(main).getAllByRole("link").map(({ textContent }) => textContent)).toEqual(["Home", "Explore", "Benchmarks", "Leaderboard"]);
    await userEvent.click(within(main).getByRole("button", { name: "More" }));
    expect(await screen.findByRole("menuitem", { name: "Releases" })).toHaveAttribute("href", "/releases");
    expect(screen.getByRole("menuitem", { name: "Sign out" })).toBeInTheDocument();
  });

  it("leads a visitor to the front page, and to sign in at the top", async () => {
    user = null;
    open("/elsewhere");
    expect(await screen.findByRole("link", { name: "Sign in" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Home" })).toHaveAttribute("href", "/");
  });
});

describe("a breadcrumb", () => {
  it("names the page above and this one", () => {
    render(
      <MemoryRouter><Page title="Models" parent={{ to: "/leaderboard", label: "Leaderboard" }}>{null}</Page></MemoryRouter>,
    );
    const places = within(screen.getByRole("navigation", { name: "Where you are" }));
    expect(places.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["Leaderboard", "Models"]);
    expect(places.getByText("Models")).toHaveAttribute("aria-current", "page");
  });
});
