import type { NotifiedAttempt } from '../../src/ledger';
import type { PaymentAccount, Sandbox } from '../../src/sandbox';

/** Cycles with more than one debit, by the service's own record: a debit that is still being booked counts, too. */
export function debitedTwice({ debits }: PaymentAccount): string[] {
  const cycles = debits.filter(({ status }) => status !== 'failed').map(({ cycle }) => cycle);
  return cycles
    .filter((cycle, index) => cycles.indexOf(cycle) !== index)
    .map((cycle) => `cycle ${cycle} was debited twice`);
}

/** Compares the ledger's debits with the service's, and lists sends that the ledger has left open. */
export function ledgerDiffers({ debits }: PaymentAccount, attempts: readonly NotifiedAttempt[]): string[] {
  const atService = namesOf(debits.filter(({ status }) => status === 'successful'));
  const inLedger = namesOf(attempts.filter(({ state }) => state === 'successful'));
  const open = attempts.filter(({ state }) => ['sending', 'pending', 'unknown', 'unresolved'].includes(state));
  return [
    ...(atService === inLedger ? [] : [`debits ${atService}, ledger ${inLedger}`]),
    ...open.map((each) => `cycle ${each.cycle} is left ${each.state}`),
  ];
}

/** "Up to 5 days (120 hours)", ms. */
const WINDOW = 120 * 3_600_000;

export function outsideOfWindow({ authorizations }: PaymentAccount): string[] {
  const late = authorizations.filter(({ createdAt, scheduledAt }) => {
    const after = Date.parse(createdAt) - Date.parse(scheduledAt ?? createdAt);
    return after < 0 || after >= WINDOW;
  });
  return late.map(({ authorizationId, createdAt }) => `${authorizationId} made outside of its window, at ${createdAt}`);
}

/**
 * Refusals because of limits that dueday itself must respect; rejections by a bank and simulated faults do not count.
 */
export function refusedNeedlessly(sandbox: Sandbox, { paymentId }: PaymentAccount): string[] {
  const ours = sandbox.refusals().filter((each) => each.paymentId === paymentId && OURS.includes(each.detail));
  return ours.map(({ detail }) => `the service had to refuse: ${detail}`);
}

const OURS = ['INTERVAL_NOT_MATCHED', 'RETRY_NOT_ALLOWED', 'AMOUNT_NOT_ALLOWED', 'CONSENT_NOT_VALID'];

interface Ids {
  readonly authorizationId: string | null;
  readonly captureId: string | null;
}

function namesOf(debits: readonly Ids[]): string {
  return debits
    .map(({ authorizationId, captureId }) => `${authorizationId} ${captureId}`)
    .sort()
    .join(', ');
}
