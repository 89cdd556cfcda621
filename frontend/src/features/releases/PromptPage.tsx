import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { Facts } from "@/components/Facts";
import { Page } from "@/components/Page";
import { PageBoundary } from "@/components/PageBoundary";
import { promptQuery, type Prompt } from "@/domains/evaluation/queries";
import styles from "./Releases.module.css";

const MESSAGES = { system: "System message", user: "User message" } as const;

/** The text of a prompt, with its version, intent and source. */
export function PromptPage() {
  const { name = "" } = useParams();
  const prompt = useQuery(promptQuery(name));
  const [task] = prompt.data?.tasks ?? [];
  const parent = task?.track ? { to: `/tracks/${task.track}`, label: "Track" } : { to: "/releases", label: "Releases" };
  return (
    <PageBoundary query={prompt} title="Prompt" parent={parent} rows={6}>
      {(data) => (
        <Page title={`Prompt ${data.name}`} parent={parent} intro={data.intent}>
          <PromptFacts prompt={data} />
          <p className={styles.quiet}>Words in braces are replaced for each item. Texts of items stand between &lt;data&gt; and &lt;/data&gt;, as JSON.</p>
          {Object.entries(MESSAGES).map(([message, title]) => (
            <section key={message} className={styles.section} aria-label={title}>
              <h2>{title}</h2>
              <pre className={styles.prompt}>{data[message as keyof typeof MESSAGES]}</pre>
            </section>
          ))}
        </Page>
      )}
    </PageBoundary>
  );
}

function PromptFacts({ prompt }: { prompt: Prompt }) {
  return (
    <Facts className={styles.facts}>
      <div><dt>Version</dt><dd>{prompt.version}</dd></div>
      <div><dt>Intent from</dt><dd>{prompt.source}</dd></div>
      <div><dt>Answer</dt><dd>{prompt.output.replaceAll("`", "")}</dd></div>
      <div>
        <dt>Tasks</dt>
        {prompt.tasks.map((task) => (
          <dd key={task.name}>{task.track ? <Link to={`/tracks/${task.track}`}>{task.name}</Link> : task.name}: {task.title}</dd>
        ))}
      </div>
    </Facts>
  );
}
