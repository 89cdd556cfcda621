import { Search } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/Button";
import { PartFailed } from "@/components/PartFailed";
import { Part, usePart } from "@/lib/part";
import { useSlashShortcut } from "@/lib/useSlashShortcut";
import { SearchBox } from "./SearchBox";

const screenPart = new Part(() => import("./SearchScreen"));

/** In the bar of every page: a field, or where that does not fit a button that opens it. */
export function SiteSearch({ isField }: { isField: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useSlashShortcut(() => (isField ? input.current?.focus() : setOpen(true)));
  // After the page, so that the press of the button finds it: a phone shows its keyboard for a press only.
  const { module, hasFailed } = usePart(screenPart, !isField);
  if (isField) return <SearchBox inputRef={input} />;
  return (
    <>
      <Button variant="quiet" onPress={() => setOpen(true)} aria-keyshortcuts="/"><Search size={18} aria-hidden />Search</Button>
      {isOpen && module && <module.SearchScreen isOpen onOpenChange={setOpen} />}
      {isOpen && hasFailed && <PartFailed onRetry={screenPart.load} />}
    </>
  );
}
