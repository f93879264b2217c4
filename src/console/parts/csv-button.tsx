import { Download } from 'lucide-preact';
import { useTask } from './confirm';
import { ErrorNote } from './notes';

interface CsvButtonProps {
  /** The name of the file. */
  readonly name: string;
  readonly read: () => Promise<BlobPart>;
  readonly label?: string;
}

/** Downloads a whole list, not only the page. */
export function CsvButton({ name, read, label = 'Download as CSV' }: CsvButtonProps) {
  const { isRunning, error, run } = useTask(async () => saveFile(name, await read()));
  return (
    <>
      <button type="button" disabled={isRunning} onClick={() => void run()}>
        <Download aria-hidden="true" size={16} /> {isRunning ? 'Preparing the file …' : label}
      </button>
      {error === null ? null : <ErrorNote error={error} />}
    </>
  );
}

function saveFile(name: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
