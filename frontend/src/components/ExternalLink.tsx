import { ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";

/** A link to somebody else's page: opens beside this one, sends it no referrer, http(s) only. */
export function ExternalLink({ href, children, onOpen }: { href: string; children: ReactNode; onOpen?: () => void }) {
  if (!/^https?:\/\//i.test(href)) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" onClick={onOpen}>
      {children}
      <ArrowUpRight size={13} aria-hidden />
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
