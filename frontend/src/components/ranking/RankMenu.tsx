import { Button } from "react-aria-components";
import { Menu, MenuItem } from "../Menu";
import styles from "./RankMenu.module.css";

interface Props {
  name: string;
  rank: number;
  tied: boolean;
  count: number;
  onPlace: (rank: number) => void;
}

/** The rank itself is the way to a far rank: one click opens them, one chooses. */
export function RankMenu({ name, rank, tied, count, onPlace }: Props) {
  const trigger = (
    <Button
      className={styles.rank ?? ""}
      data-part="rank"
      aria-label={`Rank ${rank}${tied ? ", tied" : ""}: place ${name} elsewhere`}
    >
      {rank}
      {tied && <span>=</span>}
    </Button>
  );
  return (
    <Menu label={`Place ${name}`} trigger={trigger} placement="bottom start">
      {Array.from({ length: count }, (_, index) => (
        <MenuItem key={index} label={`Place at ${index + 1}`} onAction={() => onPlace(index + 1)} />
      ))}
    </Menu>
  );
}
