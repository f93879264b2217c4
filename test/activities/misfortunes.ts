import fc from 'fast-check';
import type { Dependencies } from '../../activities';
import type { CollectInput } from '../../src/contract/activities';
import type { CollectResult } from '../../src/domain/subscription';
import type { Pool } from '../../src/ledger';
import type { FaultSpec } from '../../src/sandbox';
import { Crash } from './activity-driver';
import { SETTLE, type World } from './activity-world';
import { hookedPool, INSERTS_SEND, RECORDS_OUTCOME } from './crash-points';

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
  | { readonly what: 'fault'; readonly on: 'POST' | 'GET'; readonly fault: object }
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
const onGet = fc.constantFrom<object>(
  { kind: 'error_before_commit', status: 500 },
  { kind: 'malformed', variant: 'html' },
  { kind: 'rate_limit', retryAfter: null },
  { kind: 'swallowed' },
);

export const misfortune: fc.Arbitrary<Misfortune> = fc.oneof(
  { weight: 5, arbitrary: onPost.map((fault) => ({ what: 'fault', on: 'POST', fault }) as const) },
  { weight: 3, arbitrary: onGet.map((fault) => ({ what: 'fault', on: 'GET', fault }) as const) },
  { weight: 4, arbitrary: fc.constantFrom(...CRASHES).map((where) => ({ what: 'crash', where }) as const) },
  { weight: 2, arbitrary: fc.constant({ what: 'second worker' } as const) },
  { weight: 2, arbitrary: fc.constant({ what: 'frozen' } as const) },
);

/** The worker of one run: what is to befall it does, once. */
function unlucky(world: World, input: CollectInput, fate: Misfortune): Partial<Dependencies> {
  const { ledger, service } = world.deps;
  const die = () => {
    throw new Crash(fate.what);
  };
  const dyingLedger = (matches: RegExp, when: 'before' | 'after', within?: RegExp): { ledger: Pool } => ({
    ledger: hookedPool(ledger, { matches, [when]: die }, within),
  });
  const initiate = (before: () => unknown, after: () => unknown) => ({
    service: world.service({
      initiate: async (...call) => {
        await before();
        const answer = await service.initiate(...call);
        await after();
        return answer;
      },
    }),
  });
  const nothing = () => undefined;
  if (fate.what === 'second worker') return initiate(() => other(world, input), nothing);
  if (fate.what === 'frozen') {
    return initiate(async () => {
      for (let run = 0; run < 100 && !(await other(world, input)); run += 1);
    }, nothing);
  }
  if (fate.what !== 'crash') return {};
  switch (fate.where) {
    case 'before the row':
      return dyingLedger(INSERTS_SEND, 'before');
    case 'after the row':
      return dyingLedger(/^commit/, 'after', INSERTS_SEND);
    case 'before the POST':
      return initiate(die, nothing);
    case 'after the POST':
      return initiate(nothing, die);
    case 'before the outcome':
      return dyingLedger(RECORDS_OUTCOME, 'before');
  }
}

/** A run of another worker, in the middle of the first one's; true where it was answered. */
async function other(world: World, input: CollectInput): Promise<boolean> {
  return 'result' in (await world.driver.once(() => world.activities().collectPayment(input)));
}

/** One attempt under misfortunes: each run of the activity meets the next one. */
export async function collectThrough(world: World, input: CollectInput, fates: Misfortune[]): Promise<CollectResult> {
  const driven = await world.driver.drive(() => {
    const fate = fates.shift();
    if (fate === undefined) return world.activities().collectPayment(input);
    if (fate.what === 'fault') {
      const match = { method: fate.on, path: '/(authorizations|consents|captures)$', paymentId: input.paymentId };
      world.sandbox.faults.add({ ...fate.fault, match } as unknown as FaultSpec);
    }
    return world.activities(unlucky(world, input, fate)).collectPayment(input);
  });
  return driven.result;
}
