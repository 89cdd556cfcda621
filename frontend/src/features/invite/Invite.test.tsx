import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Accepted, FoundInvitation, Me, Offer } from "@/api/contract";
import { leavePage } from "@/lib/session";
import { problem, reply, serve, somebody, visit, type Asked } from "@/test/visit";
import { InvitePage } from "./index";

let user: Me | null;
let invitation: FoundInvitation | null;
let accepting: globalThis.Response;
let codeIsRight: boolean;
let asked: Asked[];

const ROUTES = [
  { path: "/invite", Component: InvitePage },
  { path: "/sign-in", element: <p>The way in</p> },
  { path: "/studies/study-1/introduction", element: <p>The introduction</p> },
  { path: "/studies/study-1", element: <p>The board</p> },
  { path: "/studies", element: <p>The studies</p> },
];

const open = () => visit(ROUTES, "/invite#the-token");
const told = () => asked.filter(({ path }) => path.endsWith("/accept")).map(({ json }) => json);

function preview(change: Partial<Offer> = {}): FoundInvitation {
  const offer: Offer = {
    email: "ada@hospital.example",
    role: "expert",
    expires_at: "2030-12-05T10:00:00Z",
    study: { id: "study-1", name: "Pain" },
    ...change,
  };
  return { state: "open", invited_by: "Prof Mensah", accepted_by_you: false, offer };
}

/** What its link still tells. */
function ended(state: FoundInvitation["state"], accepted_by_you = false): FoundInvitation {
  return { state, invited_by: "Prof Mensah", accepted_by_you, offer: null };
}

function acceptance(change: Partial<Accepted> = {}): Accepted {
  return { study_id: "study-1", role: "expert", confirm_address: false, ...change };
}

beforeEach(() => {
  user = null;
  invitation = preview();
  codeIsRight = true;
  accepting = reply(acceptance());
  asked = serve(({ method, path }) => {
    if (path === "/api/v1/me") return reply({ user });
    if (path.endsWith("/lookup")) return invitation ? reply(invitation) : undefined;
    if (path.endsWith("/accept")) return accepting;
    if (path.endsWith("code/request")) return reply({});
    if (path.endsWith("code/confirm")) {
      return codeIsRight ? reply({}) : reply({ errors: [{ code: "incorrect_code", message: "No." }] }, 400);
    }
    if (method === "DELETE") {
      user = null;
      return reply({}, 401);
    }
    return undefined;
  });
});

