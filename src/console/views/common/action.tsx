import { useState } from 'preact/hooks';
import { ApiError } from '../../client';
import { Confirm, type ConfirmProps, Dialog, Field } from '../../parts';
import type { OperationId } from '../../../client/operations';
import { may } from '../../session';
import { useInvalidation } from '../../stream';

interface ActionProps extends Pick<ConfirmProps, 'title' | 'consequences' | 'children' | 'isGrave' | 'isUnready'> {
  /** Whether it is the first thing to do in this state. */
  readonly isMain?: boolean;
  /** Whether it is kept apart from the others, as it ends something for good. */
  readonly isApart?: boolean;
  /** On the button that opens it. */
  readonly label: string;
  /** On the button that does it; the label where it is left out. */
  readonly action?: string;
  /** The call that it makes. */
  readonly needs: OperationId;
  /**
   * @param key an Idempotency-Key that stays the same until it is done: repeated after a lost answer, it is done once
   * @throws ApiError, shown in the dialog in the API's own words
   */
  readonly run: (form: FormData, key: string) => Promise<unknown>;
  /** Collections that it changes, by the first element of their keys. */
  readonly changes: readonly string[];
  /** Heads the secret that `run` resolves to, which is shown this once. */
  readonly shows?: string;
}

/** A button and its dialog: consequences first, then the action. Not offered to those who may not do it. */
export function Action(props: ActionProps) {
  const { label, action = label, needs, run, changes, shows, isMain = false, isApart = false, ...rest } = props;
  const [isOpen, setOpen] = useState(false);
  const [key, setKey] = useState(newKey);
  const [secret, setSecret] = useState<unknown>(null);
  const invalidate = useInvalidation(changes);
  if (!may(needs)) return null;
  const runByKey = async (form: FormData) => {
    try {
      const answer = await run(form, key);
      if (shows !== undefined) setSecret(answer);
    } catch (fault) {
      if (isRefusal(fault)) setKey(newKey);
      throw fault;
    }
    setKey(newKey);
    await invalidate();
  };
  return (
    <>
      <button type="button" class={isMain ? 'main' : isApart ? 'apart' : undefined} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen ? <Confirm action={action} onClose={() => setOpen(false)} run={runByKey} {...rest} /> : null}
      {typeof secret === 'string' ? <Once title={shows ?? ''} value={secret} onClose={() => setSecret(null)} /> : null}
    </>
  );
}

/** Said while, or after, the same key has been used: whether something was done is not known yet. */
const NOT_REFUSED = ['idempotency_in_progress', 'idempotency_key_reused'];

/** Whether nothing was done for sure. A lost answer, or a fault, keeps the key: what is repeated is done once. */
function isRefusal(fault: unknown): boolean {
  if (!(fault instanceof ApiError)) return false;
  return fault.status >= 400 && fault.status < 500 && !NOT_REFUSED.includes(fault.code);
}

function newKey(): string {
  return crypto.randomUUID();
}

function Once({ title, value, onClose }: { title: string; value: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose} isHeld>
      <p>It is shown this once. Copy it to where it is kept safe; only a hash of it, or its encryption, stays here.</p>
      <p>
        <code class="secret">{value}</code>
      </p>
      <footer>
        <button type="button" class="main" onClick={() => void navigator.clipboard.writeText(value)}>
          Copy
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </footer>
    </Dialog>
  );
}

/** What was typed; undefined where nothing was. */
export function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value !== 'string' || value.trim() === '' ? undefined : value.trim();
}

/** What had to be typed: the browser asks for it, and the API refuses its absence by name. */
export function requiredText(form: FormData, name: string): string {
  return textOf(form, name) ?? '';
}

/** Of a field of the reader's own time, as the API takes it. */
export function instantOf(form: FormData, name: string): string | undefined {
  const text = textOf(form, name);
  return text === undefined ? undefined : new Date(text).toISOString();
}

/** Why it is done, for the audit log. */
export function ReasonField({ isRequired = false }: { readonly isRequired?: boolean }) {
  const hint = isRequired
    ? 'Kept in the audit log, with your name.'
    : 'Optional. Kept in the audit log, with your name.';
  return (
    <Field label="Reason" hint={hint}>
      <input name="reason" required={isRequired} maxLength={500} autocomplete="off" />
    </Field>
  );
}

/** What is typed is in the form as `amount`. @param start the text at first */
export function AmountField({ label, start }: { readonly label: string; readonly start: string }) {
  return (
    <Field label={label}>
      <input name="amount" inputMode="decimal" required autocomplete="off" defaultValue={start} />
    </Field>
  );
}

/** By what somebody knows an outcome that the service does not tell. */
export function EvidenceField() {
  return (
    <Field label="Evidence" hint="By what you know it. Kept in the audit log, with your name.">
      <textarea name="evidence" required maxLength={500} rows={3} />
    </Field>
  );
}
