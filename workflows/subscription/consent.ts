import { condition, patched, setHandler } from '@temporalio/workflow';
import type { AdoptionResult, ConsentRequestResult, AdoptInput } from '../../src/contract/activities';
import { type Decision, type ReplacementNews, replacementSignal, REPLACEMENT } from '../../src/contract/messages';
import { afterAdoption } from '../../src/domain/subscription/adoption';
import { endReplacement, replacedBy, startReplacement, takesOver } from '../../src/domain/subscription/pauses';
import { conflict, type Refusal, afterConsent } from '../../src/domain/subscription/requests';
import { dueAt } from '../../src/domain/subscription/schedule';
import {
  consentEndedBy,
  isTerminal,
  type ConsentResult,
  CONSENT_SESSION,
  type SubscriptionState,
  type Adoption,
} from '../../src/domain/subscription/state';
import { endConsent } from '../../src/domain/subscription/transitions';
import { toIso } from '../../src/domain/time';
import type { EventData } from '../../src/domain/trail/event';
import type { EventType } from '../../src/domain/trail/events';
import { awaitConsent, discardDraft, lookAtConsent, requestConsent, adoptConsent } from '../activities';
import { afterDiscarding, requireArgument, signalSubscription, unavailable } from '../runtime';
import type { Cancelling } from './cancelling';
import { type SubscriptionContext, heed } from './context';
import { cancelledDecision } from './ledger-changes';

/** Histories of 0.1 end the state first: they knew of no draft that could not be discarded. */
const DISCARDED_IN_TURN = 'discarded-in-turn';

/** From the request of the consent to the payer's answer, and what later looks at the consent find. */
export class ConsentPhase {
  private answer: ConsentRequestResult | null = null;
  private adoption: AdoptionResult | null = null;
  /** By what this run has the consent; null before it begins, and where it has it from an earlier run. */
  private way: 'request' | 'adoption' | null = null;

  constructor(
    private readonly context: SubscriptionContext,
    private readonly replacing: Replacing,
  ) {}

  /** Only of what this run does is there ever an answer: one who waited for another would keep the run from ending. */
  refuseToTell(asked: 'request' | 'adoption'): Refusal | null {
    const way = this.way ?? (this.context.state.status === 'pending_consent' ? this.wayAhead : null);
    return way === asked ? null : conflict(`the ${asked} of the consent is not this run's`);
  }

