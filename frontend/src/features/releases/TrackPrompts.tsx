import { Link } from "react-router";
import type { PromptSummary } from "@/domains/evaluation/queries";
import styles from "./Releases.module.css";

/** The tasks of language models on a track, each with the prompt that it sends. */
export function TrackPrompts({ track, prompts }: { track: string; prompts: PromptSummary[] }) {
  const tasks = prompts.flatMap((prompt) => prompt.tasks.filter((task) => task.track === track).map((task) => ({ ...task, prompt })));
  if (tasks.length === 0) return null;
  return (
    <section className={styles.section} aria-label="Tasks of language models">
      <h2>Tasks of language models</h2>
      <ul className={styles.prompts}>
        {tasks.map(({ name, title, prompt }) => (
          <li key={name}>
            <code>{name}</code>: {title}. <Link to={`/prompts/${prompt.name}`}>Prompt {prompt.name}, version {prompt.version}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
