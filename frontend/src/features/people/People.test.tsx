import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { reply, serve, visit, type Asked } from "@/test/visit";
import { PeoplePage } from "./index";

const NEXT = "http://elsewhere.example/api/v1/people?cursor=2";

function person(name: string, roles: { researcher?: boolean; administrator?: boolean } = {}, active = true) {
  return {
    id: name,
    email: `${name}@hospital.example`,
    name,
    roles: { researcher: false, administrator: false, ...roles },
    is_active: active,
    created_at: "2026-11-21T10:00:00Z",
  };
}

function open(): Asked[] {
  const asked = serve(({ path }) => {
    if (path === "/api/v1/people") {
      return reply({ next: NEXT, results: [person("Ines", { administrator: true }), person("Ada")] });
    }
    if (path === "/api/v1/people?cursor=2") return reply({ next: null, results: [person("Bea", {}, false)] });
    return path.startsWith("/api/v1/people/invitations") ? reply({ next: null, results: [] }) : undefined;
  });
  visit([{ path: "/people", Component: PeoplePage }], "/people");
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

const rows = async () => {
  const table = await screen.findByRole("table", { name: "People" });
  return within(table).getAllByRole("row").slice(1).map((row) => row.textContent);
};

it("lists everybody in parts, each from this site whatever its address says", async () => {
  open();
  expect(await rows()).toEqual([
    "InesInes@hospital.exampleadministrator21 November 2026",
    "AdaAda@hospital.examplenone; by study only21 November 2026",
  ]);
  await userEvent.click(screen.getByRole("button", { name: "Show more" }));
  expect(await screen.findByText("(closed)")).toBeInTheDocument();
  expect(await rows()).toHaveLength(3);
  expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
});

it("offers the site's roles, not those of a study", async () => {
  open();
  expect(await screen.findByText(/Invitations of researchers and administrators will be here/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Invite" }));
  const names = (await screen.findAllByRole("radio")).map((radio) => radio.closest("label")?.textContent);
  expect(names[0]).toMatch(/^Researcher/);
  expect(names[1]).toMatch(/^Administrator/);
  expect(names).toHaveLength(2);
});
