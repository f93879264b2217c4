import { type AmountTerms, type Authorized, currentOf, ruleOn } from './amounts';
import { DAY, dueOf } from './calendar';
import { HASTE, type Moment } from './moment';

/**
 * An accepted request: another amount from a cycle on, or null to withdraw the pending change. If `moment.latest` is Infinity, it
 * is not known whether the request was accepted.
 */
export interface AmountRequest {
  readonly moment: Moment;
  readonly change: { readonly fromCycle: number; readonly cents: number } | null;
}

/** Everything on which the amounts of one subscription depend. */
export interface AmountStory {
  readonly terms: AmountTerms;
  /** The requests in the order in which they were made. */
  readonly requests: readonly AmountRequest[];
  /** Oldest first. */
  readonly authorizations: readonly Authorized[];
  /** Whether the payer has been notified of the increase before the instant, so that the cycle may collect it. */
  readonly isTold: (change: AskedChange, at: number) => Certainty;
}

export type Certainty = 'yes' | 'no' | 'perhaps';
export type AskedChange = NonNullable<AmountRequest['change']> & { readonly moment: Moment };
type Change = AskedChange & {
  readonly increase: Certainty;
  /** The change that the cycle in progress had frozen when this one was requested; null: none. */
  readonly earlier: Change | null;
};

/** The reports about increases. */
export interface Announcements {
  /** The cycle from which an announced change applies, and when it was announced, epoch ms. */
  readonly told: readonly { readonly cycle: number | null; readonly at: number }[];
  /** Times during which no answer came. */
  readonly outages: readonly { readonly from: number; readonly to: number | null }[];
}

/** One possible state. If requests and due dates crossed, or the rules leave it open, there are several. */
interface Standing {
  readonly pending: Change | null;
  /** The amount of the cycle under way, or of the last one. */
  readonly frozen: number;
}

/** How long before the due date the payer is notified of an increase, unless it is requested later than that. */
const AHEAD = 7 * DAY;

/** Every authorization with an amount that was not agreed, not requested or not allowed; as texts. */
export function wrongAmounts(story: AmountStory): string[] {
  return walk(story).wrong;
}

/** The changes that may be pending after all that happened; null: none. */
export function pendingChanges(story: AmountStory): readonly (AmountRequest['change'] | null)[] {
  return walk(story).standings.map(({ pending }) => pending);
}

function walk(story: AmountStory): { readonly wrong: string[]; readonly standings: readonly Standing[] } {
  const { terms, requests, authorizations } = story;
  const wrong: string[] = [];
  let standings: readonly Standing[] = [{ pending: null, frozen: terms.cents }];
  let before = -1;
  const coming = [...requests];
  const take = (isMeant: (request: AmountRequest) => boolean): AmountRequest[] => {
    const end = coming.findIndex((request) => !isMeant(request));
    return coming.splice(0, end === -1 ? coming.length : end);
  };
  for (const { cycle, made } of byCycle(authorizations)) {
    const at = Date.parse(made[0].createdAt);
    const due = dueOf(terms, cycle);
    for (const request of take(({ moment }) => moment.latest + HASTE <= due))
      standings = asked(story, standings, request, before);
    // The amount is frozen between the due date and the first attempt: a request in between may come before or after that.
    const freeze = (one: Standing) => frozenFor(story, one, { cycle, after: before, at });
    let frozen = standings.flatMap(freeze);
    for (const request of take(({ moment }) => moment.earliest < at)) {
      standings = asked(story, standings, request, before);
      frozen = [...asked(story, frozen, request, cycle), ...standings.flatMap(freeze)];
    }
    const fitting = frozen.filter((one) => one.frozen === made[0].amount);
    if (fitting.length === 0) {
      const expected = [...new Set(frozen.map((one) => one.frozen))].join(' or ');
      wrong.push(`cycle ${cycle} was tried with ${made[0].amount} cents; expected ${expected}`);
    }
    for (const { amount, createdAt } of made.slice(1).filter((each) => each.amount !== made[0].amount))
      wrong.push(`cycle ${cycle} was started with ${made[0].amount} cents and tried with ${amount} at ${createdAt}`);
    const isMade = made.some(({ result }) => result !== 'failed');
    standings = distinct(fitting.length > 0 ? fitting : frozen).map((one) => (isMade ? afterMade(one, cycle) : one));
    before = Math.max(before, cycle);
  }
  for (const request of coming) standings = asked(story, standings, request, before);
  return { wrong, standings: distinct(standings) };
}

type Made = readonly [Authorized, ...Authorized[]];

function byCycle(authorizations: readonly Authorized[]): { readonly cycle: number; readonly made: Made }[] {
  const groups = new Map<number, [Authorized, ...Authorized[]]>();
  for (const each of authorizations) {
    const group = groups.get(each.cycle ?? -1);
    if (group === undefined) groups.set(each.cycle ?? -1, [each]);
    else group.push(each);
  }
  return [...groups].map(([cycle, made]) => ({ cycle, made }));
}

/**
 * The possible states after a request. A request for the current amount only withdraws the pending change. A change that the last
 * cycle has frozen stays while that cycle is under way, and may be withdrawn once the cycle has failed; which of the two was the
 * case is not known.
 * @param last the cycle that was tried last
 */
