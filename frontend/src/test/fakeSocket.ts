/** Sockets that a page opens, which a test settles, loses and refuses as a server does. */
import { vi } from "vitest";

export class FakeSocket {
  static all: FakeSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: ((closed: { code: number }) => void) | null = null;
  isClosed = false;
  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  close() {
    this.isClosed = true;
  }
}

export const LOST = 1006;

export function stubSockets(): void {
  FakeSocket.all = [];
  vi.stubGlobal("WebSocket", FakeSocket);
}

/** The latest one whose path ends so. */
export function lastSocket(path = ""): FakeSocket {
  const socket = FakeSocket.all.findLast(({ url }) => url.endsWith(path));
  if (!socket) throw new Error(`No socket was made for ${path}.`);
  return socket;
}
