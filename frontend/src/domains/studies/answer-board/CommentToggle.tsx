import { MessageSquare, MessageSquareText } from "lucide-react";
import { Button } from "@/components/Button";
import { Kbd } from "@/components/Kbd";

interface Props {
  text: string;
  isOpen: boolean;
  onToggle: () => void;
  shortcutsEnabled: boolean;
}

export function CommentToggle({ text, isOpen, onToggle, shortcutsEnabled }: Props) {
  const Icon = text ? MessageSquareText : MessageSquare;
  return (
    <Button variant="quiet" onPress={onToggle} aria-expanded={isOpen}>
      <Icon size={16} aria-hidden />
      {text ? "Commented" : "Comment"}
      {shortcutsEnabled && <Kbd>C</Kbd>}
    </Button>
  );
}