function asked(
  story: AmountStory,
  standings: readonly Standing[],
  { moment, change }: AmountRequest,
  last: number,
): Standing[] {
  return standings.flatMap((one) => {
    const asItWas = moment.latest === Infinity ? [one] : [];
    if (change === null) return [...asItWas, { ...one, pending: one.pending?.earlier ?? null }];
    const made = madeBefore(story, moment.earliest);
    const current = currentOf(story.terms, made);
    const wanted = { ...change, moment };
    const frozen = frozenBy(one, last);
    if (frozen !== null)
      return [...asItWas, ...changed(one, wanted, frozen, [frozen.cents]), ...changed(one, wanted, null, [current])];
    const currents = [current, made.at(-1)?.amount ?? story.terms.cents, one.frozen];
    return [...asItWas, ...changed(one, wanted, null, currents)];
  });
}

/** The pending change with which the cycle was tried; null: none. */
function frozenBy({ pending, frozen }: Standing, cycle: number): Change | null {
  const change = changeFor(pending, cycle);
  return change?.cents === frozen ? change : null;
}

/** The pending change that applies to a cycle: the one requested last among those that begin by then. */
function changeFor(change: Change | null, cycle: number): Change | null {
  return change === null || change.fromCycle <= cycle ? change : changeFor(change.earlier, cycle);
}

/**
 * The possible states after a request for another amount.
 * @param earlier a change that stays pending beside the requested one; null: none
 * @param currents the amounts of which one is the current amount
 */
function changed(one: Standing, wanted: AskedChange, earlier: Change | null, currents: readonly number[]): Standing[] {
  const higher = currents.map((current) => wanted.cents > current);
  const increase: Certainty = higher.every(Boolean) ? 'yes' : higher.some(Boolean) ? 'perhaps' : 'no';
  const isSame = currents.map((current) => wanted.cents === current);
  return [
    ...(isSame.includes(false) ? [{ ...one, pending: { ...wanted, increase, earlier } }] : []),
    ...(isSame.includes(true) ? [{ ...one, pending: earlier }] : []),
  ];
}

interface Freezing {
  readonly cycle: number;
  /** The cycle of the previous authorization. */
  readonly after: number;
  /** The instant of its first attempt. */
  readonly at: number;
}

/** What the cycle may collect: the change if it is allowed and announced, else what was collected last. */
function frozenFor(story: AmountStory, { pending }: Pick<Standing, 'pending'>, freezing: Freezing): Standing[] {
  const { cycle, after, at } = freezing;
  if (pending === null) return [{ pending, frozen: currentOf(story.terms, madeBefore(story, at)) }];
  const without = frozenFor(story, { pending: pending.earlier }, freezing);
  if (pending.fromCycle > cycle)
    return without.map(({ pending: earlier, frozen }) => ({ pending: { ...pending, earlier }, frozen }));
  const takes = mayTake(story, pending, cycle, at);
  // A cycle in between, without any authorization at the service, may have frozen the change.
  const between = Array.from({ length: cycle - 1 - after }, (_, index) => after + 1 + index);
  const wasDropped = between.some(
    (each) => each >= pending.fromCycle && mayTake(story, pending, each, dueOf(story.terms, each)) !== 'yes',
  );
  return [
    ...(takes === 'no' ? [] : [{ pending, frozen: pending.cents }]),
    ...(takes === 'yes' && !wasDropped ? [] : without),
  ];
}

/** Allowed by the rules at that time, and announced to the payer if it is an increase. */
function mayTake(story: AmountStory, change: Change, cycle: number, at: number): Certainty {
  const verdicts = ruleOn(story.terms, madeBefore(story, at), cycle, change.cents);
  if (!verdicts.includes('accepted')) return 'no';
  const told = change.increase === 'no' ? 'yes' : story.isTold(change, at);
  if (told === 'no' && change.increase === 'yes') return 'no';
  return verdicts.includes('refused') || told !== 'yes' ? 'perhaps' : 'yes';
}

/** Whether the payer was notified, by the reports. Without an outage a notice must have been sent, a week ahead or at once. */
export function isTold(
  terms: AmountTerms,
  { told, outages }: Announcements,
  { fromCycle, moment }: AskedChange,
  at: number,
): Certainty {
  const asked = Math.max(moment.earliest, dueOf(terms, fromCycle) - AHEAD);
  const reported = told.filter((each) => each.cycle === fromCycle && each.at >= moment.earliest && each.at < at);
  if (reported.some((each) => each.at >= moment.latest && each.at + HASTE <= at)) return 'yes';
  if (reported.length > 0 || asked + HASTE > at) return 'perhaps';
  return outages.some(({ from, to }) => from < at && (to === null || to > asked)) ? 'no' : 'yes';
}

function afterMade({ pending, frozen }: Standing, cycle: number): Standing {
  return { pending: leftOf(pending, cycle, frozen), frozen };
}

/** What remains pending after the cycle was tried with this amount. */
function leftOf(change: Change | null, cycle: number, cents: number): Change | null {
  if (change === null) return null;
  if (change.fromCycle <= cycle) return change.cents === cents ? null : change;
  return { ...change, earlier: leftOf(change.earlier, cycle, cents) };
}

function madeBefore({ authorizations }: AmountStory, at: number): Authorized[] {
  return authorizations.filter(({ createdAt }) => Date.parse(createdAt) < at);
}

function distinct(standings: readonly Standing[]): Standing[] {
  const known = new Map(standings.map((one) => [JSON.stringify(one), one]));
  return [...known.values()];
}
