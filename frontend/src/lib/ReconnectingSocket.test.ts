import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeSocket, lastSocket, stubSockets } from "@/test/fakeSocket";
import { coalesce } from "./coalesce";
import { ReconnectingSocket, reconnectDelay, parseNotification, type ChangeNotification, type ConnectionState } from "./ReconnectingSocket";

let states: ConnectionState[];
let messages: ChangeNotification[];
let opened: number;
let refused: number;
let line: ReconnectingSocket;

beforeEach(() => {
  vi.useFakeTimers();
  stubSockets();
  states = [];
  messages = [];
  opened = 0;
  refused = 0;
  const events = {
    onStateChange: (state: ConnectionState) => states.push(state),
    onOpened: () => (opened += 1),
    onRefused: () => (refused += 1),
    onMessage: (message: ChangeNotification) => messages.push(message),
  };
  line = new ReconnectingSocket("ws://here/ws", events, () => 1);
  line.open();
});

afterEach(() => {
  line.close();
  vi.useRealTimers();
});

function settle() {
  lastSocket().onopen?.();
  vi.advanceTimersByTime(250);
}

function lose(code = 1006) {
  lastSocket().onclose?.({ code });
}

test("is live once it is open, and reports the opening", () => {
  settle();
  expect(states).toEqual(["live"]);
  expect(opened).toBe(1);
});

test("reconnects after growing delays, and then is live", () => {
  settle();
  lose();
  expect(states).toEqual(["live", "reconnecting"]);
  vi.advanceTimersByTime(999);
  expect(FakeSocket.all).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(FakeSocket.all).toHaveLength(2);
  lose();
  vi.advanceTimersByTime(1_999);
  expect(FakeSocket.all).toHaveLength(2);
  vi.advanceTimersByTime(1);
  settle();
  expect(states.at(-1)).toBe("live");
  expect(opened).toBe(2);
});

test("is in state 'checking' after some failures, and still retries", () => {
  for (let failure = 1; failure <= 4; failure += 1) {
    lose();
    vi.advanceTimersByTime(30_000);
  }
  expect(states).toEqual(["reconnecting", "reconnecting", "reconnecting", "checking"]);
  expect(FakeSocket.all).toHaveLength(5);
});

test.each([4401, 4403])("close code %i is a refusal: reported at once, never live", (code) => {
  lastSocket().onopen?.();
  lose(code);
  vi.advanceTimersByTime(5_000);
  expect(states).toEqual(["checking"]);
  expect([refused, opened]).toEqual([1, 0]);
  expect(FakeSocket.all).toHaveLength(1);
});

test("reconnects at once when the network is back", () => {
  settle();
  line.reconnectNow();
  expect(FakeSocket.all).toHaveLength(1);
  lose();
  line.reconnectNow();
  expect(FakeSocket.all).toHaveLength(2);
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(2);
});

test("is not live without a network, and reconnects when it is back", () => {
  settle();
  line.disconnect();
  expect(states.at(-1)).toBe("reconnecting");
  expect(lastSocket().isClosed).toBe(true);
  line.reconnectNow();
  settle();
  expect(states.at(-1)).toBe("live");
  expect(opened).toBe(2);
});

test("reports nothing after it is closed, and does not reconnect", () => {
  settle();
  const last = lastSocket();
  line.close();
  last.onclose?.({ code: 1000 });
  vi.advanceTimersByTime(60_000);
  expect(states).toEqual(["live"]);
  expect(last.isClosed).toBe(true);
  expect(FakeSocket.all).toHaveLength(1);
});

test("passes notifications on and ignores other messages", () => {
  lastSocket().onmessage?.({ data: '{"type":"changed","what":"board","version":8}' });
  lastSocket().onmessage?.({ data: "{" });
  lastSocket().onmessage?.({ data: '{"type":"changed","what":"job","id":"j1","version":2}' });
  expect(messages).toEqual([{ topic: "board", id: null, version: 8 }, { topic: "job", id: "j1", version: 2 }]);
});

test.each(["", "null", "[]", '{"type":"other","what":"board","version":8}', '{"type":"changed","version":8}'])(
  "%j is not a notification",
  (data) => expect(parseNotification(data)).toBeNull(),
);

test("a delay has a jitter of half its length, and a maximum", () => {
  expect([reconnectDelay(1, 0), reconnectDelay(1, 1)]).toEqual([500, 1_000]);
  expect([reconnectDelay(3, 0), reconnectDelay(3, 1)]).toEqual([2_000, 4_000]);
  expect(reconnectDelay(50, 1)).toBe(30_000);
});

test("many requests at one moment are one run at once and one after it", async () => {
  const task = vi.fn(() => Promise.resolve());
  const read = coalesce(task, 400);
  for (let word = 0; word < 20; word += 1) read();
  expect(task).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(400);
  expect(task).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(task).toHaveBeenCalledTimes(2);
  read();
  expect(task).toHaveBeenCalledTimes(3);
});

test("a request during a run is run afterwards, however long the run takes", async () => {
  let answer: () => void = () => undefined;
  const task = vi.fn(() => new Promise<void>((done) => (answer = done)));
  const read = coalesce(task, 400);
  read();
  await vi.advanceTimersByTimeAsync(5_000);
  read();
  expect(task).toHaveBeenCalledTimes(1);
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(task).toHaveBeenCalledTimes(2);
});
