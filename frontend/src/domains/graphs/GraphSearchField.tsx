import { useRef } from "react";
import { useNavigate, useSearchParams, type To } from "react-router";
import { EntityCombobox } from "./EntityCombobox";
import { entityUrl, searchUrl } from "./graphUrls";
import { useGraphParams } from "./useGraphParams";

/** The large field of a graph's own page: a suggestion opens an entity, Enter lists all matches. */
export function GraphSearchField() {
  const where = useGraphParams();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const input = useRef<HTMLInputElement>(null);
  const q = params.get("q") ?? "";
  /** Blurs the field so that the next page can take the focus. */
  const go = (place: To) => {
    input.current?.blur();
    void navigate(place);
  };
  return (
    <div role="search" aria-label="In this graph">
      <EntityCombobox
        key={`${where.slug} ${q}`}
        graphRef={where}
        label="Search entities"
        isLabelHidden
        initial={q}
        inputRef={input}
        onPick={(hit) => go(entityUrl(where, hit.id))}
        onSubmit={(text) => go(searchUrl(where, text))}
      />
    </div>
  );
}
