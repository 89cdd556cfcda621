import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { request } from "@/api/client";
import { QueryBoundary } from "@/components/QueryBoundary";
import { createQueryClient } from "@/lib/queryClient";
import { useMutation } from "@/lib/useMutation";
import { jsonResponse, problemResponse } from "@/test/visit";
import { RetryNotice } from "./RetryNotice";

function Name() {
  const query = useQuery({ queryKey: ["name"], queryFn: ({ signal }) => request<string>("/api/v1/name", { signal }) });
  return <QueryBoundary query={query} skeleton={<p>Loading</p>}>{(name) => <p>Name: {name}</p>}</QueryBoundary>;
}

let respond: (signal: AbortSignal) => Promise<Response>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", (_path: string, { signal }: { signal: AbortSignal }) => respond(signal));
});

afterEach(() => {
  vi.useRealTimers();
});

async function open() {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter>
        <RetryNotice />
        <Name />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await wait(0);
}

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it("shows a server error at once, with the seconds until the next attempt", async () => {
  respond = () => Promise.resolve(problemResponse(503, "busy", "The server is busy."));
  await open();
  expect(screen.getByRole("status")).toHaveTextContent("The server is busy. Trying again in 1 s.");
  await wait(1000);
  expect(screen.getByRole("status")).toHaveTextContent("Trying again in 2 s.");
  await wait(1000);
  expect(screen.getByRole("status")).toHaveTextContent("Trying again in 1 s.");
  await wait(1000);
  respond = () => Promise.resolve(jsonResponse("Ada"));
  await wait(4100);
  expect(screen.getByText("Name: Ada")).toBeInTheDocument();
  expect(screen.queryByRole("status")).not.toBeInTheDocument();
});

const restarting = () => problemResponse(503, "unavailable", "The database is restarting.", [], { "Retry-After": "5" });

it("waits as long as the server says, and longer than for another error", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const requests = vi.fn(() => Promise.resolve(restarting()));
  respond = requests;
  await open();
  expect(screen.getByRole("status")).toHaveTextContent("The database is restarting. Trying again in 5 s.");
  await wait(4900);
  expect(requests).toHaveBeenCalledTimes(1);
  await wait(25_000);
  expect(requests).toHaveBeenCalledTimes(6);
  respond = () => Promise.resolve(jsonResponse("Ada"));
  await wait(5000);
  expect(screen.getByText("Name: Ada")).toBeInTheDocument();
});

function SaveButton({ method }: { method: "PUT" | "POST" }) {
  const save = useMutation({ mutationFn: () => request("/api/v1/name", { method }) });
  return <button type="button" onClick={() => save.mutate()}>{save.isError ? "Not saved" : save.isSuccess ? "Saved" : "Save"}</button>;
}

it("repeats a write that the server did not accept only where that is safe", async () => {
  const requests = vi.fn(() => Promise.resolve(restarting()));
  respond = requests;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RetryNotice />
      <SaveButton method="PUT" />
      <SaveButton method="POST" />
    </QueryClientProvider>,
  );
  const [put, post] = screen.getAllByRole("button") as [HTMLElement, HTMLElement];
  fireEvent.click(post);
  await wait(8000);
  expect(post).toHaveTextContent("Not saved");
  expect(requests).toHaveBeenCalledTimes(1);
  fireEvent.click(put);
  await wait(0);
  expect(screen.getByRole("status")).toHaveTextContent("The database is restarting. Trying again in");
  respond = () => Promise.resolve(jsonResponse("Ada"));
  await wait(8000);
  expect(put).toHaveTextContent("Saved");
  expect(screen.queryByRole("status")).not.toBeInTheDocument();
});

it("disappears when the last attempt has failed", async () => {
  respond = () => Promise.reject(new TypeError("Failed to fetch"));
  await open();
  expect(screen.getByRole("status")).toHaveTextContent("The server did not answer. Trying again in 1 s.");
  await wait(7100);
  expect(screen.getByRole("alert")).toHaveTextContent("The server did not answer.");
  expect(screen.queryByRole("status")).not.toBeInTheDocument();
});

it("does not retry what the server rejects", async () => {
  respond = () => Promise.resolve(problemResponse(404, "not_found", "This is not here."));
  await open();
  expect(screen.getByRole("alert")).toHaveTextContent("This is not here.");
  expect(screen.queryByRole("status")).not.toBeInTheDocument();
});

it("says after some seconds that the server is slow", async () => {
  respond = () => new Promise(() => {});
  await open();
  await wait(3999);
  expect(screen.queryByRole("status")).not.toBeInTheDocument();
  await wait(1);
  expect(screen.getByRole("status")).toHaveTextContent("The server is slow to answer. This page is still loading.");
});

it("says after some seconds that a change is still being sent, until the server has it", async () => {
  let answer = (_response: Response) => {};
  respond = () => new Promise((resolve) => { answer = resolve; });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RetryNotice />
      <SaveButton method="POST" />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button"));
  await wait(3999);
  expect(screen.queryByRole("status")).not.toBeInTheDocument();
  await wait(1);
  expect(screen.getByRole("status")).toHaveTextContent("The server is slow to answer. Your change is still being sent.");
  answer(jsonResponse("Ada"));
  await wait(0);
  expect(screen.queryByRole("status")).not.toBeInTheDocument();
  expect(screen.getByRole("button")).toHaveTextContent("Saved");
});

function QueryButton() {
  const query = useMutation({ meta: { isLong: true }, mutationFn: () => request("/api/v1/cypher", { method: "POST" }) });
  return <button type="button" onClick={() => query.mutate()}>{query.isPending ? "Running" : "Run"}</button>;
}

it("leaves work that takes long to the page that shows it, beside a change that is slow", async () => {
  respond = () => new Promise(() => {});
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RetryNotice />
      <QueryButton />
      <SaveButton method="POST" />
    </QueryClientProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Run" }));
  await wait(60_000);
  expect(screen.getByRole("button", { name: "Running" })).toBeInTheDocument();
  expect(screen.queryByRole("status")).not.toBeInTheDocument();
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await wait(4000);
  expect(screen.getByRole("status")).toHaveTextContent("Your change is still being sent.");
});

it("ends a request that gets no response", async () => {
  vi.useRealTimers();
  respond = (signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  await expect(request("/api/v1/name", { timeoutMs: 10 })).rejects.toThrow("The server did not answer.");
  await expect(request("/api/v1/name", { timeoutMs: 10, signal: new AbortController().signal })).rejects.toThrow("The server did not answer.");
});
