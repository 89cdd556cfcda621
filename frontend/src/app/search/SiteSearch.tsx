import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { Button } from "@/components/Button";
import { useSlashShortcut } from "@/lib/useSlashShortcut";
import { SearchBox } from "./SearchBox";

const loadScreen = () => import("./SearchScreen");
const SearchScreen = lazy(async () => ({ default: (await loadScreen()).SearchScreen }));

/** In the bar of every page: a field, or where that does not fit a button that opens it. */
export function SiteSearch({ isField }: { isField: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useSlashShortcut(() => (isField ? input.current?.focus() : setOpen(true)));
  // After the page, so that the press of the button finds it: a phone shows its keyboard for a press only.
  useEffect(() => {
    if (!isField) void loadScreen();
  }, [isField]);
  if (isField) return <SearchBox inputRef={input} />;
  return (
    <>
      <Button variant="quiet" onPress={() => setOpen(true)} aria-keyshortcuts="/"><Search size={18} aria-hidden />Search</Button>
      {isOpen && <Suspense><SearchScreen isOpen onOpenChange={setOpen} /></Suspense>}
    </>
  );
}
