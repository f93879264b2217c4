import type { SubscriptionId } from '../../domain/ids';
import { dueAt, firstCycleFrom, hasCycle, isLastWindowCut } from '../../domain/subscription/schedule';
import { DAY, type Instant, MINUTE, toIso } from '../../domain/time';
import { type ComparedMandate, findDuplicates, getSubscription } from '../../ledger';
import type { AdminDeps, Policy } from '../dependencies';
import { parseInstant } from '../http/fields';
import type { CreateSubscription } from './schema';

/** Sentences about what is allowed but may be a mistake. Programs can recognize those that start with a code and a colon. */
type Warnings = readonly string[];

type Created = Omit<CreateSubscription, 'returnURL'>;

/**
 * Warnings about a new or imported subscription by itself (rule 2).
 * @param written the body as the caller sent it: parsed instants have lost their offset
 */
export function creationWarnings(agreement: Created, written: unknown, policy: Policy): Warnings {
  return [...endWarnings(agreement), ...dayWarnings(agreement, written), ...channelWarnings(agreement, policy)];
}

function endWarnings({ firstPaymentAt, repetition, endAt }: Created): Warnings {
  if (endAt === undefined) return [];
  const calendar = { firstPaymentAt, repetition, endAt };
  const last = firstCycleFrom(calendar, endAt) - 1;
  if (!isLastWindowCut(calendar, last)) return [];
  return [`endAt leaves less than 120 hours to collect cycle ${last}, the last one`];
}

/** Due dates are calculated in UTC: the caller may mean another day, and later due dates may differ by more than a day. */
function dayWarnings(agreement: Created, written: unknown): Warnings {
  const { firstPaymentAt: text } = (written ?? {}) as { readonly firstPaymentAt?: unknown };
  const offset = typeof text === 'string' ? offsetOf(text, agreement.firstPaymentAt) : null;
  if (typeof text !== 'string' || offset === null) return [];
  const [day, dayInUtc] = [text.slice(0, 10), toIso(agreement.firstPaymentAt).slice(0, 10)];
  if (day === dayInUtc) return [];
  const first = firstDueDates(agreement).map((due) => atOffset(due, offset));
  return [
    `day_shift: firstPaymentAt is on ${day} at its offset, but on ${dayInUtc} in UTC, which determines due dates. ` +
      `At its offset, it is due ${first.join(', ')}. ${toIso(withinDay(day, offset))} is on ${day} in both.`,
  ];
}

/** Ms by which the local time is ahead of UTC; null if the text is not this instant. */
function offsetOf(text: string, instant: Instant): number | null {
  const local = parseInstant(text.replace(/(Z|[+-][\d:]+)$/, 'Z'));
  return local === null || parseInstant(text) !== instant ? null : local - instant;
}

const SHOWN = 3;

function firstDueDates({ firstPaymentAt, repetition, endAt }: Created): Instant[] {
  const calendar = { firstPaymentAt, repetition, endAt: endAt ?? null };
  const cycles = Array.from({ length: SHOWN }, (_, n) => n).filter((n) => hasCycle(calendar, n));
  return cycles.map((n) => dueAt(calendar, n));
}

function atOffset(instant: Instant, offset: number): string {
  const minutes = Math.abs(offset) / MINUTE;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return toIso(instant + offset).replace('Z', `${offset < 0 ? '-' : '+'}${hours}:${rest}`);
}

/** The middle of the hours that are on this day both in UTC and at the offset, so that a clock change shifts no date. */
function withinDay(day: string, offset: number): Instant {
  return Date.parse(`${day}T00:00:00Z`) + (DAY - offset) / 2;
}

/** Warns if no channel can reach the payer: without a delivered notice there is no retry (rule 13). */
function channelWarnings({ payer, billingAddress }: Created, { payerChannels }: Policy): Warnings {
  if (payerChannels.includes('webhook')) return [];
  if (payerChannels.includes('email') && (payer.email ?? billingAddress.email) !== undefined) return [];
  return ['no_channel: no notice can reach the payer, so no retry will be possible'];
}

/** Warnings by id for agreements that duplicate another subscription of their payer. */
export async function duplicateWarnings(
  { db }: Pick<AdminDeps, 'db'>,
  agreements: readonly (Created & { readonly id: SubscriptionId })[],
): Promise<ReadonlyMap<SubscriptionId, string>> {
  const compared = agreements.flatMap(comparedOf);
  const found = new Map([...duplicatesAmong(compared), ...(await findDuplicates(db, compared))]);
  return new Map(
    [...found].map(([id, other]) => [
      id,
      `duplicate_mandate: ${other} is active for the same payer reference, amount and repetition`,
    ]),
  );
}

function comparedOf({
  id,
  payer,
  amount,
  repetition,
  replaces,
}: Created & { readonly id: SubscriptionId }): readonly ComparedMandate[] {
  if (payer.reference === undefined) return [];
  return [{ subscriptionId: id, reference: payer.reference, amount, repetition, replaces: replaces ?? null }];
}

/** Duplicates within the same request: the second duplicates the first. */
function duplicatesAmong(compared: readonly ComparedMandate[]): ReadonlyMap<SubscriptionId, SubscriptionId> {
  const [first, found] = [new Map<string, SubscriptionId>(), new Map<SubscriptionId, SubscriptionId>()];
  for (const { subscriptionId, reference, amount, repetition } of compared) {
    const key = JSON.stringify([reference, amount.value, repetition]);
    const other = first.get(key);
    if (other === undefined) first.set(key, subscriptionId);
    else found.set(subscriptionId, other);
  }
  return found;
}

/** Warns if the replaced subscription has a due date before the new one starts: that date may not be collected (rule 22). */
export async function replacementWarnings(
  { db }: Pick<AdminDeps, 'db'>,
  { replaces, firstPaymentAt }: Created,
): Promise<Warnings> {
  const due = replaces === undefined ? null : (await getSubscription(db, replaces))?.nextDueAt;
  if (due == null || due >= firstPaymentAt) return [];
  return [
    `${replaces} has a due date at ${toIso(due)}, before firstPaymentAt; it is not collected if the new subscription is active by then`,
  ];
}
