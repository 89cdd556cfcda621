import type { Person } from "@/api/contract";
import styles from "./BatchTable.module.css";
import { namesOf } from "./words";

const MOST_DOTS = 4;

/** A dot for each person at work; who they are is read out, and shown on pointing. */
export function Active({ people }: { people: Person[] }) {
  if (people.length === 0) return <span className="visually-hidden">nobody now</span>;
  const names = namesOf(people);
  const more = people.length - MOST_DOTS;
  return (
    <span className={styles.active} title={names}>
      {people.slice(0, MOST_DOTS).map((person) => (
        <span key={person.id} className={styles.dot} aria-hidden />
      ))}
      {more > 0 && (
        <span className={styles.more} aria-hidden>
          +{more}
        </span>
      )}
      <span className="visually-hidden">{names}</span>
    </span>
  );
}
