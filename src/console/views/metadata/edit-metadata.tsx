import { useEffect, useRef, useState } from 'preact/hooks';
import type { OperationId } from '../../../client/operations';
import { type Metadata, METADATA_LIMITS } from '../../../domain/metadata';
import { Field } from '../../parts';
import { Action } from '../common/action';
import { applyEdit } from './metadata-edit';

interface EditMetadataProps {
  /** The current pairs. */
  readonly of: Metadata;
  /** The operation that `save` calls. */
  readonly needs: OperationId;
  readonly changes: readonly string[];
  /** Replaces all pairs. @throws ApiError */
  readonly save: (pairs: Metadata) => Promise<unknown>;
}

/** The merchant's own pairs, which dueday only stores. Concurrent changes by others are preserved. */
export function EditMetadata({ of, needs, changes, save }: EditMetadataProps) {
  const opened = useRef(of);
  return (
    <Action
      label="Edit metadata"
      title="Edit metadata"
      action="Save metadata"
      needs={needs}
      changes={changes}
      consequences={
        <p>
          Metadata appears in lists, events and CSV files. It stays when a payer is erased, so enter no personal data.
        </p>
      }
      run={(form) => save(applyEdit({ opened: opened.current, typed: pairsIn(form), current: of }))}
    >
      <PairFields of={of} onShown={(pairs) => void (opened.current = pairs)} />
    </Action>
  );
}

interface PairFieldsProps extends Pick<EditMetadataProps, 'of'> {
  /** Called once, with the initial pairs. */
  readonly onShown: (pairs: Metadata) => void;
}

/** Reads the pairs when the dialog opens: later changes do not overwrite what the user types. */
function PairFields({ of, onShown }: PairFieldsProps) {
  useEffect(() => onShown(of), []);
  const [rows, setRows] = useState(() => [...Object.entries(of), ['', ''] as const].slice(0, METADATA_LIMITS.pairs));
  const name = (row: number, key: string) =>
    setRows(rows.map((each, index) => (index === row ? ([key, each[1]] as const) : each)));
  return (
    <>
      {rows.map(([key, value], row) => (
        <div key={row} class="pair">
          <Field label={`Key ${row + 1}`}>
            <input
              name="key"
              autocomplete="off"
              value={key}
              onInput={(event) => name(row, event.currentTarget.value)}
            />
          </Field>
          <Field label={`Value ${row + 1}`} path={`metadata.${key}`}>
            <input name="value" autocomplete="off" defaultValue={value} />
          </Field>
        </div>
      ))}
      <p class="hint">To remove a pair, empty its key and its value. At most {METADATA_LIMITS.pairs} pairs.</p>
      <button
        type="button"
        disabled={rows.length >= METADATA_LIMITS.pairs}
        onClick={() => setRows([...rows, ['', '']])}
      >
        Add a pair
      </button>
    </>
  );
}

/** @throws Error if a key occurs twice, as one of its values would be lost */
function pairsIn(form: FormData): Metadata {
  const [keys, values] = [texts(form, 'key'), texts(form, 'value')];
  const pairs = new Map<string, string>();
  keys.forEach((key, row) => {
    const value = values[row] ?? '';
    if (key === '' && value === '') return;
    if (pairs.has(key)) throw new Error(`The key "${key}" occurs twice.`);
    pairs.set(key, value);
  });
  return Object.fromEntries(pairs);
}

function texts(form: FormData, name: string): string[] {
  return form.getAll(name).map((each) => (typeof each === 'string' ? each : ''));
}
