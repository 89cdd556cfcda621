import type { ReactNode } from "react";
import { Link } from "react-router";
import { CopyText } from "@/components/CopyText";
import { ExternalLink } from "@/components/ExternalLink";
import { Page } from "@/components/Page";
import { siteInfo } from "@/lib/siteInfo";
import styles from "./About.module.css";

const PAPER = "https://arxiv.org/abs/2511.12472";
const LICENCE = "https://www.apache.org/licenses/LICENSE-2.0";

export function citation(version: string): string {
  return [
    "@software{serendib,",
    "  title = {Serendib: judging serendipity in biomedical knowledge graphs},",
    "  author = {{The Serendib authors}},",
    ...(version ? [`  version = {${version}},`] : []),
    `  url = {${window.location.origin}},`,
    "}",
  ].join("\n");
}

export function AboutPage() {
  const contact = siteInfo("contact");
  return (
    <Page
      title="About Serendib"
      intro="Where people and programs judge whether an answer from a biomedical knowledge graph is relevant, new and surprising."
    >
      <Section id="cite" title="How to cite">
        <p>Cite the software as below, and the paper of the measure that you use.</p>
        <CopyText label="Citation in BibTeX" text={citation(siteInfo("version"))} />
        <p>
          Relevance, novelty and surprise (RNS): Wang and others,{" "}
          <ExternalLink href={PAPER}>Assessing LLMs for Serendipity Discovery in Knowledge Graphs</ExternalLink>, 2025.
        </p>
        <p>Results and releases have citations of their own, on their pages.</p>
      </Section>
      <Section id="licence" title="Licence">
        <p>
          The software is free under the <ExternalLink href={LICENCE}>Apache License 2.0</ExternalLink>. Each graph and each release
          states its own licence on its page.
        </p>
        <p>Nothing here is medical advice.</p>
      </Section>
      <Section id="contact" title="Contact">
        {contact ? (
          <p>Write to <a href={`mailto:${contact}`}>{contact}</a>.</p>
        ) : (
          <p>If you were invited to a study, write to the person who invited you. No address has been set for this site.</p>
        )}
        <p><Link to="/privacy">What this site stores about you</Link></p>
      </Section>
    </Page>
  );
}

export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{title}</h2>
      {children}
    </section>
  );
}
