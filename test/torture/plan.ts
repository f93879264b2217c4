import { DAY, HOUR, type Instant } from '../../src/domain/time';
import { dueOf } from '../lives/calendar';
import { Deck, Draw } from './draw';
import { type Fault, ON_DEBIT, ON_ORDER, ON_QUESTION, ON_TOKEN } from './fault-deck';

export interface TortureOrder {
  readonly subscriptions: number;
  /** Business ms from the beginning to the end. */
  readonly lasts: number;
  readonly kills: number;
  readonly seed: number;
  /** Business ms per real ms; null: as fast as this machine allows. */
  readonly speed: number | null;
}

/** Everything that a seed plans, in business time. */
export interface TorturePlan {
  readonly lives: readonly LifePlan[];
  readonly kills: readonly KillPlan[];
  readonly tokenFaults: readonly { readonly at: Instant; readonly fault: Fault }[];
}

export interface LifePlan {
  readonly name: string;
  readonly wallet: string;
  readonly repetition: 'WEEKLY' | 'MONTHLY';
  readonly cents: number;
  readonly joinsAt: Instant;
  readonly cycles: readonly CyclePlan[];
  readonly firstPaymentAt: Instant;
  /** When the last of these cycles is over. */
  readonly endAt: Instant;
  readonly payment: PaymentPlan | null;
}

/** An Event Dependent payment beside the subscription. */
export interface PaymentPlan {
  readonly cents: number;
  /** One capture per day of business time; together they are no more than the payment. */
  readonly captures: readonly { readonly cents: number; readonly onOrder: Fault | null }[];
}

export interface CyclePlan {
  readonly dueAt: Instant;
  /** Whether the wallet is reset, so that a wallet such as `-once` refuses once more. */
  readonly walletAgain: boolean;
  readonly onDebit: Fault | null;
  readonly onQuestion: Fault | null;
  /** Another amount from this cycle on, in cents, requested two days before; null for none. */
  readonly changeTo: number | null;
  /** The part of the cycle's debit that is refunded; null for none. */
  readonly refund: number | null;
  /** The fault of the request that refunds it. */
  readonly onRefund: Fault | null;
}

export const TARGETS = ['worker', 'api', 'temporal', 'postgres'] as const;
export type Target = (typeof TARGETS)[number];

export interface KillPlan {
  readonly at: Instant;
  readonly target: Target;
  /** Which of several, from 0 up to 1. */
  readonly which: number;
}

/** The wallets, each with a weight. {@link collectsEveryDate} says for which of them no date may be lost. */
const WALLETS: readonly (readonly [weight: number, wallet: string])[] = [
  [35, 'approves'],
  [20, 'insufficient-funds-once'],
  [10, 'insufficient-funds-2'],
  [8, 'rejected-late-once'],
  [8, 'rejected-with-id-once'],
  [8, 'slow-3'],
  [3, 'final-rejection'],
  [3, 'insufficient-funds-always'],
  [2, 'capture-fails'],
  [3, 'cancels-after-2'],
];

/** The shortest time from the creation to the first payment; up to 23 hours are added. */
const LEAD = 5 * DAY;
/** The part of the time within which subscriptions are created. */
const JOINING = 0.2;
/** The time from a due date to the end of everything in its cycle. */
const OVER = 120 * HOUR + 12 * HOUR;
/** The shortest time in which every life has a cycle. */
export const MIN_DURATION = 16 * DAY;

/** The plan of a seed, which is always the same for the same options and seed. */
export function planOf(order: TortureOrder, startAt: Instant): TorturePlan {
  const draw = new Draw(order.seed);
  const decks = {
    onDebit: new Deck(draw, ON_DEBIT),
    onQuestion: new Deck(draw, ON_QUESTION),
    onOrder: new Deck(draw, ON_ORDER),
  };
  const lives = Array.from({ length: order.subscriptions }, (_, index) => drawLife(draw, decks, order, startAt, index));
  return { lives, kills: drawKills(draw, order, startAt), tokenFaults: drawTokenFaults(draw, order, startAt) };
}

