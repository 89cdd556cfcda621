/** What the form of an endpoint holds, as text, and the request that it makes of it. */
import type { components } from "@/api/generated/schema";
import type { Endpoint, EndpointSettings, UsableBy } from "@/domains/endpoints/queries";

type Schemas = components["schemas"];
export type NewEndpoint = Schemas["NewEndpointRequest"];
export type EndpointChanges = Schemas["PatchedEndpointChangesRequest"];

/** stored: the key is sent and encrypted; unchanged: the one that is stored stays. */
export type KeyKind = "none" | "environment" | "stored" | "unchanged";

export interface Rights {
  usableBy: UsableBy;
  /** One address on each line. */
  people: string;
  mayPublish: boolean;
}

export interface Draft extends Rights {
  name: string;
  address: string;
  model: string;
  isPrivate: boolean;
  keyKind: KeyKind;
  keyEnv: string;
  key: string;
  priceIn: string;
  priceOut: string;
  maxInFlight: string;
  timeout: string;
  context: string;
  parameters: string;
  /** Of the answers that are used again now. */
  cacheEpoch: number;
  answersAnew: boolean;
}

export const NEW_DRAFT: Draft = {
  name: "", address: "", model: "", isPrivate: false, keyKind: "none", keyEnv: "", key: "", priceIn: "", priceOut: "",
  maxInFlight: "32", timeout: "120", context: "", parameters: "", cacheEpoch: 0, answersAnew: false, usableBy: "administrators", people: "", mayPublish: false,
};

/** '0.150000' as somebody would write it. */
const trimmed = (price: string | null) => (price ?? "").replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
const written = (value: number | null) => (value === null ? "" : String(value));

export function rightsOf({ may_publish: mayPublish }: Endpoint, { usable_by: usableBy, people }: EndpointSettings): Rights {
  return { usableBy, people: people.join("\n"), mayPublish };
}

function keyKind({ key_env: keyEnv, has_key: hasKey }: EndpointSettings): KeyKind {
  if (keyEnv) return "environment";
  return hasKey ? "unchanged" : "none";
}

export function draftOf(endpoint: Endpoint, settings: EndpointSettings): Draft {
  return {
    ...rightsOf(endpoint, settings),
    name: endpoint.name, address: settings.base_url, model: endpoint.model, isPrivate: settings.is_private,
    keyKind: keyKind(settings), keyEnv: settings.key_env, key: "",
    priceIn: trimmed(endpoint.price_in), priceOut: trimmed(endpoint.price_out),
    maxInFlight: String(settings.max_in_flight), timeout: String(settings.timeout_s),
    context: written(endpoint.context_tokens), parameters: written(endpoint.parameters),
    cacheEpoch: settings.cache_epoch, answersAnew: false,
  };
}

const PRICE = /^\d{1,6}(\.\d{1,6})?$/;
const WHOLE = /^\d{1,18}$/;
const isPrice = (text: string) => text.trim() === "" || PRICE.test(text.trim());
const isWhole = (text: string) => WHOLE.test(text.trim());

export const PRICE_FAULT = "Enter dollars such as 0.15, or nothing.";
export const WHOLE_FAULT = "Enter a whole number.";

/** What the page itself sees to be wrong; the server checks everything again. */
export function draftFaults(draft: Draft): Partial<Record<keyof Draft, string>> {
  const faults: [keyof Draft, boolean, string][] = [
    ["priceIn", isPrice(draft.priceIn), PRICE_FAULT],
    ["priceOut", isPrice(draft.priceOut), PRICE_FAULT],
    ["maxInFlight", isWhole(draft.maxInFlight), WHOLE_FAULT],
    ["timeout", isWhole(draft.timeout), WHOLE_FAULT],
    ["context", draft.context === "" || isWhole(draft.context), WHOLE_FAULT],
    ["parameters", draft.parameters === "" || isWhole(draft.parameters), WHOLE_FAULT],
  ];
  return Object.fromEntries(faults.filter(([, isRight]) => !isRight).map(([field, , text]) => [field, text]));
}

const orNull = (text: string) => text.trim() || null;
const numberOrNull = (text: string) => (text.trim() === "" ? null : Number(text));

/** Only people that are named: the list of others is left as it is. */
export function rightsRequest({ usableBy, people, mayPublish }: Rights) {
  const addresses = people.split(/[\s,;]+/).filter(Boolean);
  return { usable_by: usableBy, may_publish: mayPublish, ...(usableBy === "named" && { people: addresses }) };
}

function keyRequest({ keyKind: kind, keyEnv, key }: Draft): { key?: string; key_env?: string } {
  if (kind === "unchanged") return {};
  return { key: kind === "stored" ? key : "", key_env: kind === "environment" ? keyEnv.trim() : "" };
}

export function changesRequest(draft: Draft): EndpointChanges {
  return {
    ...keyRequest(draft),
    price_in: orNull(draft.priceIn), price_out: orNull(draft.priceOut),
    max_in_flight: Number(draft.maxInFlight), timeout_s: Number(draft.timeout),
    context_tokens: numberOrNull(draft.context), parameters: numberOrNull(draft.parameters),
    is_private: draft.isPrivate,
    ...(draft.answersAnew && { cache_epoch: draft.cacheEpoch + 1 }),
  };
}

export function newEndpointRequest(draft: Draft): NewEndpoint {
  return {
    ...changesRequest(draft), ...rightsRequest(draft),
    name: draft.name.trim(), base_url: draft.address.trim(), model: draft.model.trim(),
  };
}
