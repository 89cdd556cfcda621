import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { createQueryClient } from "./queryClient";

test("a query that changed while it was read for the first time is read again", async () => {
  const queries = createQueryClient();
  const reads: ((value: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => reads.push(resolve));
  const observer = new QueryObserver(queries, { queryKey: ["counts"], queryFn });
  const end = observer.subscribe(() => undefined);

  const refreshed = queries.invalidateQueries({ queryKey: ["counts"] });
  reads[0]?.("before the change");
  await expect.poll(() => reads.length).toBe(2);
  expect(observer.getCurrentResult().data).toBe("before the change");
  reads[1]?.("after the change");
  await refreshed;
  expect(observer.getCurrentResult().data).toBe("after the change");
  expect(reads).toHaveLength(2);
  end();
});
