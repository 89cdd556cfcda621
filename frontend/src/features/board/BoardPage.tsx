import { useParams } from "react-router";
import type { Board, Id } from "@/api/contract";
import { ButtonLink } from "@/components/Button";
import { Failure } from "@/components/Loadable";
import { Page } from "@/components/Page";
import { Tag } from "@/components/Tag";
import { hasCode } from "@/lib/problems";
import { BoardActions } from "./BoardActions";
import { BoardSkeleton } from "./BoardSkeleton";
import { BatchTable } from "./BatchTable";
import styles from "./Board.module.css";
import { Division } from "./Division";
import { EvidenceSection } from "./EvidenceSection";
import { ExpertSection } from "./ExpertSection";
import { Figures } from "./Figures";
import { InvitationSection } from "./InvitationSection";
import { LiveWord } from "./LiveWord";
import { Now } from "./Now";
import { useBoard } from "./queries";
import { useInviting } from "./useInviting";
import { useLive } from "./useLive";

const PARENT = { to: "/studies", label: "Studies" };

export function BoardPage() {
  const { id = "" } = useParams();
  // Another study is another board: nothing of the last one stays.
  return <StudyBoard key={id} id={id} />;
}

function StudyBoard({ id }: { id: Id }) {
  const line = useLive(id);
  const board = useBoard(id, line);
  const { data, error } = board;
  if (hasCode(error, "not_found", "not_allowed", "http_404")) return <NotYours />;
  if (data) {
    const word = <LiveWord line={line} failing={board.isRefetchError} readAt={board.dataUpdatedAt} />;
    return <Loaded board={data} word={word} />;
  }
  return (
    <Page title={error ? "The board is not here yet" : "Board"} parent={PARENT} width="wide">
      {error ? (
        <Failure error={error} onRetry={() => void board.refetch()} busy={board.isFetching} />
      ) : (
        <BoardSkeleton />
      )}
    </Page>
  );
}

function Loaded({ board, word }: { board: Board; word: React.ReactNode }) {
  const { study, batches } = board;
  const inviting = useInviting(board);
  const aside = (
    <>
      {study.is_demo && <Tag>demo</Tag>}
      {study.status === "closed" && <Tag>closed</Tag>}
      {word}
    </>
  );
  return (
    <Page
      title={study.name}
      parent={PARENT}
      width="wide"
      aside={aside}
      actions={<BoardActions study={study} onInvite={inviting.open} />}
    >
      <Figures board={board} />
      <div className={styles.main}>
        <div className={styles.column}>
          <BatchTable batches={batches} />
          <Division batches={batches} />
        </div>
        <Now board={board} />
      </div>
      <ExpertSection board={board} onInvite={inviting.open} />
      <EvidenceSection board={board} />
      <InvitationSection study={study.id} />
      {inviting.dialog}
    </Page>
  );
}

function NotYours() {
  return (
    <Page title="There is no such board here" parent={PARENT}>
      <p>The link may have been cut short, or you do not coordinate this study. Its coordinators can invite you.</p>
      <div>
        <ButtonLink to="/studies" look="primary" size="large">
          To my studies
        </ButtonLink>
      </div>
    </Page>
  );
}
