/// <reference lib="webworker" />
import { arrange, type ToArrange } from "./arrange";

const scope = self as unknown as DedicatedWorkerGlobalScope;

scope.addEventListener("message", ({ data }: MessageEvent<{ number: number; task: ToArrange }>) => {
  scope.postMessage({ number: data.number, places: arrange(data.task) });
});
