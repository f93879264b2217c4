import { useEffect, useRef, useState } from 'preact/hooks';
import type { OperationId } from '../../../client/operations';
import { type Metadata, METADATA_LIMITS } from '../../../domain/metadata';
import { Field } from '../../parts';
import { Action } from './action';
import { applyEdit } from './metadata-edit';

interface EditMetadataProps {
  /** As they stand now. */
  readonly of: Metadata;
  /** The call that `save` makes. */
  readonly needs: OperationId;
  readonly changes: readonly string[];
  /** Takes all of them: what is not among them goes. @throws ApiError */
  readonly save: (pairs: Metadata) => Promise<unknown>;
}

/** The merchant's own pairs, which steer nothing. What others write while the user types is not undone. */
export function EditMetadata({ of, needs, changes, save }: EditMetadataProps) {
  const opened = useRef(of);
  return (
    <Action
      label="Edit metadata"
      title="Edit the metadata"
      action="Keep metadata"
      needs={needs}
      changes={changes}
      consequences={<p>Lists, events and CSV show them. They stay when a payer is erased: no personal data.</p>}
      run={(form) => save(applyEdit({ opened: opened.current, typed: pairsIn(form), current: of }))}
    >
      <PairFields of={of} onShown={(pairs) => void (opened.current = pairs)} />
    </Action>
  );
}

interface PairFieldsProps extends Pick<EditMetadataProps, 'of'> {
  /** Told once, of the pairs that the fields begin with. */
  readonly onShown: (pairs: Metadata) => void;
}

/** Reads them when it is shown: what changes later does not move what the user types. */
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
      <p class="hint">A pair whose key and value are empty is taken away. At most {METADATA_LIMITS.pairs} pairs.</p>
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

/** @throws Error where a key is there twice, as one of its values would be lost */
function pairsIn(form: FormData): Metadata {
  const [keys, values] = [texts(form, 'key'), texts(form, 'value')];
  const pairs = new Map<string, string>();
  keys.forEach((key, row) => {
    const value = values[row] ?? '';
    if (key === '' && value === '') return;
    if (pairs.has(key)) throw new Error(`Key: expected each once; got "${key}" twice.`);
    pairs.set(key, value);
  });
  return Object.fromEntries(pairs);
}

function texts(form: FormData, name: string): string[] {
  return form.getAll(name).map((each) => (typeof each === 'string' ? each : ''));
}
