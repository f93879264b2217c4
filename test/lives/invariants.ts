import type { PaymentAccount } from '../../src/sandbox';
import { authorizedOf } from './amounts';
import { closeOf, dueOf, HOUR, MINUTE, words, cyclesBefore } from './calendar';
import { endOf, type Model, type Outcome, outcomesOf, wasPaused } from './model';
import { HASTE } from './moment';
import { heldAgainst } from './orders';
import { type AmountStory, isTold, wrongAmounts } from './owed';
import type { Seen } from './seen';

/** The broken invariants, as texts. */
export function brokenInvariants(model: Model, seen: Seen): string[] {
  return [
    ...debitedTwice(seen.serviceAfter),
    ...outsideOfWindow(model, seen),
    ...whileHeld(model, seen),
    ...whileOnHold(model, seen),
    ...beforeTheirTime(model, seen),
    ...retriedWrongly(seen),
    ...sentWhileUnknown(seen),
    ...ledgerDiffers(seen),
    ...wrongAmounts(amountStory(model, seen.serviceAfter, seen.told)),
    ...refundedWrongly(model, seen),
    ...paidWrongly(model, seen),
    ...otherOutcome(model, seen),
    ...unexplained(seen),
    ...seen.refusals.map((refusal) => `refused needlessly: ${refusal}`),
  ];
}

type Authorization = Seen['serviceAfter']['authorizations'][number];

function byCycle({ authorizations }: Pick<PaymentAccount, 'authorizations'>): Map<number, Authorization[]> {
  const groups = new Map<number, Authorization[]>();
  for (const authorization of authorizations) {
    const cycle = authorization.cycle ?? -1;
    groups.set(cycle, [...(groups.get(cycle) ?? []), authorization]);
  }
  return groups;
}

/** "Per cycle at most one successful debit", and none beside one that may still succeed. */
export function debitedTwice(account: Pick<PaymentAccount, 'authorizations'>): string[] {
  return [...byCycle(account)]
    .filter(([, made]) => made.filter(({ result }) => result !== 'failed').length > 1)
    .map(([cycle]) => `cycle ${cycle} was debited twice`);
}

/** "No POST outside a window". */
function outsideOfWindow({ agreement }: Model, seen: Seen): string[] {
  return seen.serviceAfter.authorizations
    .filter(({ cycle, createdAt }) => {
      const at = Date.parse(createdAt);
      return cycle === null || at < dueOf(agreement, cycle) || at >= closeOf(agreement, cycle);
    })
    .map(({ cycle, createdAt }) => `cycle ${cycle} was tried at ${createdAt}, outside of its window`);
}

/** A postponed cycle is not tried before the requested instant. */
function beforeTheirTime({ postponed }: Model, seen: Seen): string[] {
  return seen.serviceAfter.authorizations
    .filter(({ cycle, createdAt }) => Date.parse(createdAt) < (postponed.get(cycle ?? -1) ?? 0))
    .map(({ cycle, createdAt }) => `cycle ${cycle} was tried at ${createdAt}, though it was postponed`);
}

/** Once a hold is answered, nothing is sent until it ends. */
function whileOnHold({ holds }: Model, seen: Seen): string[] {
  return seen.serviceAfter.authorizations
    .filter(({ createdAt }) => {
      const at = Date.parse(createdAt);
      return holds.some(({ from, to }) => at > from.latest + HASTE && at < to.earliest);
    })
    .map(({ cycle, createdAt }) => `cycle ${cycle} was tried at ${createdAt}, while on hold`);
}

/** No POST "while paused, cancelled", for a cycle that was skipped by request, or without a consent. */
function whileHeld(model: Model, seen: Seen): string[] {
  const end = endOf(model);
  return seen.serviceAfter.authorizations.flatMap(({ cycle, createdAt }) => {
    const at = Date.parse(createdAt);
    const isPaused = wasPaused(model, at) === 'yes' && wasPaused(model, at - HASTE) === 'yes';
    return [
      ...(isPaused ? [`cycle ${cycle} was tried at ${createdAt}, while paused`] : []),
      ...(end !== null && at > end.latest + HASTE ? [`cycle ${cycle} was tried at ${createdAt}, after the end`] : []),
      ...(model.skips.has(cycle ?? -1)
        ? [`cycle ${cycle} was tried at ${createdAt}, though it was to be skipped`]
        : []),
      ...(model.granted ? [] : [`cycle ${cycle} was tried without a consent`]),
    ];
  });
}

/** "At most 3 attempts within a 3-day window, and only after informing the payer" of the failure just before. */
function retriedWrongly(seen: Seen): string[] {
  return [...byCycle(seen.serviceAfter)].flatMap(([cycle, made]) => {
    const [first] = made;
    if (first === undefined) return [];
    const started = Date.parse(first.createdAt);
    const tooMany = made.length > 4 ? [`cycle ${cycle} was tried ${made.length} times`] : [];
    const late = made.filter(({ createdAt }) => Date.parse(createdAt) > started + 72 * HOUR);
    const unnotified = made.slice(1).filter(({ createdAt }, failures) => {
      const failedAt = Date.parse(made[failures]?.createdAt ?? '');
      return !seen.told.some(
        ({ type, at, ...about }) =>
          type === 'payment.failed' &&
          about.cycle === cycle &&
          about.attempt === failures &&
          at >= failedAt &&
          at + MINUTE <= Date.parse(createdAt),
      );
    });
    return [
      ...tooMany,
      ...late.map(({ createdAt }) => `cycle ${cycle} was retried at ${createdAt}, 72 h after its first failure`),
      ...unnotified.map(
        ({ createdAt }) => `cycle ${cycle} was retried at ${createdAt} without a notice a minute before`,
      ),
    ];
  });
}

