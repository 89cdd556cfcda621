import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { StudyImportPage } from "./StudyImportPage";

let answer: () => globalThis.Response;
let forms: FormData[];

beforeEach(() => {
  forms = [];
  vi.stubGlobal("fetch", (_path: string, { body }: RequestInit) => {
    if (body instanceof FormData) forms.push(body);
    return Promise.resolve(answer());
  });
});

function refused(body: object) {
  answer = () => new globalThis.Response(JSON.stringify(body), { status: 422 });
}

async function open() {
  const router = createMemoryRouter([{ path: "/studies/new", Component: StudyImportPage }], { initialEntries: ["/studies/new"] });
  render(<QueryClientProvider client={new QueryClient()}><RouterProvider router={router} /></QueryClientProvider>);
  const files = ["batch10.json", "batch2.json"].map((name) => new File(["[]"], name, { type: "application/json" }));
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("There is no way to choose files.");
  await userEvent.upload(input, files);
}

async function send(introduction = "") {
  await open();
  await userEvent.type(screen.getByRole("textbox", { name: /Name of the study/ }), "Mine");
  if (introduction) await userEvent.type(screen.getByRole("textbox", { name: /Introduction/ }), introduction);
  await userEvent.click(screen.getByRole("button", { name: "Import and create the study" }));
}

test("good files become a study, and the page leads to its board", async () => {
  const notices = ["batches.json states that batch 10 has 14 questions; batch10.json has 13."];
  const result = { study: { id: "s1", name: "Mine" }, batches: 2, questions: 20, candidates: 80, added: 20, notices };
  answer = () => new globalThis.Response(JSON.stringify(result), { status: 201 });
  await send();
  expect(await screen.findByRole("heading", { level: 1 })).toHaveTextContent("Mine is ready");
  expect(screen.getByText(/batch 10 has 14 questions/)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "To its dashboard" })).toHaveAttribute("href", "/studies/s1");
  expect(forms[0]?.get("name")).toBe("Mine");
  expect(forms[0]?.getAll("files").map((file) => (file as File).name)).toEqual(["batch2.json", "batch10.json"]);
});

test("every fault stands in a table with its place and what was expected, and nothing typed is lost", async () => {
  const faults = [
    { place: "batch2.json, question 4 (qid 17)", message: "This is null.", code: "type", expected: "text" },
    { place: "batch10.json, line 1", message: "This is no JSON.", code: "json", expected: "a JSON file" },
  ];
  refused({ status: 422, code: "questionnaire_invalid", detail: "Nothing was imported.", errors: faults, faults_total: 2 });
  await send();
  const table = await screen.findByRole("table", { name: "2 errors" });
  const [, first, second] = within(table).getAllByRole("row");
  expect(first).toHaveTextContent("batch2.json, question 4 (qid 17)This is null.text");
  expect(second).toHaveTextContent("batch10.json, line 1This is no JSON.a JSON file");
  expect(screen.getByRole("heading", { level: 2 })).toHaveTextContent("2 errors");
  expect(screen.getByRole("textbox", { name: /Name of the study/ })).toHaveValue("Mine");
  expect(within(screen.getByRole("list", { name: "Chosen files" })).getAllByRole("listitem")).toHaveLength(2);
});

test("a name that is taken is reported at its field", async () => {
  refused({ status: 409, code: "name_taken", detail: "There is a study of this name already.", errors: [] });
  await send();
  await screen.findByRole("alert");
  expect(screen.getByRole("textbox", { name: /Name of the study/ })).toHaveAccessibleDescription(/of this name already/);
});

test("what is missing is named at its field, and nothing is sent", async () => {
  const router = createMemoryRouter([{ path: "/studies/new", Component: StudyImportPage }], { initialEntries: ["/studies/new"] });
  render(<QueryClientProvider client={new QueryClient()}><RouterProvider router={router} /></QueryClientProvider>);
  await userEvent.click(screen.getByRole("button", { name: "Import and create the study" }));
  expect(screen.getByRole("textbox", { name: /Name of the study/ })).toHaveAccessibleDescription(/Enter a name/);
  expect(screen.getByText("Choose at least one file.")).toBeInTheDocument();
  expect(forms).toEqual([]);
});

test("the introduction goes along", async () => {
  const result = { study: { id: "s1", name: "Mine" }, batches: 2, questions: 20, candidates: 80, added: 20, notices: [] };
  answer = () => new globalThis.Response(JSON.stringify(result), { status: 201 });
  await send("Thank you.");
  expect(await screen.findByRole("link", { name: "Look at the questions" })).toHaveAttribute("href", "/studies/s1?tab=preview");
  expect(forms[0]?.get("description")).toBe("Thank you.");
});

test("files join a set that the user owns", async () => {
  const sets = [["a", "QA set", true], ["b", "Of others", false]].map(([id, name, isOwner]) => ({ id, name, is_owner: isOwner, questions: 9, versions: [] }));
  answer = () => new globalThis.Response(JSON.stringify({ results: sets, next: null }));
  await open();
  await userEvent.type(screen.getByRole("textbox", { name: /Name of the study/ }), "Mine");
  const choice = await screen.findByRole("combobox", { name: /Join a question set/ });
  await waitFor(() => expect(within(choice).getAllByRole("option")).toHaveLength(2));
  await userEvent.selectOptions(choice, "QA set (9)");
  refused({ status: 409, code: "set_differs", detail: "Another set.", errors: [] });
  await userEvent.click(screen.getByRole("button", { name: "Import and create the study" }));
  expect(forms[0]?.get("question_set")).toBe("a");
});

test("errors of the last files are not shown beside other files", async () => {
  const error = { place: "batch2.json, line 1", message: "This is no JSON.", code: "json", expected: "a JSON file" };
  refused({ status: 422, code: "questionnaire_invalid", detail: "Nothing was imported.", errors: [error], faults_total: 1 });
  await send();
  await screen.findByRole("table", { name: "1 error" });
  expect(screen.getByRole("table", { name: "1 error" }).closest("[tabindex='-1']")).toHaveFocus();
  await userEvent.click(screen.getByRole("button", { name: "Remove batch2.json" }));
  expect(screen.queryByRole("table")).not.toBeInTheDocument();
});
