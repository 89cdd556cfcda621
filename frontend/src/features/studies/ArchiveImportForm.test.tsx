import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { makeJob } from "@/domains/jobs/fixtures";
import type { Job } from "@/domains/jobs/jobs";
import { StudyImportPage } from "./StudyImportPage";

const FORMATS = [
  { name: "jsonl", title: "JSON Lines", description: "A record a line.", extension: "jsonl", can_export: true, can_import: true },
  { name: "parquet", title: "Parquet", description: "A table.", extension: "parquet", can_export: true, can_import: false },
  { name: "argilla", title: "Argilla", description: "Records.", extension: "json", can_export: false, can_import: true },
];

let forms: FormData[];
let job: Job;
let answered: { status: number; body: object };

beforeEach(() => {
  forms = [];
  vi.stubGlobal("fetch", (path: string, { body }: RequestInit) => {
    if (body instanceof FormData) forms.push(body);
    const shown = path.endsWith("/study-formats") ? { status: 200, body: { results: FORMATS } } : path.includes("/jobs/") ? { status: 200, body: job } : answered;
    return Promise.resolve(new globalThis.Response(JSON.stringify(shown.body), { status: shown.status }));
  });
});

async function send() {
  const routes = [
    { path: "/studies/new", Component: StudyImportPage },
    { path: "/studies/:id", Component: () => <p>The dashboard</p> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ["/studies/new?from=export"] });
  render(<QueryClientProvider client={new QueryClient()}><RouterProvider router={router} /></QueryClientProvider>);
  await userEvent.click(screen.getByRole("button", { name: "Import the study" }));
  expect(screen.getByText("Choose a file.")).toBeInTheDocument();
  expect(screen.getByText("Enter a name.")).toBeInTheDocument();
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("There is no way to choose a file.");
  await userEvent.upload(input, new File(["{}"], "study.json"));
  await userEvent.type(screen.getByRole("textbox", { name: /Name of the study/ }), "Earlier");
  await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Format" }), "argilla");
  await userEvent.click(screen.getByRole("button", { name: "Import the study" }));
}

test("a file that is in order becomes a study, whose dashboard opens", async () => {
  job = makeJob({ state: "running", parameters: { name: "Earlier" } });
  answered = { status: 202, body: job };
  await send();
  expect(await screen.findByRole("progressbar", { name: "Progress: Import of Earlier" })).toBeInTheDocument();
  job = makeJob({ state: "succeeded", result: { study: { id: "s1", name: "Earlier" }, experts: 2, questions: 3, assignments: 6 } });
  expect(await screen.findByText("The dashboard", {}, { timeout: 4_000 })).toBeInTheDocument();
  expect(["name", "format"].map((name) => forms[0]?.get(name))).toEqual(["Earlier", "argilla"]);
});

test("faults are listed with their lines, and only formats that can be imported are offered", async () => {
  const errors = [{ place: "line 4, id", message: "This is in the file already.", code: "invalid", expected: "each once" }];
  job = makeJob({ state: "failed", error: { code: "USER_ARCHIVE_INVALID", detail: "Nothing was imported.", errors }, result: { faults_total: 30 } });
  answered = { status: 202, body: job };
  await send();
  expect(await screen.findByRole("table", { name: "The first 1 of 30 errors" })).toHaveTextContent("line 4, idThis is in the file already.each once");
  expect(screen.getAllByRole("option").map((one) => one.textContent)).toEqual(["JSON Lines", "Argilla"]);
});

test("what is known before the file is read is refused at once", async () => {
  answered = { status: 409, body: { status: 409, code: "name_taken", detail: "Another study has this name.", errors: [] } };
  await send();
  expect((await screen.findAllByText(/Another study has this name\./)).length).toBeGreaterThan(0);
});
