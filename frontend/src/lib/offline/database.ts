/** What is kept on this device, in IndexedDB; where there is none, in memory, and the page says so. */
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { BatchAssignments, Id, Response } from "@/api/contract";
import type { QueuedWrite } from "./queue";

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

export type Change = (queue: QueuedWrite[]) => QueuedWrite[];

/** Every write is keyed by account: on a shared computer nobody reads or sends another's. */
export interface Kept {
  /** Whether what is here outlives the tab. */
  durable: boolean;
  writes(account: Id): Promise<QueuedWrite[]>;
  /** Read, change and write the queue of one response as one step, also between tabs. */
  change(account: Id, assignment: Id, change: Change): Promise<QueuedWrite[]>;
  batch(account: Id, batch: Id): Promise<BatchAssignments | null>;
  keepBatch(kept: KeptBatch): Promise<void>;
  responses(account: Id): Promise<KeptResponse[]>;
  keepResponse(kept: KeptResponse): Promise<void>;
  /** Everything but the writes. */
  forget(account: Id): Promise<void>;
}

export const NAME = "serendib";

export async function openKept(): Promise<Kept> {
  if (typeof indexedDB === "undefined") return inMemory();
  try {
    return inDatabase(await openDatabase());
  } catch (error) {
    // Private windows and full disks refuse it with a DOMException; anything else is our fault.
    if (error instanceof DOMException) return inMemory();
    throw error;
  }
}

function openDatabase(): Promise<IDBPDatabase<Schema>> {
  return openDB<Schema>(NAME, 1, {
    upgrade(database) {
      const writes = database.createObjectStore("writes", { keyPath: ["account", "id"] });
      writes.createIndex("account", "account");
      writes.createIndex("response", ["account", "assignment"]);
      const batches = database.createObjectStore("batches", { keyPath: ["account", "batch"] });
      batches.createIndex("account", "account");
      const responses = database.createObjectStore("responses", { keyPath: ["account", "assignment"] });
      responses.createIndex("account", "account");
    },
    // A newer page in another tab needs the place; this one opens again when it is next asked.
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      opened = null;
    },
  });
}

const inOrder = (queue: QueuedWrite[]) => queue.toSorted((one, other) => one.order - other.order);

export function inDatabase(database: IDBPDatabase<Schema>): Kept {
  return {
    durable: true,
    writes: async (account) => inOrder(await database.getAllFromIndex("writes", "account", account)),
    change: (account, assignment, change) => changeStored(database, account, assignment, change),
    batch: async (account, batch) => (await database.get("batches", [account, batch]))?.data ?? null,
    keepBatch: async (kept) => void (await database.put("batches", kept)),
    responses: (account) => database.getAllFromIndex("responses", "account", account),
    keepResponse: async (newest) => void (await database.put("responses", newest)),
    forget: (account) => forgetStored(database, account),
  };
}

async function forgetStored(database: IDBPDatabase<Schema>, account: Id): Promise<void> {
  const transaction = database.transaction(["batches", "responses"], "readwrite");
  const steps = (["batches", "responses"] as const).map(async (name) => {
    const store = transaction.objectStore(name);
    const keys = await store.index("account").getAllKeys(account);
    await Promise.all(keys.map((key) => store.delete(key)));
  });
  await Promise.all([...steps, transaction.done]);
}

async function changeStored(
  database: IDBPDatabase<Schema>,
  account: Id,
  assignment: Id,
  change: Change,
): Promise<QueuedWrite[]> {
  // Strict: the browser answers when it is on the disk, and only then does the page say 'kept'.
  const transaction = database.transaction("writes", "readwrite", { durability: "strict" });
  const before = inOrder(await transaction.store.index("response").getAll([account, assignment]));
  const after = change(before);
  const stay = new Set(after.map((item) => item.id));
  const steps = [
    ...before.filter((item) => !stay.has(item.id)).map((item) => transaction.store.delete([account, item.id])),
    ...after.map((item) => transaction.store.put(item)),
  ];
  await Promise.all([...steps, transaction.done]);
  return after;
}

export function inMemory(start: QueuedWrite[] = []): Kept {
  let writes = start;
  let batches: KeptBatch[] = [];
  let responses: KeptResponse[] = [];
  const of = (account: Id, assignment: Id) => (item: QueuedWrite) =>
    item.account === account && item.assignment === assignment;
  return {
    durable: false,
    writes: async (account) => inOrder(writes.filter((item) => item.account === account)),
    change: async (account, assignment, change) => {
      const mine = of(account, assignment);
      const after = change(inOrder(writes.filter(mine)));
      writes = [...writes.filter((item) => !mine(item)), ...after];
      return after;
    },
    batch: async (account, batch) =>
      batches.find((kept) => kept.account === account && kept.batch === batch)?.data ?? null,
    keepBatch: async (kept) => {
      batches = [...batches.filter(({ batch }) => batch !== kept.batch), kept];
    },
    responses: async (account) => responses.filter((newest) => newest.account === account),
    keepResponse: async (newest) => {
      responses = [...responses.filter((old) => old.assignment !== newest.assignment), newest];
    },
    forget: async (account) => {
      batches = batches.filter((kept) => kept.account !== account);
      responses = responses.filter((newest) => newest.account !== account);
    },
  };
}

let opened: Promise<Kept> | null = null;

/** One connection for the page. */
export function kept(): Promise<Kept> {
  opened ??= openKept();
  return opened;
}
