import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { endpointQuery, type Endpoint, type EndpointSettings } from "@/domains/endpoints/queries";
import { changesRequest, draftOf } from "./draft";
import { EndpointForm } from "./EndpointForm";
import { useChangeEndpoint } from "./mutations";

/** Key, prices and limits. Another address or model is another endpoint. */
export function ChangeEndpointPage() {
  const { id = "" } = useParams();
  const endpoint = useQuery(endpointQuery(id));
  const parent = { to: `/endpoints/${id}`, label: endpoint.data?.name ?? "Endpoint" };
  return (
    <Page title="Change an endpoint" parent={parent} intro={endpoint.data?.settings && introText(endpoint.data, endpoint.data.settings)}>
      <QueryBoundary query={endpoint} skeleton={<SkeletonRows rows={6} />}>
        {(data) => data.settings && <ChangeForm endpoint={data} settings={data.settings} />}
      </QueryBoundary>
    </Page>
  );
}

const introText = ({ model }: Endpoint, { base_url: address }: EndpointSettings) =>
  `${model} at ${address}. For another address or model, add another endpoint.`;

function ChangeForm({ endpoint, settings }: { endpoint: Endpoint; settings: EndpointSettings }) {
  const change = useChangeEndpoint(endpoint.id);
  const navigate = useNavigate();
  const place = `/endpoints/${endpoint.id}`;
  return (
    <EndpointForm
      initial={draftOf(endpoint, settings)}
      isNew={false}
      submitLabel="Change the endpoint"
      busyLabel="Changing"
      cancelTo={place}
      mutation={change}
      onSubmit={(draft) => change.mutate(changesRequest(draft), { onSuccess: () => void navigate(place) })}
    />
  );
}
