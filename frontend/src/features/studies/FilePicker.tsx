import { FileJson, X } from "lucide-react";
import { DropZone, FileTrigger, Text } from "react-aria-components";
import { Button } from "@/components/Button";
import { bytes } from "@/lib/format";
import { filesOf, joined } from "./files";
import { LARGEST_FILE, LARGEST_UPLOAD, MOST_FILES } from "./limits";
import styles from "./Studies.module.css";

interface Props {
  files: File[];
  onChange: (files: File[]) => void;
}

const LIMITS = `At most ${MOST_FILES} files of ${bytes(LARGEST_FILE)}, ${bytes(LARGEST_UPLOAD)} together.`;

/** Files by dragging or choosing; what is chosen twice replaces the first. */
export function FilePicker({ files, onChange }: Props) {
  const add = (more: File[]) => onChange(joined(files, more));
  return (
    <div className={styles.picker}>
      <DropZone className={styles.drop ?? ""} onDrop={(event) => void filesOf(event.items).then(add)}>
        <div>
          <Text slot="label">Drop the files, or their folder, here: batch1.json, batch2.json and so on</Text>
          <p className={styles.hint}>batches.json may come along: it names the batches. {LIMITS}</p>
        </div>
        <FileTrigger allowsMultiple acceptedFileTypes={[".json"]} onSelect={(list) => add([...(list ?? [])])}>
          <Button size="large">Choose files</Button>
        </FileTrigger>
      </DropZone>
      {files.length > 0 && (
        <ul className={styles.files} aria-label="Chosen files">
          {files.map((file) => (
            <Chosen
              key={file.name}
              file={file}
              onLeaveOut={() => onChange(files.filter((other) => other !== file))}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function Chosen({ file, onLeaveOut }: { file: File; onLeaveOut: () => void }) {
  return (
    <li>
      <FileJson size={16} aria-hidden />
      <span className={styles.fileName}>{file.name}</span>
      <span className={`${styles.quiet} number`}>{bytes(file.size)}</span>
      <Button look="quiet" size="icon" aria-label={`Leave out ${file.name}`} onPress={onLeaveOut}>
        <X size={16} aria-hidden />
      </Button>
    </li>
  );
}
