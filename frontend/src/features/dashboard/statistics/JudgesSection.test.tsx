import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { makeDashboard } from "../fixtures";
import { JudgesSection } from "./JudgesSection";

afterEach(() => vi.unstubAllGlobals());

const JUDGES = { can_import: true, results: [{ name: "A model", answers: 12, questions: 6, imported_at: "2026-03-02T10:00:00Z" }] };

function open(judges: object, refusal: object = {}) {
  const forms: FormData[] = [];
  vi.stubGlobal("fetch", (_path: string, { body }: RequestInit) => {
    if (!(body instanceof FormData)) return Promise.resolve(new globalThis.Response(JSON.stringify(judges)));
    forms.push(body);
    return Promise.resolve(new globalThis.Response(JSON.stringify(refusal), { status: 422 }));
  });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { container } = render(<QueryClientProvider client={queries}><JudgesSection study={makeDashboard().study} /></QueryClientProvider>);
  return { container, forms, queries };
}

test("a file of a judge is sent with its name, and each fault has its line", async () => {
  const errors = [{ place: "line 2, choice", message: "This is not one of the labels.", code: "not_a_label", expected: "'a' or 'b'" }];
  const { container, forms } = open(JUDGES, { status: 422, code: "judge_file_invalid", detail: "Nothing was imported.", errors });
  expect(await screen.findByText("A model")).toBeInTheDocument();
  await userEvent.click(screen.getByText("Import a file"));
  await userEvent.click(screen.getByRole("button", { name: "Import answers" }));
  expect(screen.getByText("Choose a file.")).toBeInTheDocument();
  const input = container.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("There is no way to choose a file.");
  await userEvent.upload(input, new File(["{}"], "judge.jsonl"));
  await userEvent.type(screen.getByRole("textbox", { name: /Name of the model/ }), "Another");
  await userEvent.click(screen.getByRole("button", { name: "Import answers" }));
  expect(await screen.findByRole("table", { name: "1 error" })).toHaveTextContent("line 2, choice");
  expect(forms).toHaveLength(1);
  expect(forms[0]?.get("name")).toBe("Another");
});

test("a study of orders has no judges", async () => {
  const { container, queries } = open({ can_import: false, results: [] });
  await vi.waitFor(() => expect(queries.getQueriesData({})[0]?.[1]).toBeDefined());
  expect(container).toBeEmptyDOMElement();
});
