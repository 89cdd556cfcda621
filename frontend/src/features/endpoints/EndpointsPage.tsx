import { useQuery } from "@tanstack/react-query";
import { ButtonLink } from "@/components/Button";
import { LabelledCheckbox } from "@/components/ChoiceGroup";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { canOpen } from "@/domains/accounts/permissions";
import { allEndpointsQuery, endpointsQuery } from "@/domains/endpoints/queries";
import { useCurrentUser } from "@/lib/currentUser";
import { useUrlParams } from "@/lib/useUrlParams";
import { EndpointTable } from "./EndpointTable";

const INTRO = "Language models that runs can call. Prices are in US dollars for a million tokens.";
const PARENT = { to: "/runs", label: "Runs" };

/** The endpoints that the user may use; administrators add and change them. */
export function EndpointsPage() {
  const me = useCurrentUser();
  const isAdministrator = Boolean(me && canOpen(me, "administrator"));
  const [address, change] = useUrlParams();
  const isWithRetired = isAdministrator && address.get("retired") === "1";
  const endpoints = useQuery(isWithRetired ? allEndpointsQuery : endpointsQuery);
  return (
    <Page
      title="Endpoints"
      parent={PARENT}
      width="wide"
      intro={INTRO}
      actions={<><ButtonLink to="/costs">Costs</ButtonLink>{isAdministrator && <ButtonLink to="/endpoints/new" variant="primary">Add an endpoint</ButtonLink>}</>}
    >
      {isAdministrator && (
        <LabelledCheckbox isSelected={isWithRetired} onChange={(isOn) => change({ retired: isOn ? "1" : null })}>Show retired ones</LabelledCheckbox>
      )}
      <QueryBoundary query={endpoints} skeleton={<SkeletonRows rows={4} height={64} />} empty={<NoEndpoints isAdministrator={isAdministrator} />}>
        {(rows) => <EndpointTable endpoints={rows} isAdministrator={isAdministrator} />}
      </QueryBoundary>
    </Page>
  );
}

function NoEndpoints({ isAdministrator }: { isAdministrator: boolean }) {
  if (!isAdministrator) return <EmptyState>You may use no endpoint yet. An administrator adds one and gives you the right.</EmptyState>;
  return (
    <EmptyState action={<ButtonLink to="/endpoints/new" variant="primary">Add an endpoint</ButtonLink>}>
      There is no endpoint yet. Add a server with OpenAI’s interface, or start this one with MODEL=local.
    </EmptyState>
  );
}
