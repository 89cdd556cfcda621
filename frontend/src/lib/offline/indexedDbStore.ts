/** The store in IndexedDB, which outlives the tab. */
import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames } from "idb";
import type { BatchAssignments, Id } from "@/api/contract";
import { sortByOrder } from "./outbox";
import type { ResponseQueueUpdate, OfflineStore, StoredBatch, StoredResponse } from "./store";
import type { QueuedActivity, QueuedWrite } from "./types";
import { upgradeActivity, upgradeBatch, upgradeStoredResponse, upgradeWrite } from "./upgradeFromV1";
import type { StoredBatchV1, StoredResponseV1, WriteV1 } from "./upgradeFromV1";

interface Schema extends DBSchema {
  writes: {
    key: [Id, Id];
    value: QueuedWrite;
    indexes: { account: Id; resource: [Id, Id] };
  };
  activity: { key: [Id, Id]; value: QueuedActivity; indexes: { account: Id } };
  batches: { key: [Id, Id]; value: StoredBatch; indexes: { account: Id } };
  responses: { key: [Id, Id]; value: StoredResponse; indexes: { account: Id } };
}

type Database = IDBPDatabase<Schema>;

const DATABASE_NAME = "serendib";
const VERSION = 2;

/** Null where the browser has no IndexedDB, refuses it, or does not answer in time. */
export async function openIndexedDbStore(): Promise<OfflineStore | null> {
  if (typeof indexedDB === "undefined") return null;
  const connection = new Connection();
  try {
    const database = await Promise.race([connection.open(), nullAfter(OPEN_TIMEOUT_MS)]);
    return database && new IndexedDbStore(connection);
  } catch (error) {
    // Private windows and full disks refuse it with a DOMException; anything else is a bug.
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** Some browsers neither open it nor report an error. */
const OPEN_TIMEOUT_MS = 3000;
const STEP_MS = 100;

/** In steps: while a slow page is busy no time passes here, and the database can answer in between. */
async function nullAfter(ms: number): Promise<null> {
  for (let waited = 0; waited < ms; waited += STEP_MS) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  return null;
}

/** Opens again after the browser, or a newer page in another tab, closed the database. */
class Connection {
  #database: Promise<Database> | null = null;

  open(): Promise<Database> {
    this.#database ??= openDatabase(() => (this.#database = null));
    return this.#database;
  }
}

function openDatabase(onClosed: () => void): Promise<Database> {
  return openDB<Schema>(DATABASE_NAME, VERSION, {
    async upgrade(database, oldVersion, _newVersion, transaction) {
      if (oldVersion === 1) return upgradeFromV1(database, transaction);
      createObjectStores(database);
    },
    blocking(_current, _blocked, event) {
      (event.target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
}

function createObjectStores(database: Database): void {
  const writes = database.createObjectStore("writes", { keyPath: ["account", "id"] });
  writes.createIndex("account", "account");
  writes.createIndex("resource", ["account", "resource"]);
  for (const [name, id] of [["activity", "id"], ["batches", "batch"], ["responses", "resource"]] as const) {
    database.createObjectStore(name, { keyPath: ["account", id] }).createIndex("account", "account");
  }
}

type UpgradeTransaction = IDBPTransaction<Schema, StoreNames<Schema>[], "versionchange">;

/** In one transaction: either every record is converted, or the database stays as it was. */
async function upgradeFromV1(database: Database, transaction: UpgradeTransaction): Promise<void> {
  const records = await convertedRecords(transaction).catch((error: unknown) => {
    console.error("The changes stored on this device could not be converted.", error);
    return null;
  });
  if (!records) {
    // Opening the database is what fails then.
    transaction.done.catch(() => {});
    return transaction.abort();
  }
  for (const name of ["writes", "batches", "responses"] as const) database.deleteObjectStore(name);
  createObjectStores(database);
  await Promise.all([
    ...records.writes.map((item) => transaction.objectStore("writes").put(item)),
    ...records.activity.map((item) => transaction.objectStore("activity").put(item)),
    ...records.batches.map((item) => transaction.objectStore("batches").put(item)),
    ...records.responses.map((item) => transaction.objectStore("responses").put(item)),
  ]);
}

async function convertedRecords(transaction: UpgradeTransaction) {
  const [writes, batches, responses] = (await Promise.all([
    transaction.objectStore("writes").getAll(),
    transaction.objectStore("batches").getAll(),
    transaction.objectStore("responses").getAll(),
  ])) as unknown as [WriteV1[], StoredBatchV1[], StoredResponseV1[]];
  return {
    writes: writes.flatMap((record) => upgradeWrite(record) ?? []),
    activity: writes.flatMap(upgradeActivity),
    batches: batches.map(upgradeBatch),
    responses: responses.map(upgradeStoredResponse),
  };
}

class IndexedDbStore implements OfflineStore {
  readonly isDurable = true;

  constructor(private readonly connection: Connection) {}

  async readWrites(account: Id): Promise<QueuedWrite[]> {
    return sortByOrder(await (await this.connection.open()).getAllFromIndex("writes", "account", account));
  }

  async updateQueue(account: Id, resource: Id, update: ResponseQueueUpdate): Promise<QueuedWrite[]> {
    return updateResponseQueue(await this.connection.open(), account, resource, update);
  }

  async readActivity(account: Id): Promise<QueuedActivity[]> {
    return (await this.connection.open()).getAllFromIndex("activity", "account", account);
  }

  async appendActivity(entries: QueuedActivity[]): Promise<void> {
    const transaction = (await this.connection.open()).transaction("activity", "readwrite");
    await Promise.all([...entries.map((entry) => transaction.store.put(entry)), transaction.done]);
  }

  async removeActivity(account: Id, ids: Id[]): Promise<void> {
    const transaction = (await this.connection.open()).transaction("activity", "readwrite");
    await Promise.all([...ids.map((id) => transaction.store.delete([account, id])), transaction.done]);
  }

  async readBatch(account: Id, batch: Id): Promise<BatchAssignments | null> {
    return (await (await this.connection.open()).get("batches", [account, batch]))?.data ?? null;
  }

  async readBatches(account: Id): Promise<BatchAssignments[]> {
    const stored = await (await this.connection.open()).getAllFromIndex("batches", "account", account);
    return stored.map(({ data }) => data);
  }

  async storeBatch(batch: StoredBatch): Promise<void> {
    await (await this.connection.open()).put("batches", batch);
  }

  async readResponses(account: Id): Promise<StoredResponse[]> {
    return (await this.connection.open()).getAllFromIndex("responses", "account", account);
  }

  async readResponse(account: Id, resource: Id): Promise<StoredResponse | null> {
    return (await (await this.connection.open()).get("responses", [account, resource])) ?? null;
  }

  async clearAccount(account: Id): Promise<void> {
    const transaction = (await this.connection.open()).transaction(["batches", "responses"], "readwrite");
    const steps = (["batches", "responses"] as const).map(async (name) => {
      const store = transaction.objectStore(name);
      const keys = await store.index("account").getAllKeys(account);
      await Promise.all(keys.map((key) => store.delete(key)));
    });
    await Promise.all([...steps, transaction.done]);
  }
}

async function updateResponseQueue(
  database: Database,
  account: Id,
  resource: Id,
  update: ResponseQueueUpdate,
): Promise<QueuedWrite[]> {
  // Strict: the browser answers when the data is on the disk, and only then does the page show it as stored.
  const transaction = database.transaction(["writes", "responses"], "readwrite", { durability: "strict" });
  const writes = transaction.objectStore("writes");
  const responses = transaction.objectStore("responses");
  const [before, serverResponse] = await Promise.all([
    writes.index("resource").getAll([account, resource]),
    responses.get([account, resource]),
  ]);
  const after = update({ queue: sortByOrder(before), serverResponse: serverResponse ?? null });
  const remaining = new Set(after.queue.map((item) => item.id));
  const steps: Promise<unknown>[] = [
    ...before.filter((item) => !remaining.has(item.id)).map((item) => writes.delete([account, item.id])),
    ...after.queue.map((item) => writes.put(item)),
    ...(after.serverResponse ? [responses.put(after.serverResponse)] : []),
  ];
  await Promise.all([...steps, transaction.done]);
  return after.queue;
}