/** No POST while an outcome is unknown. */
function sentWhileUnknown({ attempts }: Seen): string[] {
  return attempts.slice(1).flatMap((sent, index) => {
    const before = attempts[index];
    if (before === undefined || before.state === 'pending') return [];
    const isSettled = before.outcomeAt !== null && before.outcomeAt <= sent.at;
    return isSettled ? [] : [`cycle ${sent.cycle} was sent while cycle ${before.cycle} was ${before.state}`];
  });
}

const UNKNOWN_OUTCOME = ['sending', 'unknown', 'unresolved'];

/** "The ledger equals the service's records." */
function ledgerDiffers({ serviceBefore, serviceAfter, attempts }: Seen): string[] {
  const hasUnknownOutcome = attempts.some(({ state }) => UNKNOWN_OUTCOME.includes(state));
  const ids = new Set(attempts.map(({ authorizationId }) => authorizationId));
  const lacking = serviceBefore.authorizations.filter(
    ({ authorizationId, result }) => result !== 'failed' && !ids.has(authorizationId as never) && !hasUnknownOutcome,
  );
  const refusedByBank = serviceBefore.authorizations.filter(({ result }) => result === 'failed').length;
  const refusedInLedger = attempts.filter(({ state, detail }) => {
    return state === 'rejected_retryable' || (state === 'rejected' && detail !== 'CONSENT_NOT_VALID');
  }).length;
  const open = attempts.filter(({ state }) => UNKNOWN_OUTCOME.includes(state) || state === 'pending').length;
  const collected = attempts.filter(({ state }) => state === 'successful');
  const imagined = collected.filter(
    ({ captureId, amount }) =>
      !serviceAfter.debits.some(
        (debit) =>
          debit.captureId === captureId && debit.status === 'successful' && debit.amount.value === amount.value,
      ),
  );
  return [
    ...lacking.map(({ authorizationId }) => `the ledger lacks ${authorizationId}`),
    ...imagined.map(({ cycle }) => `the ledger shows cycle ${cycle} collected, the service does not`),
    ...(refusedInLedger + open < refusedByBank
      ? [`the ledger lacks a refusal: ${refusedInLedger} of ${refusedByBank}`]
      : []),
  ];
}

/** Everything on which the amounts of this life depend. */
export function amountStory(model: Model, account: PaymentAccount, told: Seen['told']): AmountStory {
  const { agreement, requests, outages } = model;
  const reported = { told: told.filter(({ type }) => type === 'payment.increase_announced'), outages };
  return {
    terms: agreement,
    requests,
    authorizations: authorizedOf(account),
    isTold: (change, at) => isTold(agreement, reported, change, at),
  };
}

/** "Refunds together never exceed what was captured": nothing is given back without an order, of another capture, or twice. */
function refundedWrongly({ refunds }: Model, { serviceAfter }: Seen): string[] {
  const made = serviceAfter.refunds.filter(({ result }) => result !== 'failed');
  const { tooMany } = heldAgainst(
    refunds,
    made.map(({ captureId, amount }) => ({ captureId, cents: amount })),
  );
  return tooMany.map(({ captureId, cents }) => `${cents} cents of ${captureId} were given back, which was not ordered`);
}

/** A cycle that was paid by a link is debited once, by the link, and its subscription is not past due for it. */
function paidWrongly({ agreement, now }: Model, { linkDebits, serviceAfter, standing }: Seen): string[] {
  const last = cyclesBefore(agreement, now).length - 1;
  return [...linkDebits].flatMap(([cycle, debits]) => {
    const made = debits.filter(({ status }) => status === 'successful').length;
    const isCollected = serviceAfter.debits.some((each) => each.cycle === cycle && each.status === 'successful');
    return [
      ...(made === 1 ? [] : [`the link of cycle ${cycle} was paid, and debited ${made} times`]),
      ...(isCollected ? [`cycle ${cycle} was paid by a link, and collected`] : []),
      ...(cycle === last && standing === 'past_due' ? [`cycle ${cycle} was paid by a link, and is past due`] : []),
    ];
  });
}

/** Long enough for sends in progress at the end of a window. */
const GRACE = HOUR;
const FINAL = ['collected', 'failed', 'skipped', 'missed'];

/** "Nothing the API accepted is lost": each due date whose window is over has come to one of the ends it may come to. */
function otherOutcome(model: Model, seen: Seen): string[] {
  const { agreement } = model;
  const over = cyclesBefore(agreement, model.now).filter((cycle) => closeOf(agreement, cycle) + GRACE <= model.now);
  return over.flatMap((cycle) => {
    const record = seen.cycles.find((each) => each.cycle === cycle);
    const expected = outcomesOf(model, cycle);
    const outcome = record?.status ?? 'none';
    if (expected.includes(outcome as Outcome)) return [];
    if (!FINAL.includes(outcome) && seen.attempts.some((each) => each.cycle === cycle && each.state === 'pending'))
      return [];
    return [`cycle ${cycle}, due ${words(dueOf(agreement, cycle))}, is ${outcome}; expected ${expected.join(' or ')}`];
  });
}

/** "Every decision can be explained." */
function unexplained({ cycles }: Seen): string[] {
  return cycles
    .filter(({ status, reason }) => ['failed', 'skipped', 'missed'].includes(status) && reason === null)
    .map(({ cycle, status }) => `cycle ${cycle} is ${status} without a reason`);
}
