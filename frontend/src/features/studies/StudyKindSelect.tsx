import { SelectField } from "@/components/SelectField";
import { listStudyKinds } from "@/study-kinds/registry";

export function StudyKindSelect({ value, hint, onChange }: { value: string; hint?: string; onChange: (kind: string) => void }) {
  const kinds = listStudyKinds();
  return <SelectField label="What the experts do" {...(hint && { hint })} value={value || (kinds[0]?.value ?? "")} options={kinds} onChange={onChange} />;
}
