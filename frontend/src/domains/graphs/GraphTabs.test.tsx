import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { beforeEach, expect, it } from "vitest";
import { GraphTabs } from "./GraphTabs";

beforeEach(() => sessionStorage.clear());

function open(path: string) {
  const paths = ["explore/:slug", "explore/:slug/e/:curie", "explore/:slug/:part", "explore/:slug/rns/file"];
  const router = createMemoryRouter(paths.map((one) => ({ path: one, Component: GraphTabs })), { initialEntries: [path] });
  render(<RouterProvider router={router} />);
  return () => router.state.location.pathname + decodeURIComponent(router.state.location.search);
}

const tab = (name: string) => screen.getByRole("link", { name });

it("keep the chosen entities from one page to the next", async () => {
  const here = open("/explore/demo/e/D:1");
  await userEvent.click(tab("Paths"));
  expect(here()).toBe("/explore/demo/paths?from=D:1");
  await userEvent.click(tab("Compare"));
  expect(here()).toBe("/explore/demo/compare?id=D:1");
});

it("keep several, also past a page that shows one", async () => {
  const here = open("/explore/demo/paths?from=D:1&to=D:2&to=D:3&snapshot=s1");
  await userEvent.click(tab("Neighbourhood"));
  expect(here()).toBe("/explore/demo/canvas?focus=D:1&snapshot=s1");
  await userEvent.click(tab("Search"));
  expect(here()).toBe("/explore/demo?snapshot=s1");
  await userEvent.click(tab("Compare"));
  expect(here()).toBe("/explore/demo/compare?id=D:1&id=D:2&id=D:3&snapshot=s1");
});

it("keep the two sets of the serendipity page", async () => {
  const here = open("/explore/demo/rns?existing=D:1&serendipity=D:2");
  await userEvent.click(tab("Compare"));
  expect(here()).toBe("/explore/demo/compare?id=D:1&id=D:2");
  await userEvent.click(tab("Serendipity"));
  expect(here()).toBe("/explore/demo/rns?existing=D:1&serendipity=D:2");
});

it("start anew from another entity, and in another graph", async () => {
  open("/explore/demo/compare?id=D:1&id=D:2");
  expect(tab("Compare")).toHaveAttribute("aria-current", "page");
  const here = open("/explore/demo/e/D:9");
  await userEvent.click(screen.getAllByRole("link", { name: "Compare" })[1] as HTMLElement);
  expect(here()).toBe("/explore/demo/compare?id=D:9");
});

it.each([
  ["/explore/demo", "Search", "page"],
  ["/explore/demo/canvas", "Neighbourhood", "page"],
  ["/explore/demo/rns", "Serendipity", "page"],
  ["/explore/demo/rns/file", "Serendipity", "true"],
])("mark where %s is: %s", (path, name, current) => {
  open(path);
  expect(tab(name)).toHaveAttribute("aria-current", current);
  expect(screen.getAllByRole("link").filter((link) => link.hasAttribute("aria-current"))).toHaveLength(1);
});

it("mark no place on the page of an entity", () => {
  open("/explore/demo/e/D:1");
  expect(screen.getAllByRole("link").filter((one) => one.hasAttribute("aria-current"))).toEqual([]);
});
