import { amountDue } from '../../domain/reports/forecast';
import { collectionWindow, dueAt, firstCycleFrom, hasCycle } from '../../domain/subscription/schedule';
import { isTerminal } from '../../domain/subscription/state';
import type { Instant } from '../../domain/time';
import type { KeyPowers, SteeredCycles, SubscriptionRecord } from '../../ledger';
import { viewPayer } from '../payers/schema';
import type { ScheduledCycleOut, SubscriptionOut } from './schema';

/**
 * At most `count` upcoming cycles, each with the amount it will collect as far as is known today. Skipped cycles and those
 * within a pause are left out; if the pause has no end, all cycles are left out (rules 21, 23).
 * @param steered cycles that an operator has skipped or postponed
 * @param now business time
 */
export function viewSchedule(
  record: SubscriptionRecord,
  steered: SteeredCycles,
  count: number,
  now: Instant,
): ScheduledCycleOut[] {
  const first = firstUpcoming(record);
  const onHoldUntil = heldUntilOf(record, now) ?? now;
  const cycles: ScheduledCycleOut[] = [];
  if (first === null) return cycles;
  for (let n = first; cycles.length < count && hasCycle(record, n); n += 1) {
    const { dueAt: due, collectBy } = collectionWindow(record, n);
    if (steered.skipped.includes(n)) continue;
    const { until: postponedUntil = null } = steered.postponed.find(({ cycle }) => cycle === n) ?? {};
    const heldUntil = Math.max(postponedUntil ?? due, now) < onHoldUntil ? onHoldUntil : null;
    cycles.push({ cycle: n, dueAt: due, collectBy, amount: amountDue(record, due), postponedUntil, heldUntil });
  }
  return cycles;
}

/** Null if no cycle is left, or none until the subscription is resumed. */
function firstUpcoming(record: SubscriptionRecord): number | null {
  const { status, nextDueAt, pausedUntil } = record;
  if (isTerminal(status) || record.stoppedBy === 'cancel' || nextDueAt === null) return null;
  const next = firstCycleFrom(record, nextDueAt);
  if (status !== 'paused') return next;
  return pausedUntil === null ? null : firstCycleFrom(record, Math.max(dueAt(record, next), pausedUntil));
}

/** When the last hold of the subscription ends; null unless a hold stops its attempts now. */
function heldUntilOf({ heldUntil, status }: SubscriptionRecord, now: Instant): Instant | null {
  return heldUntil === null || heldUntil <= now || isTerminal(status) ? null : heldUntil;
}

/** Whether a cancellation was accepted that the service has not confirmed yet (rule 24). `stoppedBy` remains afterwards. */
function isCancelling({ stoppedBy, status }: SubscriptionRecord): boolean {
  return stoppedBy === 'cancel' && !isTerminal(status);
}

/** The ledger's record as the API shows it to this caller. @param now business time */
export function viewSubscription(
  record: SubscriptionRecord,
  caller: Pick<KeyPowers, 'role' | 'scopes'>,
  now: Instant,
): SubscriptionOut {
  const { payer, pendingChange, warnings } = record;
  return {
    ...record,
    payer: viewPayer(payer, caller),
    consent: viewConsent(record.consent, record.status === 'pending_consent'),
    heldUntil: heldUntilOf(record, now),
    cancelling: isCancelling(record) ? true : undefined,
    pendingAmountChange:
      pendingChange === null ? undefined : { ...pendingChange, payerNotice: pendingChange.announcement.kind },
    warnings: warnings.length === 0 ? undefined : [...warnings],
  };
}

/** The redirect address is useful only while the payer can still approve. */
export function viewConsent<Consent extends object>(consent: Consent, canApprove: boolean) {
  return canApprove ? consent : { ...consent, redirectURL: null };
}
