import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useParams } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Page } from "@/components/Page";
import { recentPlaces, rememberPlace, useRecentPlace } from "@/lib/recentPlaces";
import { jsonResponse, makeUser, mockServer, problemResponse, renderRoute, setWindowWidth, type RecordedRequest } from "@/test/visit";
import { PageLayout, RootLayout } from "../Shell";
import type { SiteSearchResult } from "./siteSearch";

const NOTHING: SiteSearchResult = { entities: [], questions: [], releases: [], models: [], skipped_graphs: 0 };

function entity(name: string, graph = "demo"): SiteSearchResult["entities"][number] {
  const matched = { kind: "name", text: name, snippet: null } as const;
  return { id: `X:${name}`, name, type: "Drug", degree: 3, matched, graph, graph_name: `The ${graph} graph` };
}

const RESULT: SiteSearchResult = {
  ...NOTHING,
  entities: [entity("Sildenafil"), entity("Sildenafil citrate", "other")],
  questions: [{ id: "q1", text: "Which drug treats pulmonary hypertension?", question_set: "SerenQA" }],
  releases: [{ slug: "r1", name: "Release one", track: "truthhypo" }],
  models: [{ slug: "m1", name: "Model one", organisation: "" }],
};
const GRAPHS = [{ slug: "demo", name: "The demo graph" }, { slug: "other", name: "The other graph" }];

let result: SiteSearchResult;
let requests: RecordedRequest[];

function Entity() {
  const { curie = "" } = useParams();
  useRecentPlace("Entity", curie, `/explore/demo/e/${curie}`);
  return <Page title={curie}>{null}</Page>;
}

function open(path = "/") {
  const pages = [
    { path: "explore/:slug/e/:curie", Component: Entity },
    { path: "*", Component: () => <Page title="Elsewhere"><input aria-label="Own field" /></Page> },
  ];
  return renderRoute([{ element: <RootLayout />, children: [{ element: <PageLayout />, children: pages }] }], path);
}

const field = () => screen.findByRole("combobox", { name: "Search Serendib" });
/** The chooser of graphs has options of its own. */
const list = async () => within(await screen.findByRole("listbox", { name: "Search results" }));
const titles = async () => (await list()).getAllByRole("option").map((option) => option.firstChild?.textContent);
const searches = () => requests.map(({ path }) => path).filter((path) => path.startsWith("/api/v1/search"));

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("scrollTo", () => undefined);
  setWindowWidth(1440);
  result = RESULT;
  requests = mockServer(({ path }) => {
    if (path === "/api/v1/me") return jsonResponse({ user: null });
    if (path === "/api/v1/graphs") return jsonResponse({ results: GRAPHS });
    return path.startsWith("/api/v1/search") ? jsonResponse(result) : undefined;
  });
});

