import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { folded, Line, pause, readNews, type LineState, type News } from "./line";

class FakeSocket {
  static made: FakeSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: ((closed: { code: number }) => void) | null = null;
  closed = false;
  constructor(readonly address: string) {
    FakeSocket.made.push(this);
  }
  close() {
    this.closed = true;
  }
}

let states: LineState[];
let news: News[];
let opened: number;
let refused: number;
let line: Line;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.made = [];
  states = [];
  news = [];
  opened = 0;
  refused = 0;
  const events = {
    onState: (state: LineState) => states.push(state),
    onOpened: () => (opened += 1),
    onRefused: () => (refused += 1),
    onNews: (one: News) => news.push(one),
  };
  line = new Line("ws://here/ws", events, () => 1);
  line.open();
});

afterEach(() => {
  line.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function socket(): FakeSocket {
  const last = FakeSocket.made.at(-1);
  if (!last) throw new Error("No socket was made.");
  return last;
}

function settle() {
  socket().onopen?.();
  vi.advanceTimersByTime(250);
}

function lose(code = 1006) {
  socket().onclose?.({ code });
}

test("a line that opens is live, and what was missed before is read", () => {
  settle();
  expect(states).toEqual(["live"]);
  expect(opened).toBe(1);
});

test("a lost line is opened again after pauses that grow, and then is live", () => {
  settle();
  lose();
  expect(states).toEqual(["live", "reconnecting"]);
  vi.advanceTimersByTime(999);
  expect(FakeSocket.made).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(FakeSocket.made).toHaveLength(2);
  lose();
  vi.advanceTimersByTime(1_999);
  expect(FakeSocket.made).toHaveLength(2);
  vi.advanceTimersByTime(1);
  settle();
  expect(states.at(-1)).toBe("live");
  expect(opened).toBe(2);
});

test("after some failures the board is said to be checked, while the line is still tried", () => {
  for (let failure = 1; failure <= 4; failure += 1) {
    lose();
    vi.advanceTimersByTime(30_000);
  }
  expect(states).toEqual(["reconnecting", "reconnecting", "reconnecting", "checking"]);
  expect(FakeSocket.made).toHaveLength(5);
});

test.each([4401, 4403])("a line closed with %i was refused: said at once, never called live", (code) => {
  socket().onopen?.();
  lose(code);
  vi.advanceTimersByTime(5_000);
  expect(states).toEqual(["checking"]);
  expect([refused, opened]).toEqual([1, 0]);
  expect(FakeSocket.made).toHaveLength(1);
});

test("when the network is back nobody waits out the pause", () => {
  settle();
  line.hurry();
  expect(FakeSocket.made).toHaveLength(1);
  lose();
  line.hurry();
  expect(FakeSocket.made).toHaveLength(2);
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.made).toHaveLength(2);
});

test("without a network the line is not called live, and is opened when the network is back", () => {
  settle();
  line.drop();
  expect(states.at(-1)).toBe("reconnecting");
  expect(socket().closed).toBe(true);
  line.hurry();
  settle();
  expect(states.at(-1)).toBe("live");
  expect(opened).toBe(2);
});

test("a closed line says nothing more and is not opened again", () => {
  settle();
  const last = socket();
  line.close();
  last.onclose?.({ code: 1000 });
  vi.advanceTimersByTime(60_000);
  expect(states).toEqual(["live"]);
  expect(last.closed).toBe(true);
  expect(FakeSocket.made).toHaveLength(1);
});

test("news is handed on, and what is no news is left alone", () => {
  socket().onmessage?.({ data: '{"type":"changed","what":"board","version":8}' });
  socket().onmessage?.({ data: "{" });
  expect(news).toEqual([{ what: "board", version: 8 }]);
});

test.each(["", "null", "[]", '{"type":"other","what":"board","version":8}', '{"type":"changed","version":8}'])(
  "%j is no news",
  (data) => expect(readNews(data)).toBeNull(),
);

test("a pause lies between half and all of its length, and has an end", () => {
  expect([pause(1, 0), pause(1, 1)]).toEqual([500, 1_000]);
  expect([pause(3, 0), pause(3, 1)]).toEqual([2_000, 4_000]);
  expect(pause(50, 1)).toBe(30_000);
});

test("many words in a moment are one reading at once and one after it", async () => {
  const task = vi.fn(() => Promise.resolve());
  const read = folded(task, 400);
  for (let word = 0; word < 20; word += 1) read();
  expect(task).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(400);
  expect(task).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(task).toHaveBeenCalledTimes(2);
  read();
  expect(task).toHaveBeenCalledTimes(3);
});

test("a word that comes while the board is read is read afterwards, however long it takes", async () => {
  let answer: () => void = () => undefined;
  const task = vi.fn(() => new Promise<void>((done) => (answer = done)));
  const read = folded(task, 400);
  read();
  await vi.advanceTimersByTimeAsync(5_000);
  read();
  expect(task).toHaveBeenCalledTimes(1);
  answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(task).toHaveBeenCalledTimes(2);
});
