import { ArrowUpRight } from "lucide-react";
import type { ReactNode } from "react";

interface Props {
  href: string;
  children: ReactNode;
  onOpen?: () => void;
}

/** A link to somebody else's page: opens beside this one, tells it nothing, http(s) only. */
export function ExternalLink({ href, children, onOpen }: Props) {
  if (!/^https?:\/\//i.test(href)) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" onClick={onOpen}>
      {children}
      <ArrowUpRight size={13} aria-hidden />
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