interface Decks {
  readonly onDebit: Deck<Fault>;
  readonly onQuestion: Deck<Fault>;
  readonly onOrder: Deck<Fault>;
}

function drawLife(draw: Draw, decks: Decks, order: TortureOrder, startAt: Instant, index: number): LifePlan {
  const wallet = draw.pick(WALLETS);
  const repetition = draw.chance(0.5) ? 'WEEKLY' : 'MONTHLY';
  const joinsAt = Math.floor(startAt + HOUR + draw.between(0, JOINING) * order.lasts);
  const firstPaymentAt = joinsAt + LEAD + Math.floor(draw.between(0, 24)) * HOUR;
  const dues = duesBefore({ repetition, first: firstPaymentAt }, startAt + order.lasts - OVER);
  const cents = 1000 + Math.floor(draw.between(0, 4000));
  return {
    name: `torture-${index}`,
    wallet,
    repetition,
    joinsAt,
    firstPaymentAt,
    cents,
    cycles: dues.map((due, cycle) => ({
      dueAt: due,
      walletAgain: draw.chance(0.5),
      onDebit: draw.chance(0.6) ? decks.onDebit.deal() : null,
      onQuestion: draw.chance(0.4) ? decks.onQuestion.deal() : null,
      changeTo: cycle > 0 && draw.chance(0.5) ? Math.round(cents * draw.between(0.4, 1.3)) : null,
      refund: draw.chance(0.3) ? draw.pick(PARTS) : null,
      onRefund: draw.chance(0.6) ? decks.onOrder.deal() : null,
    })),
    endAt: (dues.at(-1) ?? firstPaymentAt) + OVER,
    payment: draw.chance(0.3) ? drawPayment(draw, decks) : null,
  };
}

const PARTS = [
  [1, 0.3],
  [1, 0.5],
  [1, 1],
] as const;

/** The first two captures have the same amount, so that only the ledger can distinguish them. */
function drawPayment(draw: Draw, { onOrder }: Decks): PaymentPlan {
  const cents = 4 * (500 + Math.floor(draw.between(0, 2000)));
  const captures = [cents / 4, cents / 4, cents / 2].slice(0, 1 + Math.floor(draw.between(0, 3)));
  return {
    cents,
    captures: captures.map((each) => ({ cents: each, onOrder: draw.chance(0.6) ? onOrder.deal() : null })),
  };
}

function duesBefore(calendar: Parameters<typeof dueOf>[0], end: Instant): Instant[] {
  const dues: Instant[] = [];
  for (let n = 0; dueOf(calendar, n) < end; n += 1) dues.push(dueOf(calendar, n));
  return dues;
}

/** Kills at random moments, one in each of equally long intervals; each target equally often. */
function drawKills(draw: Draw, { kills, lasts }: TortureOrder, startAt: Instant): KillPlan[] {
  const deck = new Deck(draw, TARGETS);
  const [from, to] = [startAt + DAY, startAt + lasts - 2 * DAY];
  return Array.from({ length: kills }, (_, index) => ({
    at: Math.floor(from + ((index + draw.fraction()) / kills) * (to - from)),
    target: deck.deal(),
    which: draw.fraction(),
  }));
}

const BETWEEN_TOKEN_FAULTS = 4 * DAY;

function drawTokenFaults(draw: Draw, { lasts }: TortureOrder, startAt: Instant): TorturePlan['tokenFaults'] {
  const deck = new Deck(draw, ON_TOKEN);
  return Array.from({ length: Math.floor(lasts / BETWEEN_TOKEN_FAULTS) }, () => ({
    at: Math.floor(startAt + draw.between(0, lasts)),
    fault: deck.deal(),
  })).sort((one, other) => one.at - other.at);
}

/** Whether the bank lets every date of this payer be collected: then none may be lost. */
export function collectsEveryDate(wallet: string): boolean {
  return !['final-rejection', 'insufficient-funds-always', 'capture-fails', 'cancels-after-2'].includes(wallet);
}
