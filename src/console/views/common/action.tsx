import { useState } from 'preact/hooks';
import { MINUTE } from '../../../domain/time';
import { Confirm, type ConfirmProps, Dialog, Field } from '../../parts';
import type { OperationId } from '../../../client/operations';
import { may } from '../../session';
import { useInvalidation } from '../../stream';
import { useRepeatKey } from '../../repeat-key';

interface ActionProps extends Pick<ConfirmProps, 'title' | 'consequences' | 'children' | 'isGrave' | 'isUnready'> {
  /** Whether it is the recommended action in this state. */
  readonly isMain?: boolean;
  /** Whether the button is separated from the others, because the action cannot be undone. */
  readonly isApart?: boolean;
  /** Label of the button that opens the dialog. */
  readonly label: string;
  /** Label of the button that carries out the action; `label` by default. */
  readonly action?: string;
  /** The operation that it calls. */
  readonly needs: OperationId;
  /**
   * @param key an Idempotency-Key that stays the same until the call has succeeded or is refused, so that repeating it
   * after a lost response carries out the action only once
   * @throws ApiError, which the dialog shows
   */
  readonly run: (form: FormData, key: string) => Promise<unknown>;
  /** Collections that the action changes, by the first element of their query keys. */
  readonly changes: readonly string[];
  /** Title of the dialog that shows, once only, the secret that `run` returns. */
  readonly shows?: string;
}

/** A button and its dialog: consequences first, then the action. Hidden from users who may not call the operation. */
export function Action(props: ActionProps) {
  const { label, action = label, needs, run, changes, shows, isMain = false, isApart = false, ...rest } = props;
  const [isOpen, setOpen] = useState(false);
  const key = useRepeatKey();
  const [secret, setSecret] = useState<unknown>(null);
  const invalidate = useInvalidation(changes);
  if (!may(needs)) return null;
  const runWithKey = async (form: FormData) => {
    const answer = await key.use((current) => run(form, current));
    if (shows !== undefined) setSecret(answer);
    await invalidate();
  };
  const close = () => {
    setOpen(false);
    key.leave();
  };
  return (
    <>
      <button type="button" class={isMain ? 'main' : isApart ? 'apart' : undefined} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen ? <Confirm action={action} onClose={close} run={runWithKey} {...rest} /> : null}
      {typeof secret === 'string' ? (
        <Secret title={shows ?? ''} value={secret} onClose={() => setSecret(null)} />
      ) : null}
    </>
  );
}

function Secret({ title, value, onClose }: { title: string; value: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose} isHeld>
      <p>This is shown only once. Copy it and store it safely: dueday cannot show it again.</p>
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

/** The text typed; undefined if empty. */
export function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value !== 'string' || value.trim() === '' ? undefined : value.trim();
}

/** The text of a required field: the browser insists on it, and so does the API. */
export function requiredText(form: FormData, name: string): string {
  return textOf(form, name) ?? '';
}

/** The value of a local-time field, in the API's format. */
export function instantOf(form: FormData, name: string): string | undefined {
  const text = textOf(form, name);
  return text === undefined ? undefined : new Date(text).toISOString();
}

/** An instant as the value of a local-time field. @param at epoch ms */
export function localField(at: number): string {
  const local = at - new Date(at).getTimezoneOffset() * MINUTE;
  return new Date(local).toISOString().slice(0, 'YYYY-MM-DDThh:mm'.length);
}

/** The reason, for the audit log. */
export function ReasonField({ isRequired = false }: { readonly isRequired?: boolean }) {
  const hint = isRequired
    ? 'Required. Recorded in the audit log with your name.'
    : 'Optional. Recorded in the audit log with your name.';
  return (
    <Field label="Reason" hint={hint}>
      <input name="reason" required={isRequired} maxLength={500} autocomplete="off" />
    </Field>
  );
}

/** The form field is `amount`. @param start the initial text */
export function AmountField({ label, start }: { readonly label: string; readonly start: string }) {
  return (
    <Field label={label}>
      <input name="amount" inputMode="decimal" required autocomplete="off" defaultValue={start} />
    </Field>
  );
}

/** How the operator knows an outcome that the service does not report. */
export function EvidenceField() {
  return (
    <Field label="Evidence" hint="Required. How do you know? Recorded in the audit log with your name.">
      <textarea name="evidence" required maxLength={500} rows={3} />
    </Field>
  );
}
