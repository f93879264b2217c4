import type { ComponentChildren, VNode, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { Consequence } from './consequence';
import { Dialog } from './dialog';
import { Refused } from './field';
import { ErrorNote } from './notes';

/** Runs a task, but not twice at the same time. `error` is why the last run failed; null if it did not. */
export function useTask<Args extends readonly unknown[]>(task: (...args: Args) => Promise<unknown>) {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (...args: Args) => {
    if (isRunning) return;
    setRunning(true);
    setError(null);
    await task(...args).catch(setError);
    setRunning(false);
  };
  return { isRunning, error, run };
}

export interface ConfirmProps {
  readonly title: string;
  /** What will happen, shown before the action. */
  readonly consequences: ComponentChildren;
  /** The label of the button, such as `Pause`. */
  readonly action: string;
  /** @param form the values of the fields. If it rejects, the dialog stays open and shows why. */
  readonly run: (form: FormData) => Promise<unknown>;
  readonly onClose: () => void;
  /** Fields, above the consequences. */
  readonly children?: ComponentChildren;
  /** Whether the action calls for caution, for example because it moves money or cannot be undone. */
  readonly isGrave?: boolean;
  /** Whether the form cannot be sent yet. */
  readonly isUnready?: boolean;
}

/** What an action does, paragraph by paragraph. */
export function Consequences({ of }: { readonly of: readonly Consequence[] }): VNode {
  return (
    <>
      {of.map((each) =>
        typeof each === 'string' ? (
          <p key={each}>{each}</p>
        ) : (
          <p key={each.grave}>
            <strong>{each.grave}</strong>
            {each.rest}
          </p>
        ),
      )}
    </>
  );
}

/** Shows the consequences of an action, and runs it once the user confirms. */
export function Confirm(props: ConfirmProps): VNode {
  const { title, consequences, action, run, onClose, children, isGrave = false, isUnready = false } = props;
  const task = useTask((form: FormData) => run(form).then(onClose));
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void task.run(new FormData(event.currentTarget));
  };
  return (
    <Dialog title={title} onClose={onClose} isHeld={task.isRunning}>
      <form onSubmit={submit}>
        <Refused error={task.error}>{children}</Refused>
        <div class="consequences">{consequences}</div>
        {task.error === null ? null : <ErrorNote error={task.error} isChange />}
        <footer>
          <button type="button" disabled={task.isRunning} onClick={onClose}>
            Back
          </button>
          <button type="submit" class={isGrave ? 'grave' : 'main'} disabled={task.isRunning || isUnready}>
            {task.isRunning ? `${action} …` : action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
