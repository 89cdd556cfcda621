import { useState } from "react";
import { Button } from "@/components/Button";
import { TextField } from "@/components/TextField";
import styles from "./QuestionPage.module.css";

interface Props {
  size: number;
  most: number;
  onChange: (size: string) => void;
}

/** How many of the candidates a serendipity set has. */
export function SizeField({ size, most, onChange }: Props) {
  const [text, setText] = useState(String(size));
  const wanted = Number(text);
  const isFine = Number.isInteger(wanted) && wanted >= 1 && wanted <= most;
  if (most < 2) return null;
  return (
    <form
      className={styles.size}
      onSubmit={(event) => {
        event.preventDefault();
        if (isFine) onChange(text);
      }}
    >
      <TextField
        label="Size of the serendipity set"
        hint="A fifth of the candidates unless another is asked for."
        inputMode="numeric"
        value={text}
        onChange={setText}
        error={isFine ? undefined : `A whole number from 1 to ${most}.`}
      />
      <Button type="submit" size="large" isDisabled={!isFine || wanted === size}>Use this size</Button>
    </form>
  );
}
