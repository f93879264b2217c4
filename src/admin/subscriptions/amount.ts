import type { FastifyRequest } from 'fastify';
import { isTerminal } from '../../domain/subscription/state';
import type { ChangeOrder, ChangeOutcome } from '../../gateway';
import { insertEvent, type SubscriptionRecord } from '../../ledger';
import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/authentication';
import { invalidRequest, FAULT_ANSWERS } from '../http/problems';
import { findSubscription, subscriptionIdOf } from './read';
import { amountFaults } from './rules';
import {
  AmountChangeOut,
  ChangeAmountBody,
  SubscriptionOut,
  SubscriptionParams,
  viewAmountChange,
  viewSubscription,
} from './schema';
import { problemOf, refusedAsFinished, requestBy, requireDone } from './steer';

/** `POST /subscriptions/{id}/amount-changes` and `DELETE …/amount-changes/pending` (rule 19 to 21). */
export function changeAmountRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/amount-changes',
    {
      config: { role: 'operator', asks: 'change_amount' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'changeAmount',
        summary: 'Changes the amount from a cycle on; with dryRun only tells what the change would be',
        params: SubscriptionParams,
        body: ChangeAmountBody,
        response: { 200: AmountChangeOut, ...FAULT_ANSWERS },
      },
    },
    async (request) => {
      const { amount, fromCycle = null, dryRun } = request.body;
      const faults = amountFaults({ amount }, deps.policy);
      if (faults.length > 0) throw invalidRequest(faults);
      const before = await findSubscription(deps.db, subscriptionIdOf(request.params));
      if (isTerminal(before.status)) throw refusedAsFinished(before);
      const order = { ...requestBy(callerOf(request), request.body), amount, fromCycle };
      const outcome = dryRun
        ? await deps.subscriptions.judgeAmount(before.subscriptionId, order)
        : await deps.subscriptions.changeAmount(before.subscriptionId, order);
      if (outcome.kind === 'changed') return viewAmountChange(outcome.change, dryRun);
      if (!dryRun) await tellOfRefusal(deps, before, order, outcome);
      throw problemOf(outcome, before);
    },
  );
  app.delete(
    '/subscriptions/:id/amount-changes/pending',
    {
      config: { role: 'operator', asks: 'withdraw_change' },
      schema: {
        tags: ['subscriptions'],
        operationId: 'withdrawAmountChange',
        summary: 'Takes back a change of amount that no cycle has frozen yet',
        params: SubscriptionParams,
        response: { 200: SubscriptionOut, ...FAULT_ANSWERS },
      },
    },
    async (request: FastifyRequest) => {
      const before = await findSubscription(deps.db, subscriptionIdOf(SubscriptionParams.parse(request.params)));
      if (isTerminal(before.status)) throw refusedAsFinished(before);
      const asked = requestBy(callerOf(request), null);
      requireDone(await deps.subscriptions.withdrawChange(before.subscriptionId, asked), before);
      return viewSubscription(await findSubscription(deps.db, before.subscriptionId));
    },
  );
}

/** A rule's refusal is a decision, and the trail tells of it. */
async function tellOfRefusal(
  deps: AdminDeps,
  { subscriptionId }: SubscriptionRecord,
  { actor, amount, fromCycle }: ChangeOrder,
  outcome: ChangeOutcome,
): Promise<void> {
  if (outcome.kind !== 'forbidden') return;
  const { rule, highestAllowed } = outcome.verdict;
  await insertEvent(deps.db, {
    ...{ subscriptionId, at: deps.clock.now(), actor, type: 'amount_change.refused' },
    data: { amount, fromCycle, rule, highestAllowed, message: outcome.message },
  });
}
