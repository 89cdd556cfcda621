import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { Button, ButtonLink } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { Fact, Facts } from "@/components/Facts";
import { Notice } from "@/components/Notice";
import { onDemand } from "@/components/onDemand";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { hasPrice, priceText, sizeLabel, USABLE_BY } from "@/domains/endpoints/labels";
import { endpointQuery, type Endpoint, type EndpointSettings } from "@/domains/endpoints/queries";
import { formatCount, formatList, formatLongDate, formatPlural } from "@/lib/format";
import { keyText, publishText } from "./EndpointTable";
import styles from "./Endpoints.module.css";
import { useRetireEndpoint } from "./mutations";
import { ProbeSection } from "./ProbeSection";

const RightsDialog = onDemand(async () => (await import("./RightsDialog")).RightsDialog);
const PARENT = { to: "/endpoints", label: "Endpoints" };

/** One endpoint; administrators probe, change and retire it here. */
export function EndpointPage() {
  const { id = "" } = useParams();
  const endpoint = useQuery(endpointQuery(id));
  return (
    <PageBoundary query={endpoint} title="Endpoint" parent={PARENT}>
      {(data) => (
        <Page title={data.name} parent={PARENT} intro={introText(data)} actions={data.settings && <Actions endpoint={data} settings={data.settings} />}>
          {!hasPrice(data) && <PriceUnknown endpoint={data} />}
          <EndpointFacts endpoint={data} />
          {data.settings && <Settings settings={data.settings} />}
          <ProbeSection endpoint={data} />
        </Page>
      )}
    </PageBoundary>
  );
}

function introText({ model, parameters }: Endpoint): string {
  const size = sizeLabel(parameters);
  return size ? `${model}, a ${size}.` : `${model}. Its size is not known.`;
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function PriceUnknown({ endpoint: { id, settings } }: { endpoint: Endpoint }) {
  return (
    <Notice tone="warn">
      <p>Its price is unknown. Runs and probes are refused until {settings ? "both prices are set" : "an administrator sets it"}.</p>
      {settings && <div><ButtonLink to={`/endpoints/${id}/change`}>Set the price</ButtonLink></div>}
    </Notice>
  );
}

function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const price = priceText(endpoint);
  return (
    <section className={styles.section} aria-label="Price and use">
      <h2>Price and use</h2>
      <Facts>
        <Fact name="Price of a million tokens">{price ? sentence(price) : "Not set"}</Fact>
        <Fact name="Context">{endpoint.context_tokens === null ? "Not known" : formatPlural(endpoint.context_tokens, "token")}</Fact>
        <Fact name="Answers">{sentence(publishText(endpoint))}</Fact>
      </Facts>
    </section>
  );
}

const storedAnswersText = ({ cache_epoch: epoch }: EndpointSettings) =>
  epoch === 0 ? "All are used again" : `Used again since model change ${formatCount(epoch)}`;

function Settings({ settings }: { settings: EndpointSettings }) {
  return (
    <section className={styles.section} aria-label="Settings">
      <h2>Settings</h2>
      <Facts>
        <Fact name="Address">{settings.base_url}{settings.is_private && ", in a private network"}</Fact>
        <Fact name="Key">{sentence(keyText(settings))}</Fact>
        <Fact name="Most requests at once">{formatCount(settings.max_in_flight)}</Fact>
        <Fact name="Longest request">{formatCount(settings.timeout_s)} s</Fact>
        <Fact name="Stored answers">{storedAnswersText(settings)}</Fact>
        <Fact name="Usable by">{settings.usable_by === "named" ? formatList(settings.people) || "Nobody yet" : USABLE_BY[settings.usable_by]}</Fact>
        <Fact name="Added">{formatLongDate(settings.created_at)}</Fact>
      </Facts>
    </section>
  );
}

function Actions({ endpoint, settings }: { endpoint: Endpoint; settings: EndpointSettings }) {
  const [dialog, setDialog] = useState<"rights" | "retire" | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <ButtonLink to={`/endpoints/${endpoint.id}/change`}>Change</ButtonLink>
      <Button onPress={() => setDialog("rights")}>Set rights</Button>
      <Button onPress={() => setDialog("retire")}>Retire</Button>
      {dialog === "rights" && <RightsDialog endpoint={endpoint} settings={settings} onClose={close} />}
      <Retirement endpoint={endpoint} isOpen={dialog === "retire"} onClose={close} />
    </>
  );
}

function Retirement({ endpoint: { id, name }, isOpen, onClose }: { endpoint: Endpoint; isOpen: boolean; onClose: () => void }) {
  const retire = useRetireEndpoint(id);
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title={`Retire ${name}?`}
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel="Retire it"
      busyLabel="Retiring"
      cancelLabel="Leave it as it is"
      onConfirm={() => retire.mutate(undefined, { onSuccess: () => void navigate("/endpoints?retired=1") })}
      mutation={retire}
    >
      <p>Nobody can use it any more, and its key is removed. Results and costs stay. It cannot be brought back.</p>
    </ConfirmDialog>
  );
}
