import type { Attention } from '../common/schemas';

/** How urgent an item is. */
export type Severity = 'critical' | 'serious' | 'routine';

/** Money may have been taken twice, by mistake, or without a record, or nothing is collected at all. */
const CRITICAL: ReadonlySet<string> = new Set([
  'unresolved',
  'unlisted',
  'contradiction',
  'debit_after_cancel',
  'debit_unknown',
  'authorization_unknown',
  'capture_unresolved',
  'refund_unresolved',
  'refund_unknown',
  'sending_halted',
  'installation',
]);

/** Nothing is lost by waiting for a day. */
const ROUTINE: ReadonlySet<string> = new Set([
  'dead_letter',
  'amount_change_dropped',
  'cancellation_unconfirmed',
  'consent_unsettled',
  'not_compared',
]);

export function severityOf({ kind }: Pick<Attention, 'kind'>): Severity {
  if (CRITICAL.has(kind)) return 'critical';
  return ROUTINE.has(kind) ? 'routine' : 'serious';
}

/** The tone of the badge of each severity. */
export const SEVERITY_TONES: Readonly<Record<Severity, 'bad' | 'warning' | 'quiet'>> = {
  critical: 'bad',
  serious: 'warning',
  routine: 'quiet',
};