describe("the search of every page", () => {
  it("lists entities, questions, releases and models by one request", async () => {
    open();
    await userEvent.type(await field(), "sild");
    await screen.findByRole("option", { name: /Sildenafil citrate/ });
    expect(screen.getAllByRole("group").map((group) => group.firstChild?.textContent)).toEqual(["Entities", "Questions", "Releases", "Models"]);
    expect(await titles()).toEqual(["Sildenafil", "Sildenafil citrate", "Which drug treats pulmonary hypertension?", "Release one", "Model one"]);
    expect(within(screen.getByRole("search")).getByRole("status")).toHaveTextContent("2 entities, 1 question, 1 release, 1 model.");
    expect(searches()).toEqual(["/api/v1/search?q=sild"]);
  });

  it("is focused by '/', walked by arrows and opens by Enter", async () => {
    const router = open();
    const input = await field();
    await userEvent.keyboard("/");
    expect(input).toHaveFocus();
    await userEvent.type(input, "sild");
    await (await list()).findAllByRole("option");
    await userEvent.keyboard("{ArrowUp}{ArrowUp}{ArrowUp}");
    const question = screen.getByRole("option", { name: /pulmonary/ });
    expect(input).toHaveAttribute("aria-activedescendant", question.id);
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/workbench/q1"));
    expect(input).toHaveValue("");
    expect(input).toHaveAttribute("aria-expanded", "false");
  });

  it("leaves '/' to fields", async () => {
    open();
    const own = await screen.findByRole("textbox", { name: "Own field" });
    await userEvent.type(own, "a/b");
    expect(own).toHaveValue("a/b");
    expect(own).toHaveFocus();
  });

  it("searches the graph of the page and can change it", async () => {
    open("/explore/demo/e/X:1?snapshot=s1");
    await userEvent.type(await field(), "sild");
    await (await list()).findAllByRole("option");
    const choice = screen.getByRole("combobox", { name: "Entities of" });
    expect(choice).toHaveValue("demo");
    await userEvent.selectOptions(choice, "The other graph");
    await waitFor(() => expect(searches()).toEqual(["/api/v1/search?q=sild&graph=demo&snapshot=s1", "/api/v1/search?q=sild&graph=other"]));
    expect(await field()).toHaveFocus();
  });

  it("searches the page's graph again once a result was opened, and on a page of another graph", async () => {
    const router = open("/explore/demo/e/X:1");
    const choice = () => screen.getByRole("combobox", { name: "Entities of" });
    const chooseOther = async () => {
      await userEvent.type(await field(), "sild");
      await (await list()).findAllByRole("option");
      await userEvent.selectOptions(choice(), "The other graph");
    };
    await chooseOther();
    await userEvent.click((await screen.findAllByRole("option", { name: /^Sildenafil/ }))[0] as HTMLElement);
    await userEvent.click(await field());
    expect(choice()).toHaveValue("demo");
    await chooseOther();
    await act(() => router.navigate("/elsewhere"));
    await userEvent.click(await field());
    expect(choice()).toHaveValue("");
    await act(() => router.navigate("/explore/demo/e/X:1"));
    await userEvent.click(await field());
    expect(choice()).toHaveValue("demo");
  });

  it("lists all matches of the best graph on Enter while nothing is chosen", async () => {
    const router = open();
    await userEvent.type(await field(), "sild{Enter}");
    await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe("/explore/demo?q=sild"));
  });

  it("says what is not here, and how many graphs were left out", async () => {
    result = NOTHING;
    open();
    await userEvent.type(await field(), "zzz");
    expect(await screen.findAllByText("Nothing matches. Check the spelling, or choose another graph.")).toHaveLength(2);
    result = { ...RESULT, skipped_graphs: 2 };
    await userEvent.type(await field(), "y");
    expect((await screen.findAllByText("2 more graphs are not searched. Choose one above.")).length).toBeGreaterThan(0);
  });

  it("shows why it could not search", async () => {
    mockServer(({ path }) => (path.startsWith("/api/v1/search") ? problemResponse(429, "throttled", "Too many requests. Wait a moment.") : undefined));
    open();
    await userEvent.type(await field(), "a");
    expect((await screen.findAllByText("Too many requests. Wait a moment.")).length).toBeGreaterThan(0);
  });

  it("offers what was opened last on this device", async () => {
    open("/explore/demo/e/X:1");
    await waitFor(() => expect(recentPlaces(undefined)).toEqual([{ kind: "Entity", title: "X:1", url: "/explore/demo/e/X:1" }]));
    await userEvent.click(await field());
    expect(await titles()).toEqual(["X:1"]);
    expect(screen.getByRole("group", { name: "Opened last on this device" })).toBeInTheDocument();
  });

  it("is a screen of its own on a phone", async () => {
    setWindowWidth(390);
    const router = open();
    await userEvent.click(await screen.findByRole("button", { name: "Search" }));
    const dialog = await screen.findByRole("dialog", { name: "Search" });
    const input = within(dialog).getByRole("combobox", { name: "Search Serendib" });
    expect(input).toHaveFocus();
    await userEvent.type(input, "sild");
    await userEvent.click(await screen.findByRole("option", { name: /Release one/ }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/releases/r1"));
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });
});

describe("recent places", () => {
  it("are those of one account, newest first and each once", () => {
    const place = (name: string) => ({ kind: "Model", title: name, url: `/models/${name}` }) as const;
    for (const name of ["a", "b", "a"]) rememberPlace("ada", place(name));
    expect(recentPlaces("ada").map(({ title }) => title)).toEqual(["a", "b"]);
    expect(recentPlaces(makeUser({ id: "eve" }).id)).toEqual([]);
    expect(recentPlaces(undefined)).toEqual([]);
    localStorage.setItem("serendib-recent", "{broken");
    expect(recentPlaces("ada")).toEqual([]);
  });
});
