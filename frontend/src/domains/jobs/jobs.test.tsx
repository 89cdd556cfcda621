import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { FakeSocket, lastSocket, stubSockets } from "@/test/fakeSocket";
import { jsonResponse, mockServer, problemResponse, renderRoute, type RecordedRequest } from "@/test/visit";
import { JobProgress } from "./JobProgress";
import { makeJob } from "./fixtures";
import { hasEnded, type Job } from "./jobs";
import { useJob } from "./useJob";

beforeEach(stubSockets);

function JobPage() {
  const { data: job } = useJob("j1");
  if (!job) return null;
  return hasEnded(job) ? <p>Ended: {job.state}</p> : <JobProgress job={job} title="Sums" cancelWarning="The sums are deleted." />;
}

let requests: RecordedRequest[];

function open(current: () => Job, respond: (sent: RecordedRequest) => globalThis.Response | undefined = () => undefined) {
  requests = mockServer((sent) => respond(sent) ?? (sent.path.endsWith("/jobs/j1") ? jsonResponse(current()) : undefined));
  renderRoute([{ path: "", Component: JobPage }], "/");
}

const wait = (ms: number) => act(() => new Promise((done) => setTimeout(done, ms)));

it("shows phase, percent and time left, and follows the job's notifications until it has ended", async () => {
  let job = makeJob({ estimated_end_at: new Date(Date.now() + 90_000).toISOString() });
  open(() => job);
  expect(await screen.findByText(/^Running: second hop, 41%, about \d+ min left$/)).toBeInTheDocument();
  expect(screen.getByRole("progressbar", { name: "Progress: Sums" })).toHaveAttribute("aria-valuenow", "41");
  expect(FakeSocket.all.map(({ url }) => url)).toEqual([expect.stringMatching(/^ws:.*\/ws\/jobs\?job=j1$/)]);
  job = makeJob({ state: "succeeded", version: 4 });
  lastSocket().onmessage?.({ data: '{"type":"changed","what":"job","id":"j1","version":4}' });
  expect(await screen.findByText("Ended: succeeded")).toBeInTheDocument();
  expect(lastSocket().isClosed).toBe(true);
});

it("reads the job again when the socket has reconnected", async () => {
  let job = makeJob();
  open(() => job);
  await screen.findByText(/^Running/);
  await wait(0);
  lastSocket().onclose?.({ code: 1006 });
  job = makeJob({ percent: 80 });
  window.dispatchEvent(new Event("online"));
  expect(FakeSocket.all).toHaveLength(2);
  lastSocket().onopen?.();
  expect(await screen.findByText("Running: second hop, 80%")).toBeInTheDocument();
});

it("polls a job without a socket", async () => {
  let job = makeJob();
  open(() => job);
  await screen.findByText(/^Running/);
  lastSocket().onclose?.({ code: 4401 });
  job = makeJob({ state: "failed" });
  expect(await screen.findByText("Ended: failed", {}, { timeout: 4000 })).toBeInTheDocument();
});

it("opens no socket for a job that has ended", async () => {
  open(() => makeJob({ state: "cancelled" }));
  expect(await screen.findByText("Ended: cancelled")).toBeInTheDocument();
  expect(FakeSocket.all).toEqual([]);
});

it("cancels only after a confirmation, and shows why a cancellation was rejected", async () => {
  open(() => makeJob(), ({ method }) => (method === "POST" ? problemResponse(409, "has_ended", "This job has already ended.") : undefined));
  await userEvent.click(await screen.findByRole("button", { name: "Cancel: Sums" }));
  expect(screen.getByText("The sums are deleted.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Continue the job" })).toHaveFocus();
  expect(requests.some(({ method }) => method === "POST")).toBe(false);
  await userEvent.click(screen.getByRole("button", { name: "Cancel the job" }));
  expect(await screen.findByText("This job has already ended.")).toBeInTheDocument();
  expect(requests.find(({ method }) => method === "POST")?.path).toBe("/api/v1/jobs/j1/cancel");
});

it("offers no cancellation to a user who may not cancel", async () => {
  open(() => makeJob({ can_cancel: false }));
  await screen.findByText(/^Running/);
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});