afterEach(() => {
  leavePage();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

describe("an open invitation", () => {
  it("says who invites to what, and takes a name", async () => {
    open();
    expect(await screen.findByText(/Prof Mensah invites ada@hospital.example to rank/)).toBeInTheDocument();
    expect(await screen.findByText("Open until 5 December 2030")).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText("Your name"), "Ada{Enter}");
    expect(await screen.findByText("The introduction")).toBeInTheDocument();
    expect(told()).toEqual([{ token: "the-token", name: "Ada" }]);
  });

  it("keeps its token out of every address that a server sees", async () => {
    open();
    await userEvent.type(await screen.findByLabelText("Your name"), "Ada{Enter}");
    await screen.findByText("The introduction");
    expect(asked.some(({ path }) => path.includes("the-token"))).toBe(false);
  });

  it("leads a coordinator to the board", async () => {
    accepting = reply(acceptance({ role: "coordinator" }));
    open();
    await userEvent.type(await screen.findByLabelText("Your name"), "Ada{Enter}");
    expect(await screen.findByText("The board")).toBeInTheDocument();
  });

  it("keeps what was typed when a password is refused, and says why at its field", async () => {
    accepting = problem(422, "invalid", "No.", [
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
    accepting = problem(410, "invitation_expired", "This invitation ran out. Ask for a new one.");
    open();
    await userEvent.type(await screen.findByLabelText("Your name"), "Ada{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("This invitation ran out. Ask for a new one.");
  });
});

describe("an invitation of somebody with an account", () => {
  it("says so to whoever gives a name instead", async () => {
    accepting = problem(409, "sign_in_first", "There is an account.");
    open();
    await userEvent.type(await screen.findByLabelText("Your name"), "Ada{Enter}");
    expect(await screen.findByText(/has an account here already. Sign in as it/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Sign in" })).toBeInTheDocument();
  });

  it("asks her to sign in, and is found again afterwards", async () => {
    open();
    await userEvent.click(await screen.findByRole("link", { name: "sign in" }));
    expect(await screen.findByText("The way in")).toBeInTheDocument();
    user = somebody();
    leavePage();
    visit(ROUTES, "/invite");
    await userEvent.click(await screen.findByRole("button", { name: "Accept the invitation" }));
    expect(told()).toEqual([{ token: "the-token", name: "Ada" }]);
  });

  it("does not mind how her address is written", async () => {
    user = somebody({ email: "Ada@Hospital.example" });
    open();
    expect(await screen.findByRole("button", { name: "Accept the invitation" })).toBeInTheDocument();
  });

  it("is not accepted by the colleague who is signed in", async () => {
    user = somebody({ email: "bea@hospital.example" });
    open();
    expect(await screen.findByText(/You are signed in as bea@hospital.example/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Accept the invitation" })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Sign out" }));
    expect(await screen.findByLabelText("Your name")).toBeInTheDocument();
  });
});

describe("an invitation that opens once the address is confirmed", () => {
  const site = { role: "administrator", study: null } as const;

  it("takes a name, sends a code, and goes on by itself", async () => {
    invitation = preview(site);
    accepting = reply(acceptance({ role: "administrator", study_id: null, confirm_address: true }));
    open();
    await userEvent.type(await screen.findByLabelText("Your name"), "Ada");
    expect(screen.queryByLabelText(/^Password/)).not.toBeInTheDocument();
    user = somebody({ address_confirmed: false, has_password: false, studies: [] });
    await userEvent.click(screen.getByRole("button", { name: "Accept the invitation" }));
    await userEvent.click(await screen.findByRole("button", { name: "Confirm your address" }));
    accepting = reply(acceptance({ role: "administrator", study_id: null }));
    user = somebody({ roles: { researcher: false, administrator: true }, studies: [] });
    await userEvent.type(await screen.findByLabelText("Code"), " ABC-123 {Enter}");
    expect(await screen.findByText("The studies")).toBeInTheDocument();
    expect(asked.find(({ path }) => path.endsWith("code/request"))?.json).toEqual({ email: "ada@hospital.example" });
    expect(asked.find(({ path }) => path.endsWith("code/confirm"))?.json).toEqual({ code: "ABC-123" });
    expect(told()).toHaveLength(2);
  });

  it("stays where it is when the code is wrong", async () => {
    user = somebody({ address_confirmed: false });
    accepting = reply(acceptance({ study_id: null, confirm_address: true }));
    codeIsRight = false;
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Accept the invitation" }));
    expect(await screen.findByText(/signs out every other browser and ends the password/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Confirm your address" }));
    await userEvent.type(await screen.findByLabelText("Code"), "WRONG{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent(/not the code/);
    expect(told()).toHaveLength(1);
  });
});

describe("an invitation that is not open", () => {
  it.each([
    ["expired" as const, /has run out. Ask Prof Mensah/],
    ["revoked" as const, /was taken back.*ask Prof Mensah/],
    ["accepted" as const, /has been used; it works once/],
  ])("says what became of it and what to do (%s)", async (state, words) => {
    invitation = ended(state);
    open();
    expect(await screen.findByText(words)).toBeInTheDocument();
    expect(screen.queryByLabelText("Your name")).not.toBeInTheDocument();
  });

  it("lets her go on who accepted it", async () => {
    user = somebody();
    invitation = ended("accepted", true);
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Continue" }));
    expect(await screen.findByText("The introduction")).toBeInTheDocument();
  });

  it("names nobody where the server itself invited", async () => {
    invitation = { ...ended("expired"), invited_by: null };
    open();
    expect(await screen.findByText(/Ask whoever sent you the link for a new one/)).toBeInTheDocument();
  });

  it("is not known when its link was cut short", async () => {
    invitation = null;
    open();
    expect(await screen.findByRole("heading", { name: "This invitation is not known" })).toBeInTheDocument();
  });

  it("is not known without a token at all", async () => {
    visit(ROUTES, "/invite");
    expect(await screen.findByRole("heading", { name: "This invitation is not known" })).toBeInTheDocument();
    expect(asked.some(({ path }) => path.endsWith("/lookup"))).toBe(false);
  });
});
