import { cloneElement, createContext, type ComponentChildren, type VNode } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { ApiError } from '../client';

type Fault = ApiError['faults'][number];

const Refusals = createContext<readonly Fault[]>([]);

interface RefusedProps {
  /** Why the form was not taken; null where it was not sent yet. */
  readonly error: unknown;
  /** Where in the body its fields lie; at the top where it is left out. */
  readonly under?: string;
  readonly children: ComponentChildren;
}

/** Has each field inside show what the API says of it. */
export function Refused({ error, under, children }: RefusedProps): VNode {
  const faults = error instanceof ApiError ? error.faults : [];
  const start = under === undefined ? '' : `${under}.`;
  const inside = faults
    .filter(({ path }) => path.startsWith(start))
    .map(({ path, message }) => ({ path: path.slice(start.length), message }));
  return <Refusals.Provider value={inside}>{children}</Refusals.Provider>;
}

/** What is said of this part of the body, or of a part inside it. */
function useRefusal(path: string | undefined): string | undefined {
  const faults = useContext(Refusals).filter((fault) => fault.path === path || fault.path.startsWith(`${path ?? ''}.`));
  return faults.length === 0 ? undefined : faults.map(({ message }) => message).join('; ');
}

export interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What is wrong with it, for a person. */
  readonly error?: string | undefined;
  /** What of the body it is, where that is not the name of its input. */
  readonly path?: string;
  /** One input, select or textarea. */
  readonly children: VNode<{ readonly name?: string }>;
}

/** A named input, tied to its hint and its fault for those who do not see them. */
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
