import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time';
import fc from 'fast-check';
import type { Dependencies } from '../../activities';
import type { CaptureInput, CaptureResult, RefundInput, RefundResult } from '../../src/contract/payments';
import type { Step } from '../../src/contract/steps';
import type { PaymentId } from '../../src/domain/ids';
import type { CollectResult } from '../../src/domain/subscription/state';
import type { Pool } from '../../src/ledger';
import type { FaultSpec } from '../../src/sandbox';
import { HOUR } from '../../src/domain/time';
import { Crash } from './activity-driver';
import { activitiesOf, type AttemptInput, SETTLE, type Subscribed, type World } from './activity-world';
import { resultOfAttempt } from './attempt-result';
import { hookedPool, INSERTS_ORDER_SEND, INSERTS_SEND, RECORDS_ORDER_OUTCOME, RECORDS_OUTCOME } from './crash-points';

export const WALLETS = [
  'approves',
  'insufficient-funds-once',
  'insufficient-funds-2',
  'rejected-late-once',
  'rejected-with-id-once',
  'final-rejection',
  'capture-fails',
  'cancels-after-1',
  'slow-7200',
];

export type Misfortune =
  | { readonly what: 'fault'; readonly on: 'POST' | 'GET'; readonly faults: readonly object[] }
  | { readonly what: 'crash'; readonly where: (typeof CRASHES)[number] }
  | { readonly what: 'second worker' }
  | { readonly what: 'frozen' };

const CRASHES = ['before the row', 'after the row', 'before the POST', 'after the POST', 'before the outcome'] as const;

const onPost = fc.constantFrom<object>(
  { kind: 'lost_answer' },
  { kind: 'swallowed' },
  { kind: 'error_after_commit', status: 500 },
  { kind: 'error_after_commit', status: 404, html: true },
  { kind: 'error_before_commit', status: 503, html: true },
  { kind: 'malformed', variant: 'truncated' },
  { kind: 'malformed', variant: 'wrong_types' },
  { kind: 'rate_limit', retryAfter: 30 },
  { kind: 'forbidden' },
  { kind: 'unauthorized', times: 2 },
  { kind: 'late_listing', delayMs: 60_000 },
  { kind: 'late_listing', delayMs: SETTLE - 120_000 },
);
/** Late listing has an effect only if the answer is lost: a worker that checks too soon would send again. */
const lostAndListedLate = fc
  .record({ lost: fc.constantFrom('lost_answer', 'error_after_commit'), delayMs: fc.constantFrom(60_000, 600_000) })
  .map(({ lost, delayMs }) => [{ kind: lost }, { kind: 'late_listing', delayMs }]);
const onGet = fc.constantFrom<object>(
  { kind: 'error_before_commit', status: 500 },
  { kind: 'malformed', variant: 'html' },
  { kind: 'rate_limit', retryAfter: null },
  { kind: 'swallowed' },
);

export const misfortune: fc.Arbitrary<Misfortune> = fc.oneof(
  { weight: 5, arbitrary: onPost.map((fault) => ({ what: 'fault', on: 'POST', faults: [fault] }) as const) },
  { weight: 2, arbitrary: lostAndListedLate.map((faults) => ({ what: 'fault', on: 'POST', faults }) as const) },
  { weight: 3, arbitrary: onGet.map((fault) => ({ what: 'fault', on: 'GET', faults: [fault] }) as const) },
  { weight: 4, arbitrary: fc.constantFrom(...CRASHES).map((where) => ({ what: 'crash', where }) as const) },
  { weight: 2, arbitrary: fc.constant({ what: 'second worker' } as const) },
  { weight: 2, arbitrary: fc.constant({ what: 'frozen' } as const) },
);

/** What a worker does with money, and where it can go wrong. */
interface Errand<T> {
  readonly run: (deps?: Partial<Dependencies>) => Promise<T>;
  readonly ledger: Pool;
  readonly paymentId: PaymentId;
  /** A regular expression for the paths on which it calls the service. */
  readonly paths: string;
  /** The call that moves money. */
  readonly post: 'initiate' | 'capture' | 'refund';
  readonly insertsSend: RegExp;
  readonly recordsOutcome: RegExp;
}

/** The dependencies with which a worker meets this misfortune once. */
function unlucky<T>(world: World, errand: Errand<T>, fate: Misfortune): Partial<Dependencies> {
  const { service } = world.deps;
  const { ledger } = errand;
  const die = () => {
    throw new Crash(fate.what);
  };
  const dyingLedger = (matches: RegExp, when: 'before' | 'after', within?: RegExp): { ledger: Pool } => ({
    ledger: hookedPool(ledger, { matches, [when]: die }, within),
  });
  const post = (before: () => unknown, after: () => unknown) => ({
    service: world.service({
      [errand.post]: async (...call: readonly unknown[]) => {
        await before();
        const answer = await (service[errand.post] as (...of: readonly unknown[]) => Promise<unknown>)(...call);
        await after();
        return answer;
      },
    }),
  });
  const nothing = () => undefined;
  if (fate.what === 'second worker') return post(() => other(world, errand), nothing);
  if (fate.what === 'frozen') {
    return post(async () => {
      for (let run = 0; run < 100 && !(await other(world, errand)); run += 1);
    }, nothing);
  }
  if (fate.what !== 'crash') return {};
  switch (fate.where) {
    case 'before the row':
      return dyingLedger(errand.insertsSend, 'before');
    case 'after the row':
      return dyingLedger(/^commit/, 'after', errand.insertsSend);
    case 'before the POST':
      return post(die, nothing);
    case 'after the POST':
      return post(nothing, die);
    case 'before the outcome':
      return dyingLedger(errand.recordsOutcome, 'before');
  }
}

