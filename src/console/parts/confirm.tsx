import type { ComponentChildren, VNode, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog';
import { Refused } from './field';
import { ErrorNote } from './notes';

export interface ConfirmProps {
  readonly title: string;
  /** What will happen, shown before the action. */
  readonly consequences: ComponentChildren;
  /** The word on the button, such as `Pause`. */
  readonly action: string;
  /** Rejects where it was refused: the dialog stays and shows why. */
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Fields, above the consequences. */
  readonly children?: ComponentChildren;
  readonly open?: boolean;
  /** It moves or ends something for good. */
  readonly isGrave?: boolean;
  /** Whether what is filled in cannot be sent yet. */
  readonly isUnready?: boolean;
}

/** Shows what an action leads to, and does it once. */
export function Confirm({ title, open = true, onClose, ...rest }: ConfirmProps): VNode {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <ConfirmForm onClose={onClose} {...rest} />
    </Dialog>
  );
}

function ConfirmForm(props: Omit<ConfirmProps, 'title' | 'open'>): VNode {
  const { consequences, action, run, onClose, children, isGrave = false, isUnready = false } = props;
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isRunning) return;
    setRunning(true);
    setError(null);
    await run().then(onClose, setError);
    setRunning(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Refused error={error}>{children}</Refused>
      <div class="consequences">{consequences}</div>
      {error === null ? null : <ErrorNote error={error} />}
      <footer>
        <button type="button" onClick={onClose}>
          Back
        </button>
        <button type="submit" class={isGrave ? 'grave' : 'main'} disabled={isRunning || isUnready}>
          {isRunning ? `${action} …` : action}
        </button>
      </footer>
    </form>
  );
}
