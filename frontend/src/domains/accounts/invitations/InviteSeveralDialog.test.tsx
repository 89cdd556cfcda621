import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { NewInvitations } from "./invitations";
import { parseAddresses } from "./addresses";
import { InviteSeveralDialog } from "./InviteSeveralDialog";

const PATH = "/api/v1/studies/study-1/invitations";

let refused: Record<string, string>;
let unsent: string[];
let sent: { path: string; json: NewInvitations }[];

function answerTo({ emails }: NewInvitations): globalThis.Response {
  const errors = emails.flatMap((email, at) => {
    const message = refused[email];
    return message ? [{ place: `emails[${at}]`, message, code: "invalid", expected: "" }] : [];
  });
  if (errors.length > 0) {
    const problem = { status: 422, code: "addresses_invalid", detail: "Nobody was invited.", errors };
    return new globalThis.Response(JSON.stringify(problem), { status: 422 });
  }
  const results = emails.map((email) => ({
    id: email,
    email,
    expires_at: "2026-03-15T10:00:00Z",
    link: `https://here/invite#${email}`,
    mail_sent: !unsent.includes(email),
  }));
  return new globalThis.Response(JSON.stringify({ results }), { status: 201 });
}

beforeEach(() => {
  refused = {};
  unsent = [];
  sent = [];
  vi.stubGlobal("fetch", (path: string, { method, body }: RequestInit) => {
    if (method !== "POST" || typeof body !== "string") return Promise.resolve(new globalThis.Response("{}"));
    const json = JSON.parse(body) as NewInvitations;
    sent.push({ path, json });
    return Promise.resolve(answerTo(json));
  });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <InviteSeveralDialog
        path={PATH}
        roles={[
          { value: "expert", label: "Expert", hint: "Answers." },
          { value: "coordinator", label: "Coordinator", hint: "Coordinates." },
        ]}
        batches={[{ id: "a", name: "Batch 1" }, { id: "b", name: "Batch 2" }]}
        isOpen
        onClose={() => undefined}
      />
    </QueryClientProvider>,
  );
});

const addresses = () => screen.getByRole("textbox", { name: "E-mail addresses" });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole("button", { name }));

async function paste(text: string) {
  await userEvent.click(addresses());
  await userEvent.paste(text);
}

test("several people are invited to the chosen batches with a message, and each link is shown", async () => {
  await paste("ada@x.example, Cleo <cleo@x.example>\nEVE@x.example");
  await userEvent.click(screen.getByRole("checkbox", { name: "Batch 2" }));
  await userEvent.type(screen.getByRole("textbox", { name: /Your message/ }), "We met in Kandy.");
  await press("Invite 3 people");
  expect(await screen.findAllByRole("textbox", { name: /Invitation link for/ })).toHaveLength(3);
  expect(screen.getByText("3 people invited, 3 mails sent.")).toBeInTheDocument();
  const emails = ["ada@x.example", "cleo@x.example", "eve@x.example"];
  expect(sent).toEqual([{ path: `${PATH}/several`, json: { emails, role: "expert", tags: [], batches: ["b"], message: "We met in Kandy." } }]);
});

test("what is missing is named, and nothing is sent", async () => {
  await press("Invite");
  expect(addresses()).toHaveAccessibleDescription(/Enter at least one address/);
  expect(screen.getByRole("alert")).toHaveTextContent("Choose at least one batch");
  expect(sent).toEqual([]);
});

test("coordinators are invited without batches", async () => {
  await paste("ada@x.example");
  await userEvent.click(screen.getByRole("radio", { name: /Coordinator/ }));
  expect(screen.queryByRole("checkbox")).toBeNull();
  await press("Invite");
  await screen.findByRole("textbox", { name: /Invitation link/ });
  expect(sent[0]?.json).toMatchObject({ role: "coordinator", batches: [] });
});

test("every refused address is listed, and the others can be invited alone", async () => {
  refused = { "ada@x.example": "ada@x.example is in this study already.", nobody: "\u2018nobody\u2019 is not an e-mail address." };
  await paste("ada@x.example, nobody, eve@x.example");
  await press("Choose all");
  await press("Invite 3 people");
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("ada@x.example is in this study already.");
  expect(alert).toHaveTextContent("\u2018nobody\u2019 is not an e-mail address.");
  await press("Invite only the other one");
  expect(await screen.findByRole("textbox", { name: "Invitation link for eve@x.example" })).toBeInTheDocument();
  expect(sent.map(({ json }) => json.emails.length)).toEqual([3, 1]);
});

test("the links whose mail did not go out come first", async () => {
  unsent = ["eve@x.example"];
  await paste("ada@x.example eve@x.example");
  await press("Choose all");
  await press("Invite 2 people");
  const [first] = await screen.findAllByRole("textbox", { name: /Invitation link for/ });
  expect(first).toHaveAccessibleName("Invitation link for eve@x.example");
  expect(screen.getByText(/No mail was sent to eve@x.example/)).toBeInTheDocument();
});

test("addresses are read with or without names, once each, and what is none stays to be corrected", () => {
  expect(parseAddresses(" Ada <ADA@x.example>; cleo@x.example\r\n\r\nada@x.example")).toEqual(["ada@x.example", "cleo@x.example"]);
  expect(parseAddresses("a@x.example b@x.example")).toEqual(["a@x.example", "b@x.example"]);
  expect(parseAddresses("Dr Silva, a@x.example")).toEqual(["dr silva", "a@x.example"]);
  expect(parseAddresses(" ,; \n")).toEqual([]);
});
