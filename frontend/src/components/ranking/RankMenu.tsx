import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
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
  return (
    <MenuTrigger>
      <Button className={styles.rank ?? ""} data-part="rank" aria-label={`Rank ${rank}${tied ? ", tied" : ""}: place ${name} elsewhere`}>
        {rank}
        {tied && <span>=</span>}
      </Button>
      <Popover className={styles.popover ?? ""} placement="bottom start">
        <Menu className={styles.menu ?? ""} aria-label={`Place ${name}`} onAction={(key) => onPlace(Number(key))}>
          {Array.from({ length: count }, (_, index) => (
            <MenuItem key={index + 1} id={String(index + 1)} className={styles.item ?? ""}>
              {`Place at ${index + 1}`}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
