import { useId } from "react";
import { Link, useNavigate } from "react-router";
import styles from "./Switch.module.css";

interface Option {
  key: string;
  label: string;
  to: string;
}

interface Props {
  label: string;
  options: Option[];
  current: string;
}

const MAX_SEGMENTS = 6;

/** One of several views of the same thing: links side by side, or a list where they are many. */
export function ViewSwitch(props: Props) {
  return props.options.length > MAX_SEGMENTS ? <SelectSwitch {...props} /> : <SegmentSwitch {...props} />;
}

function SegmentSwitch({ label, options, current }: Props) {
  return (
    <nav aria-label={label} className={styles.segments}>
      {options.map((option) => (
        <Link
          key={option.key}
          to={option.to}
          preventScrollReset
          className={styles.segment ?? ""}
          aria-current={option.key === current ? "true" : undefined}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  );
}

function SelectSwitch({ label, options, current }: Props) {
  const id = useId();
  const navigate = useNavigate();
  const open = (key: string) => {
    const option = options.find((one) => one.key === key);
    if (option) void navigate(option.to, { preventScrollReset: true });
  };
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={current} onChange={(event) => open(event.target.value)}>
        {options.map((option) => <option key={option.key} value={option.key}>{option.label}</option>)}
      </select>
    </div>
  );
}
