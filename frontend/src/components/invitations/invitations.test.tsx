import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { InvitationTable } from "./InvitationTable";
import { InviteDialog } from "./InviteDialog";
import type { ListedInvitation } from "./invitations";
import { batchesInWords, dateOf } from "./words";

const PATH = "/api/v1/studies/study-1/invitations";
const BATCHES = [
  { id: "a", name: "Batch 1" },
  { id: "b", name: "Batch 2" },
];

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
      const made = { ...invitation(), batches: [1], link: "https://here/invite#token", mail_sent: mailSent };
      return Promise.resolve(new globalThis.Response(JSON.stringify(made), { status: 201 }));
    }
    return Promise.resolve(new globalThis.Response(JSON.stringify({ next: null, previous: null, results: rows })));
  });
});

afterEach(() => vi.unstubAllGlobals());

function show(element: React.ReactNode) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(<QueryClientProvider client={queries}>{element}</QueryClientProvider>);
}

function openDialog() {
  show(
    <InviteDialog
      path={PATH}
      roles={[
        { value: "expert", label: "Expert", hint: "Ranks." },
        { value: "coordinator", label: "Coordinator", hint: "Coordinates." },
      ]}
      batches={BATCHES}
      isOpen
      onClose={() => undefined}
    />,
  );
}

async function invite() {
  await userEvent.type(screen.getByRole("textbox", { name: "E-mail" }), "ada@hospital.example");
  await userEvent.click(screen.getByRole("button", { name: "Invite" }));
}

async function inviteToFirst() {
  await userEvent.click(screen.getByRole("checkbox", { name: "Batch 1" }));
  await invite();
}

test("an expert is invited to the chosen batches, and her link is shown with a way to copy it", async () => {
  openDialog();
  for (const box of screen.getAllByRole("checkbox")) expect(box).not.toBeChecked();
  await userEvent.click(screen.getByRole("checkbox", { name: "Batch 1" }));
  await invite();
  expect(await screen.findByRole("textbox", { name: /Invitation link/ })).toHaveValue("https://here/invite#token");
  expect(screen.getByText(/message with a link is on its way/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Copy" })).toBeInTheDocument();
  expect(sent).toEqual([{ path: PATH, json: { email: "ada@hospital.example", role: "expert", batches: ["a"] } }]);
});

test("a coordinator is invited without batches", async () => {
  openDialog();
  await userEvent.click(screen.getByRole("radio", { name: /Coordinator/ }));
  expect(screen.queryByRole("checkbox")).toBeNull();
  await invite();
  await screen.findByRole("textbox", { name: /Invitation link/ });
  expect(sent[0]?.json).toEqual({ email: "ada@hospital.example", role: "coordinator" });
});

test("a message that could not be sent is told, so that the link is handed on", async () => {
  mailSent = false;
  openDialog();
  await inviteToFirst();
  expect(await screen.findByText(/could not be sent\. Hand on this link yourself/)).toBeInTheDocument();
});

test("an address whose invitation is still open is told of, and can be sent its link again", async () => {
  refusal = { status: 409, code: "already_invited", detail: "Invited already.", errors: [], invitation: "one" };
  openDialog();
  await inviteToFirst();
  expect(await screen.findByText(/An invitation to this address is still open/)).toBeInTheDocument();
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Send it again" }));
  expect(await screen.findByRole("textbox", { name: /Invitation link/ })).toHaveValue("https://here/invite#token");
  expect(sent.map(({ path }) => path)).toEqual([PATH, `${PATH}/one/resend`]);
});

test("a refused address stays in its field, with what is wrong with it", async () => {
  const fault = { place: "email", message: "Enter a valid email address.", code: "invalid", expected: "" };
  refusal = { status: 422, code: "invalid", detail: "Some of it cannot be used.", errors: [fault] };
  openDialog();
  await inviteToFirst();
  expect(await screen.findByRole("alert")).toHaveTextContent("Enter a valid email address.");
  expect(screen.getByRole("textbox", { name: "E-mail" })).toHaveValue("ada@hospital.example");
});

test("an expert without any batch cannot be invited", async () => {
  openDialog();
  await userEvent.type(screen.getByRole("textbox", { name: "E-mail" }), "ada@hospital.example");
  expect(screen.getByRole("button", { name: "Invite" })).toBeDisabled();
});

test("revoking is asked before it is done", async () => {
  show(<InvitationTable path={PATH} whenEmpty="Nobody yet." />);
  await userEvent.click(await screen.findByRole("button", { name: "Revoke the invitation of ada@hospital.example" }));
  expect(sent).toEqual([]);
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Revoke it" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent.map(({ path }) => path)).toEqual([`${PATH}/one/revoke`]);
});

test("only an open invitation can be revoked", async () => {
  rows = (["accepted", "revoked", "expired"] as const).map((state) => invitation({ id: state, state }));
  show(<InvitationTable path={PATH} whenEmpty="Nobody yet." />);
  expect(await screen.findAllByRole("rowheader")).toHaveLength(3);
  expect(screen.queryByRole("button", { name: /Revoke/ })).toBeNull();
});

test("an empty list says how it is filled", async () => {
  rows = [];
  show(<InvitationTable path={PATH} whenEmpty="Nobody yet." />);
  expect(await screen.findByText("Nobody yet.")).toBeInTheDocument();
});

test("batches are named in runs, and each state with its day", () => {
  expect(batchesInWords([7])).toBe("batch 7");
  expect(batchesInWords([3, 1, 2, 7, 9, 8])).toBe("batches 1–3, 7–9");
  expect(dateOf(invitation())).toBe("until 15 March 2026");
  expect(dateOf(invitation({ state: "accepted", accepted_at: "2026-03-02T10:00:00Z" }))).toBe("2 March 2026");
  expect(dateOf(invitation({ state: "expired" }))).toBe("15 March 2026");
  expect(dateOf(invitation({ state: "revoked" }))).toBe("");
});
