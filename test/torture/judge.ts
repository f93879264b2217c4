import { MINUTE } from '../../src/domain/time';
import type { SubscriptionId } from '../../src/domain/ids';
import { type CycleRecord, listCycles, type Pool } from '../../src/ledger';
import type { PaymentAccount } from '../../src/sandbox';
import { authorizedOf } from '../lives/amounts';
import { type AskedOrder, heldAgainst, type MoneyOrder } from '../lives/orders';
import { wrongAmounts } from '../lives/owed';
import { debitedTwice, ledgerDiffers, outsideOfWindow, refusedNeedlessly } from '../chaos/account-checks';
import type { Verdict } from '../chaos/chaos-checks';
import type { ProcessStack } from '../processes/local-stack';
import type { Delivery } from '../scenarios/notice-receiver';
import { collectsEveryDate } from './plan';
import type { TortureLife } from './torture-life';

/** Compares the service's own record with what was promised, and the ledger with that record. */
export async function judge(stack: ProcessStack, ledger: Pool, life: TortureLife): Promise<Verdict> {
  const { paymentId, plan } = life;
  if (paymentId === null) return { doubleDebits: [], lostDates: [], broken: ['it was never ordered'] };
  const { items } = await listCycles(ledger, plan.name as SubscriptionId, { limit: 200, cursor: null });
  const account = stack.sandbox.payment(paymentId);
  const captured = capturesOf(stack, life);
  const refunded = heldApart('refund', life.refunds, refundsOf(account));
  return {
    doubleDebits: [...debitedTwice(account), ...captured.tooMany],
    lostDates: lostDates(life, items),
    broken: [
      ...ledgerDiffers(
        account,
        items.flatMap(({ attempts }) => attempts),
      ),
      ...outsideOfWindow(account),
      ...refusedNeedlessly(stack.sandbox, account),
      ...retriedWrongly(
        account,
        stack.receiver.deliveries.filter(({ data }) => data.subscriptionId === plan.name),
      ),
      ...(endsOf(life).includes(life.ended) ? [] : [`it ended as ${life.ended}`]),
      ...amountsDiffer(life, account, announcedTo(stack, plan.name)),
      ...refunded.tooMany,
      ...refunded.lacking,
      ...captured.lacking,
    ],
  };
}

/** Dates that were not collected although the payer's bank would have paid; for other payers, dates that were never tried. */
function lostDates({ plan }: TortureLife, cycles: readonly CycleRecord[]): string[] {
  const recordOf = (cycle: number) => cycles.find((each) => each.cycle === cycle);
  const due = plan.cycles.map((_, cycle) => cycle);
  const lost = collectsEveryDate(plan.wallet)
    ? due.filter((cycle) => recordOf(cycle)?.status !== 'collected')
    : due.filter((cycle) => recordOf(cycle)?.status === 'missed' || (cycle < 2 && recordOf(cycle) === undefined));
  return lost.map((cycle) => `cycle ${cycle}: ${recordOf(cycle)?.status ?? 'none'}, ${recordOf(cycle)?.reason ?? ''}`);
}

/** The possible ends of a subscription: a payer who cancels after two payments may do so after the last one. */
function endsOf({ plan }: TortureLife): readonly (string | null)[] {
  if (plan.wallet !== 'cancels-after-2') return ['completed'];
  return plan.cycles.length > 2 ? ['cancelled'] : ['completed', 'cancelled'];
}

/** Increases of which the payer was notified. */
function announcedTo({ receiver }: ProcessStack, name: string): readonly (readonly [cycle: unknown, at: number])[] {
  const told = receiver.told(name, 'payment.increase_announced');
  return told.map(({ data, at }) => [data['cycle'], at]);
}

/**
 * Checks amounts: a reduction to the cent, an increase only if the payer was notified of it. Whether the program knew of that
 * notice before the first attempt depends on what was killed when.
 */
function amountsDiffer(
  { plan, requests }: TortureLife,
  account: PaymentAccount,
  told: ReturnType<typeof announcedTo>,
): string[] {
  const { repetition, firstPaymentAt: first, endAt: end, cents } = plan;
  return wrongAmounts({
    terms: { repetition, first, end, cents },
    requests,
    authorizations: authorizedOf(account),
    isTold: ({ fromCycle, moment }, before) =>
      told.some(([cycle, at]) => cycle === fromCycle && at >= moment.earliest && at < before) ? 'perhaps' : 'no',
  });
}

function refundsOf({ refunds }: PaymentAccount): MoneyOrder[] {
  const made = refunds.filter(({ result }) => result !== 'failed');
  return made.map(({ captureId, amount }) => ({ captureId, cents: amount }));
}

function capturesOf(stack: ProcessStack, { payment }: TortureLife): ReturnType<typeof heldApart> {
  if (payment?.paymentId == null) return { tooMany: [], lacking: [] };
  const debits = stack.sandbox.payment(payment.paymentId).debits.filter(({ status }) => status !== 'failed');
  const made = debits.map(({ amount }) => ({ captureId: null, cents: amount.value }));
  return heldApart('capture', payment.captures, made);
}

/** Checks that each order with an answer was made once, and each without an answer at most once. */
function heldApart(
  what: string,
  ordered: readonly AskedOrder[],
  made: readonly MoneyOrder[],
): { readonly tooMany: string[]; readonly lacking: string[] } {
  const sureFirst = ordered.toSorted((one, other) => Number(other.isSure) - Number(one.isSure));
  const { tooMany, lacking } = heldAgainst(sureFirst, made);
  return {
    tooMany: tooMany.map(({ cents }) => `a ${what} of ${cents} cents too many`),
    lacking: lacking.filter(({ isSure }) => isSure).map(({ cents }) => `a ${what} of ${cents} cents was not made`),
  };
}

const MAX_TRIES = 4;
const LATEST_RETRY = 72 * 60 * MINUTE;

/** "At most 3 attempts within a 3-day window, and only after informing the payer" of the failure just before. */
function retriedWrongly({ authorizations }: PaymentAccount, deliveries: readonly Delivery[]): string[] {
  const tried = [...new Set(authorizations.map(({ cycle }) => cycle))];
  return tried.flatMap((cycle) => {
    const made = authorizations.filter((each) => each.cycle === cycle);
    const times = made.map(({ createdAt }) => Date.parse(createdAt));
    const [first = 0, ...retries] = times;
    const unnotified = retries.filter((at, failures) => {
      return !deliveries.some(
        ({ accepted, type, data, at: told }) =>
          accepted &&
          type === 'payment.failed' &&
          data['cycle'] === cycle &&
          data['attempt'] === failures &&
          told >= (times[failures] ?? 0) &&
          told + MINUTE <= at,
      );
    });
    return [
      ...(made.length > MAX_TRIES ? [`cycle ${cycle} was tried ${made.length} times`] : []),
      ...retries.filter((at) => at > first + LATEST_RETRY).map(() => `cycle ${cycle} was retried after 72 h`),
      ...unnotified.map((at) => `cycle ${cycle} was retried at ${new Date(at).toISOString()} without a notice before`),
    ];
  });
}

/** Debits of payments whose request got no answer: such payments may exist, but must not be debited. */
export function orphanDebits({ sandbox }: ProcessStack, lives: readonly TortureLife[]): string[] {
  const ours = new Set(
    lives.flatMap(({ paymentId, payment }) => [paymentId as string | null, payment?.paymentId ?? null]),
  );
  const orphans = sandbox.debits().filter(({ paymentId }) => !ours.has(paymentId));
  return orphans.map(({ paymentId, cycle }) => `${paymentId}, which was not ordered, was debited for cycle ${cycle}`);
}
