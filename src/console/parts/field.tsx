import { cloneElement, createContext, type ComponentChildren, type VNode } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { ApiError } from '../client';
import { withAmounts } from '../format';

type Fault = ApiError['faults'][number];

const Refusals = createContext<readonly Fault[]>([]);

interface RefusedProps {
  /** Why the form was refused; null if it was not. */
  readonly error: unknown;
  /** Path of the fields in the request body; its top level by default. */
  readonly under?: string;
  readonly children: ComponentChildren;
}

/** Makes each field inside show the API's error for it. */
export function Refused({ error, under, children }: RefusedProps): VNode {
  const faults = error instanceof ApiError ? error.faults : [];
  const start = under === undefined ? '' : `${under}.`;
  const inside = faults
    .filter(({ path }) => path.startsWith(start))
    .map(({ path, message }) => ({ path: path.slice(start.length), message }));
  return <Refusals.Provider value={inside}>{children}</Refusals.Provider>;
}

/** The errors for this part of the body, or for a part inside it. */
function useRefusal(path: string | undefined): string | undefined {
  const faults = useContext(Refusals).filter((fault) => fault.path === path || fault.path.startsWith(`${path ?? ''}.`));
  return faults.length === 0 ? undefined : faults.map(({ message }) => withAmounts(message)).join('; ');
}

export interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with the input, in plain words. */
  readonly error?: string | undefined;
  /** Its path in the request body; by default the name of its input. */
  readonly path?: string;
  /** One input, select or textarea. */
  readonly children: VNode<{ readonly name?: string }>;
}

/** A labelled input, linked to its hint and error for screen readers. */
export function Field({ label, hint, error: ours, path, children }: FieldProps): VNode {
  const id = useId();
  const refusal = useRefusal(path ?? children.props.name);
  const error = ours ?? refusal;
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`];
  const input = cloneElement(children, {
    id,
    'aria-describedby': described.filter((each) => each !== '').join(' ') || undefined,
    'aria-invalid': error === undefined ? undefined : 'true',
  });
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {input}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} class="fault">
          <span aria-hidden="true">⚠ </span>
          {error}
        </p>
      )}
    </div>
  );
}
