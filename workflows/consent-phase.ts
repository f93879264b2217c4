import { condition, patched } from '@temporalio/workflow';
import type { AdoptionResult, ConsentRequestResult } from '../src/contract/activities';
import {
  type ConsentResult,
  CONSENT_SESSION,
  isTerminal,
  type SubscriptionState,
} from '../src/domain/subscription/state';
import { dueAt } from '../src/domain/subscription/schedule';
import { toIso } from '../src/domain/time';
import { afterConsent } from '../src/domain/subscription/requests';
import { endConsent } from '../src/domain/subscription/transitions';
import { awaitConsent, discardDraft, lookAtConsent, requestConsent } from './activity-options';
import { adopt } from './adoption';
import { afterDiscarding, unavailable } from './unavailable';
import type { Decision } from '../src/contract/decisions';
import { cancelledDecision } from './ledger-changes';
import type { Replacing } from './replacing';
import type { SubscriptionContext } from './subscription-context';

/** Histories of 0.1 end the state first: they knew of no draft that could not be discarded. */
const DISCARDED_IN_TURN = 'discarded-in-turn';

/** From the request of the consent to the payer's answer, and what later looks at the consent find. */
export class ConsentPhase {
  private answer: ConsentRequestResult | null = null;
  private adoption: AdoptionResult | null = null;

  constructor(
    private readonly context: SubscriptionContext,
    private readonly replacing: Replacing,
  ) {}

  /** What the service said to `POST /payments`. */
  async requested(): Promise<ConsentRequestResult> {
    await condition(() => this.answer !== null);
    return this.answer as ConsentRequestResult;
  }

  /** What became of a consent granted elsewhere. */
  async adopted(): Promise<AdoptionResult> {
    await condition(() => this.adoption !== null);
    return this.adoption as AdoptionResult;
  }

  async run(): Promise<void> {
    const { status, adoption } = this.context.state;
    if (status !== 'pending_consent') return;
    if (adoption === undefined) await this.ask();
    else this.adoption = await adopt(this.context, adoption);
    const { status: now } = this.context.state;
    if (now !== 'pending_consent' && this.context.state.paymentId !== null) await this.replacing.conclude();
  }

  private async ask(): Promise<void> {
    const answer = await this.request();
    this.answer = answer;
    if (answer.kind !== 'requested') return;
    this.context.update({ ...this.context.state, paymentId: answer.paymentId });
    await this.replacing.tell('requested');
    void this.replacing.standBack();
    const sessionEndsRealAt = answer.requestedRealAt + CONSENT_SESSION;
    const result = await this.context.until(
      () => this.context.state.status !== 'pending_consent',
      () => awaitConsent({ ...this.context.reference, sessionEndsRealAt }),
    );
    if (result !== null) await this.apply(result);
  }

  /** Asks the service now: the payer has arrived at returnURL, or a person wants to know (decisions 6). */
  async look(): Promise<void> {
    const { paymentId, status } = this.context.state;
    const result = paymentId === null || isTerminal(status) ? null : await lookAtConsent(this.context.reference);
    if (result !== null) await this.apply(result);
    // The other look may have applied the answer first: it is in the ledger before anybody is answered.
    if (!this.context.recorder.idle) await condition(() => this.context.recorder.idle);
  }

  private async request(): Promise<ConsentRequestResult> {
    const { subscriptionId } = this.context.state.terms;
    const answer = await requestConsent({ subscriptionId }).catch(unavailable);
    if (answer.kind === 'requested') return answer;
    if (patched(DISCARDED_IN_TURN)) return this.discard(answer);
    this.fail(answer);
    await condition(() => this.context.recorder.idle);
    await discardDraft({ subscriptionId });
    return answer;
  }

  /**
   * In a turn of its own: whoever cancels meanwhile waits for what is left to cancel, and what is being written of the
   * draft comes to its end before the draft goes.
   */
  private async discard(answer: ConsentRequestResult): Promise<ConsentRequestResult> {
    const { subscriptionId } = this.context.state.terms;
    return this.context.turns.take(async () => {
      await condition(() => this.context.recorder.idle);
      const last = afterDiscarding(answer, await discardDraft({ subscriptionId }));
      if (last.kind !== 'requested') this.fail(last);
      return last;
    });
  }

  private fail({ kind: reason }: ConsentRequestResult): void {
    this.context.update(afterConsent(this.context.state, { kind: 'failed', reason }));
  }

  private async apply(result: ConsentResult): Promise<void> {
    const { state } = this.context;
    if (isTerminal(state.status)) return;
    if (state.status === 'pending_consent') {
      this.context.update(afterConsent(state, result));
      await this.context.record(answerDecision(result, this.context.state));
    } else if (result.kind !== 'granted') {
      const by = result.kind === 'cancelled' ? result.by : 'payer';
      this.context.update(endConsent(state, by));
      await this.context.record(cancelledDecision(by, result.reason));
    }
  }
}

function answerDecision(result: ConsentResult, { terms, cycle, current: amount }: SubscriptionState): Decision {
  switch (result.kind) {
    case 'granted':
      return { events: [{ type: 'consent.granted', data: { cycle, dueAt: toIso(dueAt(terms, cycle)), amount } }] };
    case 'failed':
      return {
        events: [{ type: 'consent.failed', data: { reason: result.reason } }],
        notices: [{ type: 'consent.failed', cycle: null, attempt: null, data: { reason: result.reason } }],
      };
    case 'cancelled':
      return cancelledDecision(result.by, result.reason);
  }
}
