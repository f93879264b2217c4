import type { Policy } from '../dependencies';
import { z } from 'zod';
import { formatMoney, type Money } from '../../domain/money';
import { categoryCap } from '../../domain/payment/capture-rules';
import { COLLECTION_WINDOW } from '../../domain/subscription/schedule';
import { HOUR, isInstant, LAST_INSTANT, toIso, type Instant } from '../../domain/time';
import type { CreateOutcome, ReplacedByAnother } from '../../temporal';
import { type Fault, Problem, serviceUnavailable, stateConflict } from '../http/problems';
import { fault, shapeOf } from '../http/validation';
import type { CreateSubscription } from './schema';

type Known = Partial<CreateSubscription>;

/** "The Subscription plan is available in the sandbox environment only until its production release" (reference). */
export function refuseUnreleased({ environment, subscriptionsReleased }: Policy): void {
  if (environment === 'sandbox' || subscriptionsReleased) return;
  throw stateConflict(
    'Subscriptions are not released in production yet, or this installation is not configured for them.',
  );
}

/** The valid fields of a body, even if others are faulty: rules check these, so that all faults are reported at once. */
export function readableFields<T extends z.ZodObject<z.ZodRawShape>>(
  { shape }: T,
  body: unknown,
): Partial<z.output<T>> {
  if (typeof body !== 'object' || body === null) return {};
  const fields = Object.entries(shape).flatMap(([name, schema]) => {
    const result = z.safeParse(schema, (body as Record<string, unknown>)[name]);
    return result.success ? [[name, result.data] as const] : [];
  });
  return Object.fromEntries(fields) as Partial<z.output<T>>;
}

/**
 * The faults that no single field shows: the order of the dates, the clock, the merchant's category, the return
 * address.
 */
export function ruleFaults(known: Known, policy: Policy, now: Instant): Fault[] {
  return [...dateFaults(known, now), ...amountFaults(known, policy), ...returnFaults(known, policy)];
}

/**
 * Rules 2 and 3: firstPaymentAt is before neither now nor startAt, endAt is after firstPaymentAt, and there is a first
 * cycle.
 */
function dateFaults(known: Known, now: Instant): Fault[] {
  const { startAt, firstPaymentAt, endAt } = known;
  const faults: Fault[] = [];
  if (firstPaymentAt !== undefined && firstPaymentAt < now) {
    faults.push(dateFault('firstPaymentAt', `a time not before now, ${toIso(now)}`, firstPaymentAt));
  }
  if (firstPaymentAt !== undefined && startAt !== undefined && firstPaymentAt < startAt) {
    faults.push(dateFault('firstPaymentAt', `a time not before startAt, ${toIso(startAt)}`, firstPaymentAt));
  }
  if (firstPaymentAt !== undefined && endAt !== undefined && endAt <= firstPaymentAt) {
    faults.push(dateFault('endAt', `a time after firstPaymentAt, ${toIso(firstPaymentAt)}`, endAt));
  }
  // If there is an endAt, it ends the window in time.
  if (firstPaymentAt !== undefined && endAt === undefined && !isInstant(firstPaymentAt + COLLECTION_WINDOW)) {
    faults.push(dateFault('firstPaymentAt', EARLY_ENOUGH, firstPaymentAt));
  }
  return faults;
}

/** The collection window of a cycle must end by the last instant (rule 3). */
const EARLY_ENOUGH = `a time at least ${COLLECTION_WINDOW / HOUR} hours before ${toIso(LAST_INSTANT)}`;

/** Dates are not secret, and showing the parsed one reveals wrong offsets. */
function dateFault(path: string, expected: string, got: Instant): Fault {
  return { path, message: `expected ${expected}; got ${toIso(got)}` };
}

/** The fault of an amount above the cap that the service has for some merchant categories (rule 26). */
export function amountFaults({ amount }: Pick<Known, 'amount'>, { merchantCategoryCode: category }: Policy): Fault[] {
  return amount === undefined ? [] : capFaults(amount, category, `for category ${category}`);
}

/** @param where what the cap applies to, in words */
export function capFaults(amount: Money, category: string | undefined, where: string): Fault[] {
  const cap = categoryCap(category);
  if (cap === null || amount.value <= cap.value) return [];
  return [fault('amount.value', `at most ${cap.value}, which is ${formatMoney(cap)}, ${where}`, amount.value)];
}

export function returnFaults(known: Pick<Known, 'returnURL'>, policy: Policy): Fault[] {
  if (known.returnURL === undefined || isReturnAddress(known.returnURL, policy)) return [];
  const loopback = policy.environment === 'sandbox' ? ', or http on a loopback address' : '';
  const expected = `an https address${loopback}, without user name and password`;
  return [{ path: 'returnURL', message: `expected ${expected}; got ${shapeOf(known.returnURL)}` }];
}

/** Rule 6: https (with the sandbox, http on loopback is also allowed), and no user name or password. */
function isReturnAddress(text: string, policy: Policy): boolean {
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && policy.environment === 'sandbox' && isLoopback(url.hostname);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** @throws Problem unless the outcome is a creation; `notYet` if one is still possible, by this request or another one */
export function requireCreated(outcome: CreateOutcome, notYet: Problem): void {
  switch (outcome.kind) {
    case 'created':
      return;
    case 'refused': {
      const { detail, description } = outcome;
      const message = `refused by the payment service (${detail}): ${description}`;
      const errors = [{ path: '', message }];
      throw new Problem('invalid_request', `The payment service refused the request: ${description}`, { errors });
    }
    case 'unavailable':
      throw serviceUnavailable('Nothing was created; the request may be repeated.', outcome.reason);
    case 'replaced_by_another':
      throw alreadyReplaced(outcome);
    case 'not_allowed':
      throw new Problem(outcome.refusal.code, outcome.refusal.message);
    case 'exists':
    case 'not_ready':
      throw notYet;
  }
}

/** Names the other replacement and, while its consent is open, the address where its payer approves it (rule 22). */
export function alreadyReplaced({ other }: ReplacedByAnother): Problem {
  const { subscriptionId, redirectURL } = other;
  const status = other.status === 'draft' ? 'pending_consent' : other.status;
  const isOpen = other.status === 'pending_consent' && redirectURL !== null;
  const where = isOpen ? ` Its payer can approve it at ${redirectURL}.` : '';
  return new Problem(
    'state_conflict',
    `Subscription ${subscriptionId}, which is ${status}, is already the replacement.${where} To create another replacement, cancel ${subscriptionId} first.`,
    { replacement: { subscriptionId, status, ...(isOpen ? { redirectURL } : {}) } },
  );
}
