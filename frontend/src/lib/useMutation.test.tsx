import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { useMutation } from "./useMutation";

function setUp(send: (variables: unknown) => Promise<string>) {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  return renderHook(() => useMutation({ mutationFn: send }), { wrapper }).result;
}

test("a second click is no second request, while the first is under way and shortly after", async () => {
  vi.useFakeTimers();
  const send = vi.fn(async () => "done");
  const mutation = setUp(send);
  await act(async () => {
    mutation.current.mutate({ name: "one", tags: ["a"] });
    mutation.current.mutate({ name: "one", tags: ["a"] });
    await vi.advanceTimersByTimeAsync(100);
    mutation.current.mutate({ name: "one", tags: ["a"] });
    await vi.advanceTimersByTimeAsync(100);
  });
  expect(send).toHaveBeenCalledTimes(1);
  await act(async () => {
    await vi.advanceTimersByTimeAsync(500);
    mutation.current.mutate({ name: "one", tags: ["a"] });
    await vi.advanceTimersByTimeAsync(100);
  });
  expect(send).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});

test("other values, and another try after a failure, are requests of their own", async () => {
  const send = vi.fn(async (variables: unknown) => {
    if (variables === "bad") throw new Error("refused");
    return "done";
  });
  const mutation = setUp(send);
  const file = () => new File(["x"], "x.csv");
  await act(async () => {
    mutation.current.mutate({ tags: ["a"] });
    mutation.current.mutate({ tags: ["b"] });
    mutation.current.mutate({ file: file() });
    mutation.current.mutate({ file: file() });
    await expect(mutation.current.mutateAsync("bad")).rejects.toThrow("refused");
    await expect(mutation.current.mutateAsync("bad")).rejects.toThrow("refused");
  });
  expect(send).toHaveBeenCalledTimes(6);
});

test("both callers of one request read its answer", async () => {
  const mutation = setUp(async () => "done");
  await act(async () => {
    const answers = await Promise.all([mutation.current.mutateAsync("x"), mutation.current.mutateAsync("x")]);
    expect(answers).toEqual(["done", "done"]);
  });
});

test("the same variables after a change of a field are a request of their own", async () => {
  const send = vi.fn(async () => "done");
  const mutation = setUp(send);
  const field = document.body.appendChild(document.createElement("input"));
  await act(async () => {
    await mutation.current.mutateAsync(undefined);
    await mutation.current.mutateAsync(undefined);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await mutation.current.mutateAsync(undefined);
  });
  expect(send).toHaveBeenCalledTimes(2);
  field.remove();
});
