import { Plus } from "lucide-react";
import { useState } from "react";
import type { Dashboard, Id, Webhook, WebhookDelivery } from "@/api/contract";
import { Button } from "@/components/Button";
import { ConfirmDialog } from "@/components/ConfirmDialog";
import { ACTIONS_COLUMN, DataTable } from "@/components/DataTable";
import { EmptyState } from "@/components/EmptyState";
import { Notice } from "@/components/Notice";
import { QueryBoundary } from "@/components/QueryBoundary";
import { ResultStatus } from "@/components/ResultStatus";
import { SkeletonRows } from "@/components/SkeletonRows";
import { Tag } from "@/components/Tag";
import { errorMessage } from "@/lib/errorMessages";
import { formatDateTime } from "@/lib/format";
import dashboardStyles from "../Dashboard.module.css";
import { AddWebhookDialog } from "./AddWebhookDialog";
import { useRemoveWebhook, useRepeatDelivery, useTestWebhook, useWebhooks } from "./webhookQueries";

/** Where the study sends its events, and what became of each. */
export function WebhooksTab({ study }: { study: Dashboard["study"] }) {
  const query = useWebhooks(study.id);
  const [adding, setAdding] = useState(false);
  const [result, setResult] = useState("");
  return (
    <section className={dashboardStyles.column} aria-labelledby="webhooks-heading">
      <div className={dashboardStyles.sectionHead}>
        <h2 id="webhooks-heading">Webhooks</h2>
        <Button variant="primary" onPress={() => setAdding(true)}><Plus size={16} aria-hidden />Add a webhook</Button>
      </div>
      {result && <ResultStatus message={result} />}
      <QueryBoundary query={query} skeleton={<SkeletonRows rows={3} height={72} />}>
        {({ hosts, webhooks }) => (
          <>
            {webhooks.length === 0 && <EmptyState>No webhooks yet. Add one to send signed events of this study to a server of yours.</EmptyState>}
            {webhooks.map((webhook) => <WebhookSection key={webhook.id} study={study.id} webhook={webhook} onRemoved={() => setResult(`The webhook to ${webhook.address} is removed.`)} />)}
            {adding && <AddWebhookDialog study={study.id} hosts={hosts} onClose={() => setAdding(false)} />}
          </>
        )}
      </QueryBoundary>
    </section>
  );
}

interface WebhookProps {
  study: Id;
  webhook: Webhook;
  onRemoved: () => void;
}

function WebhookSection({ study, webhook, onRemoved }: WebhookProps) {
  const test = useTestWebhook(study);
  const repeat = useRepeatDelivery(study);
  const error = test.error ?? repeat.error;
  return (
    <section className={dashboardStyles.section} aria-label={webhook.address}>
      <div className={dashboardStyles.sectionHead}>
        <div>
          <h3 className={dashboardStyles.note}>{webhook.address}</h3>
          <p className={dashboardStyles.note}>{webhook.events.join(", ")}</p>
        </div>
        <div className={dashboardStyles.sectionHead}>
          <Button onPress={() => test.mutate(webhook.id)} isDisabled={test.isPending}>Send a test</Button>
          <RemoveButton study={study} webhook={webhook} onRemoved={onRemoved} />
        </div>
      </div>
      {error && <Notice tone="bad">{errorMessage(error)}</Notice>}
      {webhook.deliveries.length > 0 && (
        <DataTable label={`Newest deliveries to ${webhook.address}`} columns={["Event", "Created", "State", { label: "Attempts", isNumeric: true }, "Last error", ACTIONS_COLUMN]}>
          {webhook.deliveries.map((one) => <DeliveryRow key={one.id} delivery={one} onRepeat={() => repeat.mutate(one.id)} isBusy={repeat.isPending} />)}
        </DataTable>
      )}
    </section>
  );
}

interface RowProps {
  delivery: WebhookDelivery;
  onRepeat: () => void;
  isBusy: boolean;
}

function DeliveryRow({ delivery, onRepeat, isBusy }: RowProps) {
  const { event, created_at: at, state, attempts, error, next_at: next } = delivery;
  return (
    <tr>
      <th scope="row">{event}</th>
      <td>{formatDateTime(at)}</td>
      <td><Tag>{state}</Tag>{next && error && <span className={dashboardStyles.note}> until {formatDateTime(next)}</span>}</td>
      <td data-numeric>{attempts}</td>
      <td>{error}</td>
      <td data-action>{state !== "waiting" && <Button onPress={onRepeat} isDisabled={isBusy} aria-label={`Send again: ${event}, ${formatDateTime(at)}`}>Send again</Button>}</td>
    </tr>
  );
}

function RemoveButton({ study, webhook, onRemoved }: WebhookProps) {
  const [isOpen, setOpen] = useState(false);
  const remove = useRemoveWebhook(study, () => {
    setOpen(false);
    onRemoved();
  });
  return (
    <>
      <Button onPress={() => setOpen(true)}>Remove</Button>
      <ConfirmDialog title="Remove this webhook?" isOpen={isOpen} onClose={() => setOpen(false)} confirmLabel="Remove it" busyLabel="Removing" onConfirm={() => remove.mutate(webhook.id)} mutation={remove}>
        <p>Nothing more is sent to {webhook.address}, and its log is deleted.</p>
      </ConfirmDialog>
    </>
  );
}
