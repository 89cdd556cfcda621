/** What is kept on this device, in IndexedDB; where there is none, in memory, and the page says so. */
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { BatchAssignments, Id, Response } from "@/api/contract";
import { inMemory } from "./memory";
import { inOrder, type QueuedWrite } from "./queue";

export interface KeptBatch {
  account: Id;
  batch: Id;
  data: BatchAssignments;
}

/** The newest word of the server on one response; newer than the batch it belongs to. */
export interface KeptResponse {
  account: Id;
  assignment: Id;
  response: Response;
  /** The page whose write this answered: it knows this version, others may not yet. */
  page: Id | null;
}

/** All that is kept on one response. */
export interface Line {
  queue: QueuedWrite[];
  saved: KeptResponse | null;
}

export type Change = (line: Line) => Line;

/** Every write is keyed by account: on a shared computer nobody reads or sends another's. */
export interface Kept {
  /** Whether what is here outlives the tab. */
  durable: boolean;
  writes(account: Id): Promise<QueuedWrite[]>;
  /** Read, change and write one response's line as one step, also between tabs. */
  change(account: Id, assignment: Id, change: Change): Promise<QueuedWrite[]>;
  batch(account: Id, batch: Id): Promise<BatchAssignments | null>;
  batches(account: Id): Promise<BatchAssignments[]>;
  keepBatch(kept: KeptBatch): Promise<void>;
  responses(account: Id): Promise<KeptResponse[]>;
  saved(account: Id, assignment: Id): Promise<KeptResponse | null>;
  /** Everything but the writes. */
  forget(account: Id): Promise<void>;
}

interface Schema extends DBSchema {
  writes: {
    key: [Id, Id];
    value: QueuedWrite;
    indexes: { account: Id; response: [Id, Id] };
  };
  batches: { key: [Id, Id]; value: KeptBatch; indexes: { account: Id } };
  responses: { key: [Id, Id]; value: KeptResponse; indexes: { account: Id } };
}

type Database = IDBPDatabase<Schema>;

export const NAME = "serendib";

export async function openKept(): Promise<Kept> {
  if (typeof indexedDB === "undefined") return inMemory();
  const connection = new Connection();
  try {
    const opened = await Promise.race([connection.open(), nothingAfter(PATIENCE_MS)]);
    return opened ? new InDatabase(connection) : inMemory();
  } catch (error) {
    // Private windows and full disks refuse it with a DOMException; anything else is our fault.
    if (error instanceof DOMException) return inMemory();
    throw error;
  }
}

/** Some browsers neither open it nor say that they will not. */
const PATIENCE_MS = 3000;

const nothingAfter = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms));

/** Opens again when the browser, or a newer page in another tab, closed what was open. */
class Connection {
  #opened: Promise<Database> | null = null;

  open(): Promise<Database> {
    this.#opened ??= openDatabase(() => (this.#opened = null));
    return this.#opened;
  }
}

function openDatabase(onClosed: () => void): Promise<Database> {
  return openDB<Schema>(NAME, 1, {
    upgrade: makeStores,
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
}

function makeStores(database: Database): void {
  const writes = database.createObjectStore("writes", { keyPath: ["account", "id"] });
  writes.createIndex("account", "account");
  writes.createIndex("response", ["account", "assignment"]);
  const batches = database.createObjectStore("batches", { keyPath: ["account", "batch"] });
  batches.createIndex("account", "account");
  const responses = database.createObjectStore("responses", { keyPath: ["account", "assignment"] });
  responses.createIndex("account", "account");
}

class InDatabase implements Kept {
  readonly durable = true;

  constructor(private readonly connection: Connection) {}

  async writes(account: Id): Promise<QueuedWrite[]> {
    return inOrder(await (await this.connection.open()).getAllFromIndex("writes", "account", account));
  }

  async change(account: Id, assignment: Id, change: Change): Promise<QueuedWrite[]> {
    return changeLine(await this.connection.open(), account, assignment, change);
  }

  async batch(account: Id, batch: Id): Promise<BatchAssignments | null> {
    return (await (await this.connection.open()).get("batches", [account, batch]))?.data ?? null;
  }

  async batches(account: Id): Promise<BatchAssignments[]> {
    const found = await (await this.connection.open()).getAllFromIndex("batches", "account", account);
    return found.map(({ data }) => data);
  }

  async keepBatch(batch: KeptBatch): Promise<void> {
    await (await this.connection.open()).put("batches", batch);
  }

  async responses(account: Id): Promise<KeptResponse[]> {
    return (await this.connection.open()).getAllFromIndex("responses", "account", account);
  }

  async saved(account: Id, assignment: Id): Promise<KeptResponse | null> {
    return (await (await this.connection.open()).get("responses", [account, assignment])) ?? null;
  }

  async forget(account: Id): Promise<void> {
    const transaction = (await this.connection.open()).transaction(["batches", "responses"], "readwrite");
    const steps = (["batches", "responses"] as const).map(async (name) => {
      const store = transaction.objectStore(name);
      const keys = await store.index("account").getAllKeys(account);
      await Promise.all(keys.map((key) => store.delete(key)));
    });
    await Promise.all([...steps, transaction.done]);
  }
}

async function changeLine(database: Database, account: Id, assignment: Id, change: Change): Promise<QueuedWrite[]> {
  // Strict: the browser answers when it is on the disk, and only then does the page say 'kept'.
  const transaction = database.transaction(["writes", "responses"], "readwrite", { durability: "strict" });
  const writes = transaction.objectStore("writes");
  const responses = transaction.objectStore("responses");
  const [found, saved] = await Promise.all([
    writes.index("response").getAll([account, assignment]),
    responses.get([account, assignment]),
  ]);
  const after = change({ queue: inOrder(found), saved: saved ?? null });
  const stay = new Set(after.queue.map((item) => item.id));
  const steps: Promise<unknown>[] = [
    ...found.filter((item) => !stay.has(item.id)).map((item) => writes.delete([account, item.id])),
    ...after.queue.map((item) => writes.put(item)),
    ...(after.saved ? [responses.put(after.saved)] : []),
  ];
  await Promise.all([...steps, transaction.done]);
  return after.queue;
}

let opened: Promise<Kept> | null = null;

/** One for the page. */
export function kept(): Promise<Kept> {
  opened ??= openKept();
  return opened;
}