  private get wayAhead(): 'request' | 'adoption' {
    return this.context.state.adoption === undefined ? 'request' : 'adoption';
  }

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
    this.way = this.wayAhead;
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
    await this.replacing.notify('requested');
    void this.replacing.standBack();
    const sessionEndsRealAt = answer.requestedRealAt + CONSENT_SESSION;
    const result = await this.context.until(
      () => this.context.state.status !== 'pending_consent',
      () => awaitConsent({ ...this.context.reference, sessionEndsRealAt }),
    );
    if (result !== null) await this.apply(result);
  }

  /** Asks the service now: the payer has arrived at returnURL, or a person wants to know (rule 6). */
  async look(): Promise<void> {
    const { paymentId, status } = this.context.state;
    const result = paymentId === null || isTerminal(status) ? null : await lookAtConsent(this.context.reference);
    if (result !== null && result.kind !== 'unavailable') await this.apply(result);
    // The polling may have applied the answer first: it has to be in the ledger before the caller is answered.
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
   * In a turn of its own: a cancellation that arrives during it waits until it is known what is left to cancel, and writes
   * about the draft end before the draft is removed.
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
      const { stale } = await this.context.record(answerDecision(result, this.context.state));
      if (stale) await this.loseGrant();
    } else if (result.kind !== 'granted') {
      const by = result.kind === 'cancelled' ? result.by : consentEndedBy(result.reason, false);
      this.context.update(endConsent(state, by, this.context.endHeardAt()));
      await this.context.record(cancelledDecision(by, result.reason));
    }
  }

  /** Another replacement was granted first: the ledger has this one as cancelled, and this goes on with that (rule 22). */
  private async loseGrant(): Promise<void> {
    const { context } = this;
    context.update({ ...context.state, status: 'pending_consent' });
    await context.turns.take(() => context.hear());
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

/**
 * Takes over a consent that was granted elsewhere: one question to the service, before anything is scheduled. What it
 * refuses leaves nothing.
 */
export async function adopt(context: SubscriptionContext, adoption: Adoption): Promise<AdoptionResult> {
  const answer = await adoptConsent(inputOf(context, adoption));
  if (answer.kind === 'adopted') {
    // The activity has written these with the answer.
    context.recorder.assume({ status: 'active', lastIncreaseAt: answer.lastIncreaseAt });
    context.update(afterAdoption(context.state, answer));
    return answer;
  }
  context.update(afterConsent(context.state, { kind: 'failed', reason: answer.kind }));
  await condition(() => context.recorder.idle);
  await discardDraft({ subscriptionId: context.reference.subscriptionId });
  return answer;
}

function inputOf(context: SubscriptionContext, adoption: Adoption): AdoptInput {
  const { terms, current: amount, lastIncreaseAt } = context.state;
  return { ...context.reference, terms, amount, lastIncreaseAt, adoption };
}

/** A new consent for a new amount is a new subscription in the place of the one before (rule 22). */
export class Replacing {
  /** Whether the other one has been notified that it is not replaced. */
  private hasEnded = false;

  constructor(
    private readonly context: SubscriptionContext,
    private readonly cancelling: Cancelling,
  ) {}

  listen(): void {
    setHandler(replacementSignal, (news) => heed(this.context, 'cancel', () => this.hear(news)));
  }

  /**
   * Once this subscription is cancelled, it replaces no other, even if its payer approves: the other one goes on at
   * once, and does not wait for the service to confirm the cancellation.
   */
  async standBack(): Promise<void> {
    const { context } = this;
    if (context.state.replaces === null) return;
    await condition(() => context.state.cancellation !== null || context.state.status !== 'pending_consent');
    if (context.isUnsettled()) {
      await context.settled();
      return this.standBack();
    }
    if (takesOver(context.state) || isTerminal(context.state.status)) return;
    if (patched('a cancelled replacement stands back at once')) await this.end();
  }

  /** The payer has answered: this one takes the other's place, or never will (rule 22). */
  async conclude(): Promise<void> {
    const { context } = this;
    const { recorder } = context;
    if (context.state.replaces === null) return;
    // It may have been cancelled in the ledger before the answer was written there (rule 31).
    if (!recorder.idle && patched('what is granted is recorded first')) await condition(() => recorder.idle);
    if (recorder.isBehind) await context.turns.take(() => context.hear());
    return takesOver(context.state) ? this.notify('granted') : this.end();
  }

  private async end(): Promise<void> {
    if (this.hasEnded) return;
    this.hasEnded = true;
    await this.notify('ended');
  }

  /**
   * Notifies the subscription that this one is to replace of how far it has come, and from when on it collects: an
   * imported one from its first cycle here.
   */
  notify(stage: ReplacementNews['stage']): Promise<void> {
    const { replaces, terms, cycle } = this.context.state;
    if (replaces === null) return Promise.resolve();
    const news = { by: terms.subscriptionId, from: dueAt(terms, cycle), stage };
    return signalSubscription(replaces, replacementSignal, news);
  }

  private async hear(news: ReplacementNews): Promise<void> {
    requireArgument(REPLACEMENT, news);
    const { by, from, stage } = news;
    const { context } = this;
    if (isTerminal(context.state.status)) return;
    switch (stage) {
      case 'requested':
        context.update(startReplacement(context.state, { by, from }));
        return this.record('subscription.replacement_requested', { by, from: toIso(from) });
      case 'ended':
        if (!context.state.replacements.some((each) => each.by === by)) return;
        context.update(endReplacement(context.state, by));
        return this.record('subscription.replacement_failed', { by });
      case 'granted':
        context.update(replacedBy(context.state, { by, from }));
        await this.record('subscription.replaced', { by, from: toIso(from) });
        context.refuse(await this.cancelling.run({ actor: 'dueday', reason: `replaced by ${by}` }));
    }
  }

  private async record(type: EventType, data: EventData): Promise<void> {
    await this.context.record({ events: [{ type, data }] });
  }
}
