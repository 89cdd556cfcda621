import { Search } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "@/components/Button";
import { useSlashShortcut } from "@/lib/useSlashShortcut";
import { SearchBox } from "./SearchBox";
import { SearchScreen } from "./SearchScreen";

/** In the bar of every page: a field, or where that does not fit a button that opens it. */
export function SiteSearch({ isField }: { isField: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useSlashShortcut(() => (isField ? input.current?.focus() : setOpen(true)));
  if (isField) return <SearchBox inputRef={input} />;
  return (
    <>
      <Button variant="quiet" onPress={() => setOpen(true)} aria-keyshortcuts="/"><Search size={18} aria-hidden />Search</Button>
      <SearchScreen isOpen={isOpen} onOpenChange={setOpen} />
    </>
  );
}
