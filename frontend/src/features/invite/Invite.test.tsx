import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { InvitationPreview, CurrentUser } from "@/api/contract";
import { clearPageUser } from "@/lib/session";
import { problemResponse, jsonResponse, mockServer, makeUser, renderRoute, type RecordedRequest } from "@/test/visit";
import { InvitePage } from "./InvitePage";

let user: CurrentUser | null;
let invitation: InvitationPreview | null;
let accepting: globalThis.Response;
let requests: RecordedRequest[];

const ROUTES = [
  { path: "/invite", Component: InvitePage },
  { path: "/sign-in", element: <p>The way in</p> },
  { path: "/studies/study-1/introduction", element: <p>The introduction</p> },
  { path: "/studies/study-1", element: <p>The board</p> },
];

const open = () => renderRoute(ROUTES, "/invite#the-token");
const accepted = () => requests.filter(({ path }) => path.endsWith("/accept")).map(({ json }) => json);

function preview(change: Partial<InvitationPreview> = {}): InvitationPreview {
  return {
    email: "ada@hospital.example",
    role: "expert",
    state: "open",
    expires_at: "2030-12-05T10:00:00Z",
    invited_by: "Prof Mensah",
    has_account: false,
    signs_in: false,
    study: { id: "study-1", name: "Pain" },
    ...change,
  };
}

beforeEach(() => {
  user = null;
  invitation = preview();
  accepting = jsonResponse({ study_id: "study-1", role: "expert" });
  requests = mockServer(({ method, path }) => {
    if (path === "/api/v1/me") return jsonResponse({ user });
    if (path.endsWith("/lookup")) return invitation ? jsonResponse(invitation) : undefined;
    if (path.endsWith("/accept")) return accepting;
    if (method === "DELETE") {
      user = null;
      return jsonResponse({}, 401);
    }
    return undefined;
  });
});

describe("an open invitation", () => {
  it("says who invites to what, and takes a name", async () => {
    open();
    expect(await screen.findByText(/Prof Mensah invites ada@hospital.example to answer the questions/)).toBeInTheDocument();
    expect(await screen.findByText("Open until 5 December 2030")).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText("Your name"), "Ada{Enter}");
    expect(await screen.findByText("The introduction")).toBeInTheDocument();
    expect(accepted()).toEqual([{ token: "the-token", name: "Ada" }]);
  });

  it("keeps its token out of every address that a server sees", async () => {
    open();
    await userEvent.type(await screen.findByLabelText("Your name"), "Ada{Enter}");
    await screen.findByText("The introduction");
    expect(requests.some(({ path }) => path.includes("the-token"))).toBe(false);
  });

  it("leads a coordinator to the board", async () => {
    accepting = jsonResponse({ study_id: "study-1", role: "coordinator" });
    open();
    await userEvent.type(await screen.findByLabelText("Your name"), "Ada{Enter}");
    expect(await screen.findByText("The board")).toBeInTheDocument();
  });

  it("keeps what was typed when a password is refused, and says why at its field", async () => {
    accepting = problemResponse(422, "invalid", "No.", [
      { place: "password", message: "This password is too common.", code: "password_too_common", expected: "" },
    ]);
    open();
    await userEvent.type(await screen.findByLabelText("Your name"), "Ada");
    await userEvent.type(screen.getByLabelText(/^Password/), "password{Enter}");
    expect(await screen.findByText("This password is too common.")).toBeInTheDocument();
    expect(screen.getByLabelText("Your name")).toHaveValue("Ada");
    expect(screen.getByLabelText(/^Password/)).toBeInvalid();
  });

  it("that ran out while it was open on the page says so", async () => {
    accepting = problemResponse(410, "invitation_expired", "This invitation ran out. Ask for a new one.");
    open();
    await userEvent.type(await screen.findByLabelText("Your name"), "Ada{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("This invitation ran out. Ask for a new one.");
  });
});

describe("an invitation of somebody with an account", () => {
  it("signs in by the link of the e-mail, with one press", async () => {
    invitation = preview({ has_account: true, signs_in: true });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Accept and begin" }));
    expect(await screen.findByText("The introduction")).toBeInTheDocument();
    expect(accepted()).toEqual([{ token: "the-token", name: "" }]);
  });

  it("asks for signing in, and is open again afterwards", async () => {
    invitation = preview({ has_account: true });
    open();
    await userEvent.click(await screen.findByRole("link", { name: "Sign in" }));
    expect(await screen.findByText("The way in")).toBeInTheDocument();
    user = makeUser();
    clearPageUser();
    renderRoute(ROUTES, "/invite");
    await userEvent.click(await screen.findByRole("button", { name: "Accept the invitation" }));
    expect(accepted()).toEqual([{ token: "the-token", name: "Ada" }]);
  });

  it("ignores how the address is written", async () => {
    user = makeUser({ email: "Ada@Hospital.example" });
    invitation = preview({ has_account: true });
    open();
    expect(await screen.findByRole("button", { name: "Accept the invitation" })).toBeInTheDocument();
  });

  it("is not accepted by the colleague who is signed in", async () => {
    user = makeUser({ email: "bea@hospital.example" });
    open();
    expect(await screen.findByText(/You are signed in as bea@hospital.example/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Accept the invitation" })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Sign out" }));
    expect(await screen.findByLabelText("Your name")).toBeInTheDocument();
  });
});

describe("an invitation that is not open", () => {
  it.each([
    [{ state: "expired" } as const, /expired on 5 December 2030. Ask Prof Mensah/],
    [{ state: "revoked" } as const, /was revoked.*ask Prof Mensah/],
    [{ state: "accepted" } as const, /was already used/],
  ])("says what became of it and what to do (%o)", async (change, words) => {
    invitation = preview(change);
    open();
    expect(await screen.findByText(words)).toBeInTheDocument();
    expect(screen.queryByLabelText("Your name")).not.toBeInTheDocument();
  });

  it("lets the user who accepted it continue", async () => {
    user = makeUser();
    invitation = preview({ state: "accepted" });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Continue" }));
    expect(await screen.findByText("The introduction")).toBeInTheDocument();
  });

  it("is not known when its link was cut short", async () => {
    invitation = null;
    open();
    expect(await screen.findByRole("heading", { name: "Invitation not found" })).toBeInTheDocument();
  });

  it("is not known without a token at all", async () => {
    renderRoute(ROUTES, "/invite");
    expect(await screen.findByRole("heading", { name: "Invitation not found" })).toBeInTheDocument();
    expect(requests.some(({ path }) => path.endsWith("/lookup"))).toBe(false);
  });
});
