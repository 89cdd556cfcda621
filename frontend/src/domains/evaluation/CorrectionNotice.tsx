import { Link } from "react-router";
import { Notice } from "@/components/Notice";

interface Props {
  release: { corrected_by: string | null; corrected_by_name: string | null };
}

/** On what a later release has superseded; nothing on the others. */
export function CorrectionNotice({ release: { corrected_by: slug, corrected_by_name: name } }: Props) {
  if (!slug) return null;
  return <Notice tone="warn"><p>This release is superseded: <Link to={`/releases/${slug}`}>{name}</Link> corrects it.</p></Notice>;
}
