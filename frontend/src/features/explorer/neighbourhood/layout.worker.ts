/// <reference lib="webworker" />
import { arrange, type ToArrange } from "./arrange";

const scope = self as unknown as DedicatedWorkerGlobalScope;

scope.addEventListener("message", ({ data }: MessageEvent<{ number: number; task: ToArrange }>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker answers its own page
  scope.postMessage({ number: data.number, places: arrange(data.task) });
});
