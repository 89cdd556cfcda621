import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { ListedInvitation } from "./invitations";
import { InvitationTable } from "./InvitationTable";
import { InviteDialog } from "./InviteDialog";
import { batchesLabel, invitationDateLabel } from "./labels";

const PATH = "/api/v1/studies/study-1/invitations";

function invitation(more: Partial<ListedInvitation> = {}): ListedInvitation {
  return {
    id: "one",
    email: "ada@hospital.example",
    role: "expert",
    state: "open",
    created_at: "2026-03-01T10:00:00Z",
    expires_at: "2026-03-15T10:00:00Z",
    accepted_at: null,
    invited_by: "Kofi",
    ...more,
  };
}

let rows: ListedInvitation[];
let mailSent: boolean;
let refusal: object | null;
let sent: { path: string; json: unknown }[];

beforeEach(() => {
  rows = [invitation()];
  mailSent = true;
  refusal = null;
  sent = [];
  vi.stubGlobal("fetch", (path: string, { method, body }: RequestInit) => {
    if (method === "POST") {
      sent.push({ path, json: typeof body === "string" ? (JSON.parse(body) as unknown) : null });
      if (refusal && !path.endsWith("/resend")) {
        return Promise.resolve(new globalThis.Response(JSON.stringify(refusal), { status: 422 }));
      }
      const created = { ...invitation(), batches: [1], link: "https://here/invite#token", mail_sent: mailSent };
      return Promise.resolve(new globalThis.Response(JSON.stringify(created), { status: 201 }));
    }
    return Promise.resolve(new globalThis.Response(JSON.stringify({ next: null, previous: null, results: rows })));
  });
});

function show(element: React.ReactNode) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={queries}>{element}</QueryClientProvider>);
}

function openDialog() {
  show(
    <InviteDialog
      path={PATH}
      roles={[
        { value: "researcher", label: "Researcher", hint: "Submits." },
        { value: "administrator", label: "Administrator", hint: "Manages." },
      ]}
      isOpen
      onClose={() => undefined}
    />,
  );
}

async function invite() {
  await userEvent.type(screen.getByRole("textbox", { name: "E-mail" }), "ada@hospital.example");
  await userEvent.click(screen.getByRole("button", { name: "Invite" }));
}

test("a person is invited in a role, and the link is shown with a way to copy it", async () => {
  openDialog();
  await userEvent.click(screen.getByRole("radio", { name: /Administrator/ }));
  await invite();
  expect(await screen.findByRole("textbox", { name: /Invitation link/ })).toHaveValue("https://here/invite#token");
  expect(screen.getByText(/sent a message with a link/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Copy" })).toBeInTheDocument();
  expect(sent).toEqual([{ path: PATH, json: { email: "ada@hospital.example", role: "administrator" } }]);
});

test("a message that could not be sent is reported, so that the link is handed on", async () => {
  mailSent = false;
  openDialog();
  await invite();
  expect(await screen.findByText(/No mail was sent to .*\. Share this link yourself/)).toBeInTheDocument();
});

test("an address whose invitation is still open is reported, and can be sent its link again", async () => {
  refusal = { status: 409, code: "already_invited", detail: "Invited already.", errors: [], invitation: "one" };
  openDialog();
  await invite();
  expect(await screen.findByText(/This address already has an open invitation/)).toBeInTheDocument();
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Send it again" }));
  expect(await screen.findByRole("textbox", { name: /Invitation link/ })).toHaveValue("https://here/invite#token");
  expect(sent.map(({ path }) => path)).toEqual([PATH, `${PATH}/one/resend`]);
});

test("a refused address stays in its field, with what is wrong with it", async () => {
  const fault = { place: "email", message: "Enter a valid email address.", code: "invalid", expected: "" };
  refusal = { status: 422, code: "invalid", detail: "Some of it cannot be used.", errors: [fault] };
  openDialog();
  await invite();
  expect(await screen.findByRole("alert")).toHaveTextContent("Enter a valid email address.");
  expect(screen.getByRole("textbox", { name: "E-mail" })).toHaveValue("ada@hospital.example");
});

test("revoking is asked before it is done", async () => {
  show(<InvitationTable path={PATH} emptyText="Nobody yet." />);
  await userEvent.click(await screen.findByRole("button", { name: "Revoke the invitation of ada@hospital.example" }));
  expect(sent).toEqual([]);
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Revoke it" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent.map(({ path }) => path)).toEqual([`${PATH}/one/revoke`]);
});

test("an open or expired invitation is sent again, with its new link", async () => {
  rows = (["open", "accepted", "revoked", "expired"] as const).map((state) => invitation({ id: state, state, email: `${state}@x.example` }));
  show(<InvitationTable path={PATH} emptyText="Nobody yet." />);
  expect(await screen.findAllByRole("button", { name: /Send the invitation of/ })).toHaveLength(2);
  await userEvent.click(screen.getByRole("button", { name: "Send the invitation of expired@x.example again" }));
  expect(sent).toEqual([]);
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Send it again" }));
  expect(await screen.findByRole("textbox", { name: /Invitation link/ })).toHaveValue("https://here/invite#token");
  expect(sent.map(({ path }) => path)).toEqual([`${PATH}/expired/resend`]);
});

test("only an open invitation can be revoked", async () => {
  rows = (["accepted", "revoked", "expired"] as const).map((state) => invitation({ id: state, state }));
  show(<InvitationTable path={PATH} emptyText="Nobody yet." />);
  expect(await screen.findAllByRole("rowheader")).toHaveLength(3);
  expect(screen.queryByRole("button", { name: /Revoke/ })).toBeNull();
});

test("an empty list says how it is filled", async () => {
  rows = [];
  show(<InvitationTable path={PATH} emptyText="Nobody yet." />);
  expect(await screen.findByText("Nobody yet.")).toBeInTheDocument();
});

test("batches are named in runs, and each state with its day", () => {
  expect(batchesLabel([7])).toBe("batch 7");
  expect(batchesLabel([3, 1, 2, 7, 9, 8])).toBe("batches 1–3, 7–9");
  expect(invitationDateLabel(invitation())).toBe("until 15 March 2026");
  expect(invitationDateLabel(invitation({ state: "accepted", accepted_at: "2026-03-02T10:00:00Z" }))).toBe("2 March 2026");
  expect(invitationDateLabel(invitation({ state: "expired" }))).toBe("15 March 2026");
  expect(invitationDateLabel(invitation({ state: "revoked" }))).toBe("");
});
