import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { OwnTeam, Team } from "@/domains/accounts/teams";
import { jsonResponse, makeUser, mockServer, problemResponse, renderRoute, type RecordedRequest } from "@/test/visit";
import { TeamPage } from "./TeamPage";

const me = makeUser({ roles: { researcher: true, administrator: false, coordinator: false } });
const team: Team = {
  id: "team-1",
  name: "Two",
  owner: me.id,
  members: [
    { id: me.id, name: "Ada", email: me.email, joined_at: "2026-01-01T00:00:00Z" },
    { id: "mia", name: "Mia", email: "mia@example.org", joined_at: "2026-01-02T00:00:00Z" },
  ],
  invitations: [],
};
let own: OwnTeam;
let refusal: globalThis.Response | null;
let requests: RecordedRequest[];

const open = () => renderRoute([{ path: "/team", Component: TeamPage }], "/team");
const changes = () => requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);

beforeEach(() => {
  own = { team: null, invitations: [] };
  refusal = null;
  requests = mockServer(({ method, path }) => {
    if (path === "/api/v1/me") return jsonResponse({ user: me });
    if (method !== "GET" && refusal) return refusal;
    if (path === "/api/v1/team" && method === "POST") own = { ...own, team: { ...team, members: team.members.slice(0, 1) } };
    if (path.endsWith("/accept")) own = { team: { ...team, owner: "somebody" }, invitations: [] };
    return path.startsWith("/api/v1/team") ? jsonResponse(own) : undefined;
  });
});

describe("the team", () => {
  it("is created by whoever is in none", async () => {
    open();
    await userEvent.type(await screen.findByLabelText("Name of the team"), "Two{Enter}");
    expect(await screen.findByRole("table", { name: "Members of Two" })).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Invite a member" })).toBeInTheDocument();
  });

  it("shows why a name is refused", async () => {
    refusal = problemResponse(409, "name_taken", "A team exists. Choose another name.");
    open();
    await userEvent.type(await screen.findByLabelText("Name of the team"), "Two{Enter}");
    expect(await screen.findByText(/Choose another name/)).toBeInTheDocument();
  });

  it("is joined by an invitation, whose member cannot invite", async () => {
    own = { team: null, invitations: [{ id: "one", team: "Two", owner: "Mia" }] };
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Join Two" }));
    expect(await screen.findByRole("button", { name: "Leave" })).toBeInTheDocument();
    expect(changes()).toEqual(["POST /api/v1/team/invitations/one/accept"]);
    expect(screen.queryByRole("heading", { name: "Invite a member" })).toBeNull();
  });

  it("lets its owner remove a member after a confirmation, and leave last", async () => {
    own = { team, invitations: [] };
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Remove Mia" }));
    expect(screen.queryByRole("button", { name: "Leave" })).toBeNull();
    await userEvent.click(await screen.findByRole("button", { name: "Remove" }));
    expect(changes()).toEqual(["DELETE /api/v1/team/members/mia"]);
  });
});