/** Runs the errand on another worker, in the middle of the first worker's run. @returns whether it returned a result */
async function other<T>(world: World, errand: Errand<T>): Promise<boolean> {
  return 'result' in (await world.driver.once(() => errand.run()));
}

/** The number of runs of one errand after which another run is unlikely to show anything new. */
const SOME_RUNS = 100;

/** Real ms to wait in addition after many runs: otherwise an errand that waits for its window to end would run every minute. */
export function furtherWait(runs: number): number {
  return runs > SOME_RUNS ? HOUR : 0;
}

/** Runs an errand once, with the next misfortune. */
function meetNext<T>(world: World, errand: Errand<T>, fates: Misfortune[]): Promise<T> {
  const fate = fates.shift();
  if (fate === undefined) return errand.run();
  if (fate.what === 'fault') {
    const match = { method: fate.on, path: errand.paths, paymentId: errand.paymentId };
    for (const fault of fate.faults) world.sandbox.faults.add({ ...fault, match } as unknown as FaultSpec);
  }
  return errand.run(unlucky(world, errand, fate));
}

/** Runs an errand until it returns a result; each run of its activity meets the next misfortune. */
async function through<T>(world: World, errand: Errand<T>, fates: Misfortune[]): Promise<T> {
  const onStop = (_stop: unknown, runs: number) => world.clock.pass(furtherWait(runs));
  const { result } = await world.driver.drive(() => meetNext(world, errand, fates), { onStop });
  return result;
}

type AttemptActivities = Pick<ReturnType<typeof activitiesOf>, 'collectPayment' | 'followAttempt'>;

function attemptErrand(
  world: World,
  paymentId: PaymentId,
  run: (activities: AttemptActivities) => Promise<Step>,
  offered: Partial<Dependencies> = {},
): Errand<Step> {
  return {
    run: (deps) => run(activitiesOf(world, { ...offered, ...deps })),
    ledger: offered.ledger ?? world.deps.ledger,
    paymentId,
    paths: '/(authorizations|consents|captures)$',
    post: 'initiate',
    insertsSend: INSERTS_SEND,
    recordsOutcome: RECORDS_OUTCOME,
  };
}

/** Runs an attempt to its result; each run of its activity meets the next misfortune. */
export async function collectThrough(
  world: World,
  { paymentId }: Subscribed,
  input: AttemptInput,
  fates: Misfortune[],
): Promise<CollectResult> {
  const { isBeside, ...step } = input;
  const errand = attemptErrand(world, paymentId, (activities) =>
    isBeside ? activities.followAttempt(step) : activities.collectPayment(step),
  );
  return resultOfAttempt(world, input, await through(world, errand, fates));
}

/**
 * The activities of attempts, each run of which meets the next misfortune.
 * @param offered the dependencies of the workers apart from the misfortunes
 * @param onceRun called after each run, however it ended; what it throws ends everything
 */
export function unluckyAttempts(
  world: World,
  { paymentId }: Subscribed,
  fates: Misfortune[],
  { offered, onceRun }: { readonly offered: Partial<Dependencies>; readonly onceRun: () => Promise<void> },
): AttemptActivities {
  const meet = async (run: (activities: AttemptActivities) => Promise<Step>): Promise<Step> => {
    try {
      return await meetNext(world, attemptErrand(world, paymentId, run, offered), fates);
    } catch (error) {
      throw waitingLonger(error);
    } finally {
      await onceRun();
    }
  };
  return {
    collectPayment: (input) => meet((activities) => activities.collectPayment(input)),
    followAttempt: (input) => meet((activities) => activities.followAttempt(input)),
  };
}

function waitingLonger(error: unknown): unknown {
  if (!(error instanceof ApplicationFailure) || error.nextRetryDelay == null) return error;
  const { message, nextRetryDelay } = error;
  const wait = msToNumber(nextRetryDelay) + furtherWait(Context.current().info.attempt);
  return ApplicationFailure.create({ message, nextRetryDelay: wait });
}

export function captureThrough(world: World, input: CaptureInput, fates: Misfortune[]): Promise<CaptureResult> {
  const errand = {
    run: (deps?: Partial<Dependencies>) => activitiesOf(world, deps).capturePayment(input),
    ledger: world.deps.ledger,
    paymentId: input.paymentId,
    paths: '/captures$',
    post: 'capture' as const,
    insertsSend: INSERTS_ORDER_SEND,
    recordsOutcome: RECORDS_ORDER_OUTCOME,
  };
  return through(world, errand, fates);
}

export function refundThrough(world: World, input: RefundInput, fates: Misfortune[]): Promise<RefundResult> {
  const errand = {
    run: (deps?: Partial<Dependencies>) => activitiesOf(world, deps).refundPayment(input),
    ledger: world.deps.ledger,
    paymentId: input.paymentId,
    paths: '/refunds$',
    post: 'refund' as const,
    insertsSend: INSERTS_ORDER_SEND,
    recordsOutcome: RECORDS_ORDER_OUTCOME,
  };
  return through(world, errand, fates);
}
