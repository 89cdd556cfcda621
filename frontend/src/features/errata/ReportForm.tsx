import { useState } from "react";
import { Button } from "@/components/Button";
import { Form, FormActions } from "@/components/Form";
import { Notice } from "@/components/Notice";
import { SelectField } from "@/components/SelectField";
import { TextField } from "@/components/TextField";
import type { Release } from "@/domains/evaluation/queries";
import { errorMessage } from "@/lib/errorMessages";
import styles from "./Errata.module.css";
import { ItemPicker } from "./ItemPicker";
import { KIND_LABELS } from "./labels";
import { useReport, type Item, type ReportKind } from "./queries";

const KINDS = (Object.keys(KIND_LABELS) as ReportKind[]).map((value) => ({ value, label: KIND_LABELS[value] }));

export function ReportForm({ release }: { release: Release }) {
  const [item, setItem] = useState<Item | null>(null);
  const [kind, setKind] = useState<ReportKind>("wrong_answer");
  const [text, setText] = useState("");
  const report = useReport(release.slug);
  const isReady = item !== null && text.trim() !== "" && !report.isPending;
  const send = () => {
    if (!isReady) return;
    report.mutate({ item: item.key, kind, text: text.trim() }, {
      onSuccess: () => {
        setItem(null);
        setText("");
      },
    });
  };
  return (
    <div className={styles.form}>
      <Form onSubmit={send}>
        <ItemPicker release={release} value={item} onChange={setItem} />
        <SelectField label="What is wrong" value={kind} options={KINDS} onChange={setKind} />
        <TextField label="Why" hint="With a source, if there is one." value={text} onChange={setText} rows={4} maxLength={2000} />
        {report.isError && <Notice tone="bad">{errorMessage(report.error)}</Notice>}
        {report.isSuccess && <Notice tone="good">The organiser of the release has your report.</Notice>}
        <FormActions>
          <Button type="submit" variant="primary" size="large" isDisabled={!isReady}>{report.isPending ? "Sending" : "Send the report"}</Button>
        </FormActions>
      </Form>
    </div>
  );
}
