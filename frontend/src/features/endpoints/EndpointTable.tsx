import type { ReactNode } from "react";
import { Link } from "react-router";
import { DataTable } from "@/components/DataTable";
import { Tag } from "@/components/Tag";
import { formatMoney, probeSummary, sizeLabel, USABLE_BY } from "@/domains/endpoints/labels";
import type { Endpoint, EndpointSettings } from "@/domains/endpoints/queries";
import { formatCount, formatLongDate, formatPlural } from "@/lib/format";
import styles from "./Endpoints.module.css";

const OWN_COLUMNS = ["Endpoint", "Price", "Context", "Last probe", "Answers"];
const ALL_COLUMNS = ["Endpoint", "Address and key", "Price", "Limits", "Last probe", "Usable by"];

/** Administrators see addresses, limits and rights besides. */
export function EndpointTable({ endpoints, isAdministrator }: { endpoints: Endpoint[]; isAdministrator: boolean }) {
  return (
    <DataTable label={isAdministrator ? "All endpoints" : "Endpoints that you may use"} minWidth={isAdministrator ? 1080 : 800} folds columns={isAdministrator ? ALL_COLUMNS : OWN_COLUMNS}>
      {endpoints.map((endpoint) => (
        <tr key={endpoint.id} className={styles.row}>
          <th scope="row"><Name endpoint={endpoint} /></th>
          {endpoint.settings ? <SettingsCells endpoint={endpoint} settings={endpoint.settings} /> : <OwnCells endpoint={endpoint} />}
        </tr>
      ))}
    </DataTable>
  );
}

function Name({ endpoint: { id, name, model, parameters, settings } }: { endpoint: Endpoint }) {
  const retiredAt = settings?.retired_at;
  return (
    <>
      {retiredAt ? name : <Link to={`/endpoints/${id}`}>{name}</Link>}
      {retiredAt && <> <Tag>retired on {formatLongDate(retiredAt)}</Tag></>}
      <Line>{model}</Line>
      {parameters !== null && <Line>{sizeLabel(parameters)}</Line>}
    </>
  );
}

const Line = ({ children }: { children: ReactNode }) => <span className={styles.line}>{children}</span>;

function SettingsCells({ endpoint, settings }: { endpoint: Endpoint; settings: EndpointSettings }) {
  return (
    <>
      <td>
        <span className={styles.address}>{settings.base_url}</span>
        {settings.is_private && <Line>in a private network</Line>}
        <Line>{keyText(settings)}</Line>
      </td>
      <td className={styles.short}><Price endpoint={endpoint} /></td>
      <td className={styles.short}>
        {formatCount(settings.max_in_flight)} at once
        <Line>{formatCount(settings.timeout_s)} s a request</Line>
        <Line>{contextText(endpoint)}</Line>
      </td>
      <td><LastProbe endpoint={endpoint} /></td>
      <td>
        {usersText(settings)}
        <Line>{publishText(endpoint)}</Line>
      </td>
    </>
  );
}

function OwnCells({ endpoint }: { endpoint: Endpoint }) {
  return (
    <>
      <td className={styles.short}><Price endpoint={endpoint} /></td>
      <td>{contextText(endpoint)}</td>
      <td><LastProbe endpoint={endpoint} /></td>
      <td>{publishText(endpoint)}</td>
    </>
  );
}

function Price({ endpoint: { price_in: input, price_out: output } }: { endpoint: Endpoint }) {
  if (input === null || output === null) return <>not set<Line>Runs are refused.</Line></>;
  return <>{formatMoney(input)} in<br />{formatMoney(output)} out</>;
}

function LastProbe({ endpoint: { probed_at: at, capabilities } }: { endpoint: Endpoint }) {
  if (at === null) return <>never</>;
  return <>{formatLongDate(at)}<Line>{probeSummary(capabilities)}</Line></>;
}

/** Never the key itself, which no answer of the server has. */
export function keyText({ key_env: keyEnv, has_key: hasKey }: EndpointSettings): string {
  if (keyEnv) return `key in ${keyEnv}`;
  return hasKey ? "key stored, encrypted" : "no key";
}

export function usersText({ usable_by: usableBy, people }: EndpointSettings): string {
  return usableBy === "named" ? formatPlural(people.length, "person", "people") : USABLE_BY[usableBy];
}

export const publishText = ({ may_publish: mayPublish }: Endpoint) => (mayPublish ? "may be published" : "may not be published");

export const contextText = ({ context_tokens: tokens }: Endpoint) => (tokens === null ? "context not known" : `${formatPlural(tokens, "token")} of context`);
