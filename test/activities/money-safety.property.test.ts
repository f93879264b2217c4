import fc from 'fast-check';
import { MAX_RETRIES } from '../../src/domain/subscription/retries';
import type { CollectResult } from '../../src/domain/subscription/state';
import { type Subscribed, useWorld, type World } from './activity-world';
import { collectThrough, type Misfortune, misfortune, WALLETS } from './misfortunes';
import { reachRetry } from './deliver-notice';

/** Under any sequence of faults there is at most one debit per cycle, and the ledger agrees with the service. */

const holder = useWorld();

/** Runs a cycle as its workflow would, with all permitted retries, and then settles what is left. */
async function playCycle(world: World, subscribed: Subscribed, fates: Misfortune[]): Promise<CollectResult> {
  let attempt = 0;
  for (;;) {
    const input = world.input(subscribed, { attempt });
    let result = await collectThrough(world, subscribed, input, fates);
    while (result.kind === 'unresolved' || result.kind === 'unknown' || result.kind === 'pending') {
      const isBeside = result.kind === 'pending';
      result = await collectThrough(world, subscribed, { ...input, isBeside }, fates);
    }
    if (result.kind !== 'rejected' || !result.retryable || attempt === MAX_RETRIES) return result;
    await reachRetry(world, subscribed, attempt);
    attempt += 1;
  }
}

function expectAgreement(world: World, subscribed: Subscribed, result: CollectResult): void {
  const debits = world.debits(subscribed);
  if (result.kind === 'collected') {
    expect(debits).toMatchObject([{ authorizationId: result.authorizationId, captureId: result.captureId }]);
  } else expect(debits).toEqual([]);
}

it('under any sequence of faults there is at most one debit per cycle, and the ledger equals the service', async () => {
  const { world } = holder;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...WALLETS),
      fc.array(misfortune, { maxLength: 8 }),
      async (wallet, misfortunes) => {
        world.sandbox.faults.clear();
        const subscribed = await world.due(wallet);
        const result = await playCycle(world, subscribed, [...misfortunes]);
        world.sandbox.faults.clear();
        world.sandbox.settle(subscribed.paymentId);
        expectAgreement(world, subscribed, result);
        await world.expectLedgerEqual(subscribed, result.kind === 'collected' ? 1 : 0);
        // The service would refuse a second debit for a date: it must never have had to.
        const refusals = world.sandbox.refusals().filter(({ paymentId }) => paymentId === subscribed.paymentId);
        expect(refusals.map(({ detail }) => detail)).not.toContain('INTERVAL_NOT_MATCHED');
        expect(refusals.map(({ detail }) => detail)).not.toContain('RETRY_NOT_ALLOWED');
      },
    ),
    { numRuns: 60, endOnFailure: false },
  );
}, 600_000);
