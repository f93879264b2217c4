import { toIso } from './instant';
import type { Difference, DifferenceKind, Side } from './ledger-differences-records';
import { formatMoney } from './money';

/** A difference in one plain sentence or two. */
export function describeDifference(difference: Difference): string {
  const { kind, cycle, reason } = difference;
  const where = cycle === null ? '' : ` of cycle ${cycle}`;
  const why = reason === null ? '' : `: ${reason}`;
  const hint = kind === 'debit_unknown' ? '; a refund that names its captureId gives it back' : '';
  return `${SENTENCES[kind](where)}${hint}${why}.${sidesOf(difference)}`;
}

const SENTENCES: Readonly<Record<DifferenceKind, (where: string) => string>> = {
  authorization_unknown: () =>
    'The service has an authorization that no attempt of ours explains; it may become a debit',
  authorization_missing: (where) => `The service does not list the authorization${where} that the ledger has`,
  authorization_state: (where) => `The authorization${where} stands otherwise at the service than in the ledger`,
  authorization_amount: (where) => `The authorization${where} has another amount at the service than in the ledger`,
  debit_unknown: (where) => `The service has a debit${where} that nothing of ours explains`,
  debit_missing: (where) => `The service does not list the debit${where} that the ledger has`,
  debit_state: (where) => `The debit${where} stands otherwise at the service than in the ledger`,
  debit_amount: (where) => `The debit${where} has another amount at the service than in the ledger`,
  refund_unknown: (where) => `The service has a refund${where} that nobody has ordered here`,
  refund_missing: (where) => `The service does not list the refund${where} that the ledger has`,
  refund_state: (where) => `The refund${where} stands otherwise at the service than in the ledger`,
  refund_amount: (where) => `The refund${where} has another amount at the service than in the ledger`,
  not_compared: () => 'What the service says of this payment cannot be read, so nothing was compared',
};

function sidesOf({ ledger, service, kind }: Difference): string {
  if (kind === 'not_compared') return '';
  return ` Ledger: ${describeSide(ledger)}; service: ${describeSide(service)}.`;
}

function describeSide(side: Side | null): string {
  return side === null ? 'nothing' : `${side.state}, ${formatMoney(side.amount)}, ${toIso(side.at)}`;
}
