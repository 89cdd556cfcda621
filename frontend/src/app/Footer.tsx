import { Link } from "react-router";
import { ExternalLink } from "@/components/ExternalLink";
import { siteInfo } from "@/lib/siteInfo";
import styles from "./Footer.module.css";

export function Footer() {
  const documentation = siteInfo("documentation");
  const source = siteInfo("source");
  const contact = siteInfo("contact");
  const version = siteInfo("version");
  return (
    <footer className={styles.footer}>
      <ul className={styles.links}>
        <li><Link to="/about#cite">Cite</Link></li>
        <li><Link to="/about#licence">Licence</Link></li>
        <li><Link to="/privacy">Privacy</Link></li>
        {source && <li><ExternalLink href={source}>Source</ExternalLink></li>}
        <li><a href="/api/schema">API</a></li>
        {documentation && <li><ExternalLink href={documentation}>Documentation</ExternalLink></li>}
        <li>{contact ? <a href={`mailto:${contact}`}>Contact</a> : <Link to="/about#contact">Contact</Link>}</li>
      </ul>
      {version && <span>Serendib {version}</span>}
    </footer>
  );
}
