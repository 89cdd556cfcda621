import { useQuery } from "@tanstack/react-query";
import { SelectField } from "@/components/SelectField";
import { questionSetsQuery } from "@/domains/questions/questionSets";

interface QuestionSetSelectProps {
  label: string;
  hint: string;
  /** The choice of no set. */
  none: string;
  error?: string | undefined;
  value: string;
  onChange: (id: string) => void;
}

/** The sets that the user owns. */
export function QuestionSetSelect({ hint, none, ...field }: QuestionSetSelectProps) {
  const sets = useQuery(questionSetsQuery);
  const own = sets.data?.filter(({ is_owner: isOwner }) => isOwner) ?? [];
  return (
    <SelectField
      {...field}
      hint={sets.isError ? "The question sets could not be loaded. Reload the page." : hint}
      options={[{ value: "", label: none }, ...own.map(({ id, name, questions }) => ({ value: id, label: `${name} (${questions})` }))]}
      translate="no"
    />
  );
}
