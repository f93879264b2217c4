import type { ComponentChildren, VNode, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog';
import { Refused } from './field';
import { ErrorNote } from './notes';

/** What is done once at a time: whether it is under way, and why it failed the last time; null where it did not. */
export function useDeed<Given extends readonly unknown[]>(deed: (...given: Given) => Promise<unknown>) {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (...given: Given) => {
    if (isRunning) return;
    setRunning(true);
    setError(null);
    await deed(...given).catch(setError);
    setRunning(false);
  };
  return { isRunning, error, run };
}

export interface ConfirmProps {
  readonly title: string;
  /** What will happen, shown before the action. */
  readonly consequences: ComponentChildren;
  /** The word on the button, such as `Pause`. */
  readonly action: string;
  /** @param form what is in the fields. Rejects where it was refused: the dialog stays and shows why. */
  readonly run: (form: FormData) => Promise<unknown>;
  readonly onClose: () => void;
  /** Fields, above the consequences. */
  readonly children?: ComponentChildren;
  /** It moves or ends something for good. */
  readonly isGrave?: boolean;
  /** Whether what is filled in cannot be sent yet. */
  readonly isUnready?: boolean;
}

/** Shows what an action leads to, and does it once. */
export function Confirm(props: ConfirmProps): VNode {
  const { title, consequences, action, run, onClose, children, isGrave = false, isUnready = false } = props;
  const deed = useDeed((form: FormData) => run(form).then(onClose));
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void deed.run(new FormData(event.currentTarget));
  };
  return (
    <Dialog title={title} onClose={onClose} isHeld={deed.isRunning}>
      <form onSubmit={submit}>
        <Refused error={deed.error}>{children}</Refused>
        <div class="consequences">{consequences}</div>
        {deed.error === null ? null : <ErrorNote error={deed.error} />}
        <footer>
          <button type="button" disabled={deed.isRunning} onClick={onClose}>
            Back
          </button>
          <button type="submit" class={isGrave ? 'grave' : 'main'} disabled={deed.isRunning || isUnready}>
            {deed.isRunning ? `${action} …` : action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
