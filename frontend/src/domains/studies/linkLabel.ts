/** What a link leads to, from its address: 'DrugBank DB01014'. */

interface Source {
  host: RegExp;
  /** Where one host has several databases. */
  path?: RegExp;
  name: string;
  /** The record's own identifier, where the address has one. */
  id: RegExp;
}

const SOURCES: Source[] = [
  { host: /(^|\.)drugbank\.(com|ca)$/, name: "DrugBank", id: /\b(DB\d{5}|DBMET\d+|DBSALT\d+)\b/ },
  { host: /(^|\.)uniprot\.org$/, name: "UniProt", id: /\/uniprot(?:kb)?\/([A-Z0-9]{6,10})(?=[/?#.]|$)/ },
  { host: /(^|\.)genecards\.org$/, name: "GeneCards", id: /[?&]gene=([^&#]+)/ },
  { host: /(^|\.)monarchinitiative\.org$/, name: "Monarch", id: /\/((?:MONDO|HP|HGNC|UBERON)[:_]\d+)/ },
  { host: /(^|\.)reactome\.org$/, name: "Reactome", id: /\b(R-[A-Z]{3}-\d+)\b/ },
  { host: /(^|\.)ebi\.ac\.uk$/, path: /^\/QuickGO\//i, name: "QuickGO", id: /\b(GO:\d{7})\b/ },
  { host: /(^|\.)ebi\.ac\.uk$/, path: /^\/interpro\//i, name: "InterPro", id: /\/((?:PF|IPR)\d+)/ },
  { host: /(^|\.)smpdb\.ca$/, name: "SMPDB", id: /\b(SMP\d{5,7})\b/ },
  { host: /(^|\.)disease-ontology\.org$/, name: "Disease Ontology", id: /\b(DOID[:_]\d+)\b/ },
  { host: /(^|\.)hmdb\.ca$/, name: "HMDB", id: /\b(HMDB\d+)\b/ },
  { host: /(^|\.)ncbi\.nlm\.nih\.gov$/, name: "NCBI", id: /\/(?:gene|pubmed|medgen|mesh)\/(\d+)/ },
];

export function linkLabel(link: string): string {
  const url = parse(link);
  if (!url) return link;
  const source = SOURCES.find(({ host, path }) => host.test(url.hostname) && (path?.test(url.pathname) ?? true));
  if (!source) return url.hostname.replace(/^www\./, "");
  const id = source.id.exec(decodeSegment(url.href))?.[1];
  return id ? `${source.name} ${id}` : source.name;
}

function parse(link: string): URL | null {
  return URL.canParse(link) ? new URL(link) : null;
}

function decodeSegment(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    // A stray per cent sign: the address as it is will do.
    return address;
  }
}
