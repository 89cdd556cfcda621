import { useId } from "react";
import styles from "./Definition.module.css";

const ORDER = [
  {
    name: "Suzetrigine",
    why: "It relieves acute pain, as asked. It is new: the first approved drug of its class. And it surprises: it blocks a sodium channel of pain nerves outside the brain, and is no opioid.",
  },
  {
    name: "Tapentadol",
    why: "It relieves pain in two ways at once, at the opioid receptor and by slowing the reuptake of noradrenaline. The second is the less familiar one.",
  },
  {
    name: "Oxycodone and ibuprofen, tied",
    why: "Both answer the question well, and both are what anybody would name first. Relevant, but neither new nor surprising.",
  },
];

/** One question on real drugs, put in order, with the reason for each place. */
export function WorkedExample() {
  const heading = useId();
  return (
    <section className={styles.example} aria-labelledby={heading}>
      <h3 id={heading}>An example</h3>
      <p className={styles.question}>Which drugs can treat moderate-to-severe acute pain?</p>
      <ol>
        {ORDER.map(({ name, why }) => (
          <li key={name}>
            <b>{name}</b>
            <span>{why}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
