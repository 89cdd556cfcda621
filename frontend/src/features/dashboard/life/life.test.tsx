import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { StudyStatus } from "@/api/contract";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { makeJob } from "@/domains/jobs/fixtures";
import type { Job } from "@/domains/jobs/jobs";
import { makeDashboard } from "../fixtures";
import { FreezingNotice } from "./FreezingNotice";
import { MoreMenu } from "./MoreMenu";
import { CloneDialog } from "./NameDialogs";
import { StatusButton } from "./StatusButton";
import { useFreezing } from "./useFreezing";

let freezings: Job[];

beforeEach(() => {
  freezings = [];
});

const JOBS_PATH = "/api/v1/jobs?kind=study-freeze&subject=study%3Astudy-1";
const FAILED = makeJob({
  state: "failed",
  ended_at: new Date().toISOString(),
  error: { code: "USER_CONFLICT", detail: "This study is frozen already.", errors: [] },
});

async function openMenu(status: StudyStatus) {
  const study = { ...makeDashboard().study, name: "Drügs & genes", status };
  const requests = mockServer(({ path }) => {
    if (path === JOBS_PATH) return jsonResponse({ results: freezings });
    if (path.endsWith("/release")) {
      freezings = [makeJob()];
      return jsonResponse(makeJob(), 202);
    }
    return path.endsWith("/clone") ? jsonResponse({ id: "study-2", name: "B" }, 201) : jsonResponse({});
  });
  renderRoute([{ path: "/", element: <MoreMenu study={study} /> }, { path: "/studies/study-2", element: <p>The draft</p> }], "/");
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  await screen.findAllByRole("menuitem");
  return requests;
}

const posted = (requests: { method: string; json: unknown }[]) => requests.find(({ method }) => method === "POST");

it("freezes a closed study under a name made of its own, once that is confirmed", async () => {
  const requests = await openMenu("closed");
  await userEvent.click(screen.getByRole("menuitem", { name: /Freeze the study/ }));
  expect(await screen.findByRole("dialog")).toHaveTextContent("never change again");
  expect(posted(requests)).toBeUndefined();
  await userEvent.click(screen.getByRole("button", { name: "Freeze it" }));
  await expect.poll(() => posted(requests)?.json).toEqual({ slug: "drugs-genes" });
  expect(await screen.findByRole("progressbar", { name: /Freezing of/ })).toBeInTheDocument();
  freezings = [FAILED];
  expect(await screen.findByText(/failed.*This study is frozen already\.$/, {}, { timeout: 4_000 })).toBeInTheDocument();
});

it("says what a name of a release may be where the typed one cannot be", async () => {
  await openMenu("closed");
  await userEvent.click(screen.getByRole("menuitem", { name: /Freeze the study/ }));
  await userEvent.type(await screen.findByRole("textbox", { name: "Name of the release" }), " of 2026");
  expect(screen.getByText(/without spaces/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Freeze it" })).toBeDisabled();
});

it.each([
  ["running", [makeJob()], "Running: second hop, 41%"],
  ["failed", [FAILED], /^The freezing failed at .*This study is frozen already\.$/],
  ["cancelled", [{ ...FAILED, state: "cancelled" }], /^The freezing was cancelled at .*The study is not frozen\.$/],
] as const)("the dashboard shows a freezing that is %s after the dialog was closed", async (_state, jobs, text) => {
  mockServer(({ path }) => (path === JOBS_PATH ? jsonResponse({ results: jobs }) : undefined));
  renderRoute([{ path: "/", element: <FreezingNotice study={makeDashboard().study} /> }], "/");
  expect(await screen.findByText(text)).toBeInTheDocument();
});

it("the dashboard shows nothing of a freezing that failed more than a week ago", async () => {
  mockServer(() => jsonResponse({ results: [{ ...FAILED, ended_at: "2020-01-01T00:00:00Z" }] }));
  const State = () => <p>{useFreezing("study-1")?.state}</p>;
  renderRoute([{ path: "/", element: <><State /><FreezingNotice study={makeDashboard().study} /></> }], "/");
  await screen.findByText("failed");
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

it("offers the methods section of a frozen study alone", async () => {
  await openMenu("frozen");
  expect(screen.getByRole("menuitem", { name: /Methods section/ })).toHaveAttribute("href", "/api/v1/studies/study-1/methods.md");
  expect(screen.queryByRole("menuitem", { name: /Freeze/ })).not.toBeInTheDocument();
});

it("states who can clone a study, and why it was refused", async () => {
  const refusal = "Only the owner of this question set can make a study of it.";
  mockServer(() => jsonResponse({ code: "not_allowed", detail: refusal }, 403));
  renderRoute([{ path: "/", element: <CloneDialog study={makeDashboard().study} onClose={() => undefined} /> }], "/");
  expect(await screen.findByRole("dialog")).toHaveTextContent("Only the owner of the questions can clone a study");
  await userEvent.click(screen.getByRole("button", { name: "Create the draft" }));
  expect(await screen.findByText(refusal)).toBeInTheDocument();
});

it("clones a study and opens the draft", async () => {
  const requests = await openMenu("open");
  expect(screen.getAllByRole("menuitem")).toHaveLength(2);
  await userEvent.click(screen.getByRole("menuitem", { name: /Clone/ }));
  await userEvent.click(await screen.findByRole("button", { name: "Create the draft" }));
  expect(await screen.findByText("The draft")).toBeInTheDocument();
  expect(posted(requests)?.json).toEqual({ name: "Drügs & genes (copy)" });
});

it("offers no step that the study cannot take", () => {
  renderRoute([{ path: "/", element: <StatusButton study="study-1" status="closed" moves={["frozen"]} /> }], "/");
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});

it.each([["draft", "open"], ["paused", "open"], ["closed", "open"], ["open", "closed"]] as const)("moves a study that is %s to %s", async (status, to) => {
  const requests = mockServer(() => jsonResponse({}));
  renderRoute([{ path: "/", element: <StatusButton study="study-1" status={status} moves={[to]} /> }], "/");
  await userEvent.click(screen.getByRole("button", { name: /the study/ }));
  await userEvent.click(screen.getByRole("button", { name: /it$/ }));
  await expect.poll(() => requests.find(({ method }) => method === "PATCH")?.json).toEqual({ status: to });
});
