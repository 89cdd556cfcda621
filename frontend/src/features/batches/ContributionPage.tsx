import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import type { components } from "@/api/generated/schema";
import { CopyText } from "@/components/CopyText";
import { EmptyState } from "@/components/EmptyState";
import { Page } from "@/components/Page";
import { QueryBoundary } from "@/components/QueryBoundary";
import { SkeletonRows } from "@/components/SkeletonRows";
import { formatList, formatLongDate, formatPlural } from "@/lib/format";
import { readQuery } from "@/lib/readQuery";

type Contribution = components["schemas"]["Contribution"];

/** Thanks that can be cited: what the expert did for a study, as one text. */
export function ContributionPage() {
  const { studyId = "" } = useParams();
  const query = useQuery(readQuery<Contribution>(["contribution", studyId], `/api/v1/studies/${studyId}/contribution`));
  return (
    <Page title="My contribution" parent={{ to: "/home", label: "My batches" }} intro={query.data?.study_name}>
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={2} height={60} />}>
        {(contribution) => <ContributionText contribution={contribution} />}
      </QueryBoundary>
    </Page>
  );
}

function ContributionText({ contribution }: { contribution: Contribution }) {
  if (!contribution.answers) return <EmptyState>Your contribution is shown here once you have answered a question.</EmptyState>;
  return (
    <>
      <p>Thank you. This text can stand in a report, a curriculum vitae or an acknowledgement.</p>
      <CopyText label="Text to cite" text={contributionText(contribution)} />
    </>
  );
}

/** Lines of their own, so that parts can be left out. */
export function contributionText(contribution: Contribution): string {
  const { expert, kind, answers, questions, study, study_name: name, coordinators, version } = contribution;
  return [
    `${expert}, expert in the study "${name}" (${kind.toLowerCase()})`,
    `${formatPlural(answers, "answer")} to ${formatPlural(questions, "question")}, ${formatPeriod(contribution)}`,
    ...(coordinators.length ? [`Coordinated by ${formatList(coordinators)}`] : []),
    `Study ${study}, on Serendib ${version}, ${window.location.origin}`,
  ].join("\n");
}

function formatPeriod({ first_at: first, last_at: last }: Contribution): string {
  const days = [first, last].flatMap((at) => (at ? [formatLongDate(at)] : []));
  return [...new Set(days)].join(" to ");
}
