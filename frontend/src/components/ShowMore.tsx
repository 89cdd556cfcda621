import { Button } from "./Button";
import styles from "./ShowMore.module.css";

interface Props {
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  label?: string;
}

/** Loads the next part of a list, while there is one. */
export function ShowMore({ list, label = "Show more" }: Props) {
  if (!list.hasNextPage) return null;
  return (
    <div>
      <Button onPress={() => void list.fetchNextPage()} isDisabled={list.isFetchingNextPage}>
        {list.isFetchingNextPage ? "Loading" : label}
      </Button>
      {list.isFetchNextPageError && <span role="alert" className={styles.failed}>Loading more failed. Try again.</span>}
    </div>
  );
}
