import { act, renderHook } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { createBrowserRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";

import { useUrlParams, type UrlUpdate } from "./useUrlParams";

const add = (one: string): UrlUpdate => (address) => ({ chosen: [...address.getAll("chosen"), one] });
const wrapper = ({ children }: PropsWithChildren) => <RouterProvider router={createBrowserRouter([{ path: "/", element: children }])} />;

test("a second change before the page is drawn again keeps the first", async () => {
  window.history.replaceState(null, "", "/?page=1");
  const { result } = renderHook(() => useUrlParams(), { wrapper });
  await act(async () => {
    const [, change] = result.current;
    change(add("a"));
    await Promise.resolve();
    change(add("b"));
  });
  expect(result.current[0].toString()).toBe("page=1&chosen=a&chosen=b");
});
