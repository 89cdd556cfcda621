import { Button } from "react-aria-components";
import { Menu, MenuItem } from "@/components/Menu";
import styles from "./RankMenu.module.css";

interface Props {
  name: string;
  rank: number;
  isTied: boolean;
  count: number;
  onRankSelect: (rank: number) => void;
}

/** The rank itself is the way to a far rank: one click opens them, one chooses. */
export function RankMenu({ name, rank, isTied, count, onRankSelect }: Props) {
  const trigger = (
    <Button
      className={styles.rank ?? ""}
      data-part="rank"
      aria-label={`Rank ${rank}${isTied ? ", tied" : ""}: place ${name} elsewhere`}
    >
      {rank}
      {isTied && <span>=</span>}
    </Button>
  );
  return (
    <Menu label={`Place ${name}`} trigger={trigger} placement="bottom start">
      {Array.from({ length: count }, (_, index) => (
        <MenuItem key={index} label={`Place at ${index + 1}`} onAction={() => onRankSelect(index + 1)} />
      ))}
    </Menu>
  );
}
