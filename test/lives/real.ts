import { randomUUID } from 'node:crypto';
import type { OrderId, PaymentId, SubscriptionId } from '../../src/domain/ids';
import { euros, type Money } from '../../src/domain/money';
import {
  changeMetadata,
  createHold,
  getPaymentOfRequest,
  insertLinkDraft,
  liftHold,
  orderRefund,
  releaseHold,
} from '../../src/ledger';
import type { SimulatedStack } from '../../src/simulation/simulated-stack';
import { RefusedRequest, type SimulatedSubscription, subscribe } from '../../src/simulation/simulated-subscription';
import { linkDraft } from '../ledger/link-fixture';
import { type Agreement, MINUTE } from './calendar';
import { brokenInvariants } from './invariants';
import { explainStatus, type Model } from './model';
import type { Moment } from './moment';
import { look, type Seen } from './seen';
import type { SharedTime } from './shared-time';

/** An accepted request, with the instants between which it took effect; or the text of the refusal. */
export type Answer =
  | { readonly kind: 'accepted'; readonly moment: Moment }
  | { readonly kind: 'refused'; readonly words: string };

/** A promise of the daemon's is broken. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

/** After half an hour the payer's action, or its absence, has had its effect. */
export const SESSION = 30 * MINUTE;

/** One subscription that dueday's own code runs. */
export class RealSubscription {
  seen: Seen | null = null;

  private constructor(
    readonly stack: SimulatedStack,
    private readonly time: SharedTime,
    private readonly subscription: SimulatedSubscription,
    readonly agreement: Agreement,
  ) {}

  static async open(
    stack: SimulatedStack,
    time: SharedTime,
    id: string,
    agreement: Agreement,
    now: number,
  ): Promise<RealSubscription> {
    const { repetition, first, end, cents, onExhausted } = agreement;
    const terms = {
      subscriptionId: id as SubscriptionId,
      repetition,
      onExhausted,
      startAt: now,
      firstPaymentAt: first,
      endAt: end,
      consentAmount: euros(cents),
    };
    const subscription = await subscribe(stack, terms, (at) => time.passUntil(id, at));
    return new RealSubscription(stack, time, subscription, agreement);
  }

  get paymentId(): string {
    return this.subscription.paymentId;
  }

  get id(): SubscriptionId {
    return this.subscription.terms.subscriptionId;
  }

  now(): number {
    return this.time.now();
  }

  /** Notes what is being done, for the report on a run that hangs. */
  note(doing: string): void {
    this.time.note(this.id, doing);
  }

  passUntil(at: number): Promise<void> {
    return this.time.passUntil(this.id, at);
  }

  async ask(request: (subscription: SimulatedSubscription) => Promise<void>): Promise<Answer> {
    const earliest = this.now();
    try {
      await request(this.subscription);
      return { kind: 'accepted', moment: { earliest, latest: this.now() } };
    } catch (error) {
      if (error instanceof RefusedRequest) return { kind: 'refused', words: error.message };
      throw error;
    }
  }

  /** Holds this subscription, by metadata that no other one has, as the admin API does. */
  async hold(holdId: string, until: number): Promise<Moment> {
    const { clock, ledger } = this.stack;
    const earliest = this.now();
    const by = { actor: 'lives', at: clock.now() };
    const metadata = { held: this.id };
    await changeMetadata(ledger, { subscriptionId: this.id, paymentId: null }, metadata, by);
    const held = await createHold(ledger, { ...by, holdId, filter: { metadata }, until, reason: 'outage' });
    if (held.kind !== 'created' || !held.isSettled) throw new BrokenInvariant(`no hold, but ${JSON.stringify(held)}`);
    return { earliest, latest: this.now() };
  }

  /** Lifts a hold, and notifies the workflow that waits for its end. */
  async lift(holdId: string): Promise<Moment> {
    const { clock, conductor, ledger } = this.stack;
    const earliest = this.now();
    await liftHold(ledger, { actor: 'lives', at: clock.now(), holdId, reason: null });
    for (const { revision } of await releaseHold(ledger, holdId, clock.now())) conductor.changed(this.id, revision);
    return { earliest, latest: this.now() };
  }

  /** Orders a refund and begins it, as the admin API does. */
  async refund(cycle: number, amount: Money): Promise<Answer> {
    const { clock, conductor, ledger } = this.stack;
    const earliest = this.now();
    const result = await orderRefund(ledger, {
      refundId: `ref_${randomUUID()}` as OrderId,
      subscriptionId: this.id,
      cycle,
      amount,
      captureId: null,
      reason: null,
      actor: 'lives',
      at: clock.now(),
      realAt: clock.realNow(),
    });
    if (result.kind !== 'ordered') return { kind: 'refused', words: JSON.stringify(result) };
    const { refundId, subscriptionId, paymentId } = result.refund;
    conductor.refund({ refundId, subscriptionId, paymentId });
    return { kind: 'accepted', moment: { earliest, latest: this.now() } };
  }

  /** Requests a link for the cycle, as the admin API does; the payer is sent to the bank, and pays or declines there. */
  async payByLink(cycle: number, amount: Money, pays: boolean): Promise<Answer & { readonly paymentId?: PaymentId }> {
    const { clock, conductor, ledger, sandbox } = this.stack;
    const earliest = this.now();
    const moment = { createdAt: clock.now(), draftedRealAt: clock.realNow() };
    const draft = linkDraft({ subscriptionId: this.id }, { cycle, amount, ...moment });
    const { requestId } = draft;
    const drafted = await insertLinkDraft(ledger, draft, clock.realNow());
    if (drafted.kind !== 'inserted') return { kind: 'refused', words: JSON.stringify(drafted) };
    conductor.payment(requestId);
    await this.passUntil(this.now() + MINUTE);
    const payment = await getPaymentOfRequest(ledger, requestId);
    if (payment === null) throw new BrokenInvariant(`the link of cycle ${cycle} was not requested within a minute`);
    const { paymentId } = payment;
    const payer = sandbox.payer(paymentId);
    if (pays) payer.approve('approves');
    else payer.decline();
    await this.passUntil(this.now() + SESSION);
    return { kind: 'accepted', moment: { earliest, latest: this.now() }, paymentId };
  }

  /** @throws BrokenInvariant if an invariant is broken */
  async check(model: Model): Promise<void> {
    model.before = model.now;
    model.now = this.now();
    this.note('reads the ledger');
    this.seen = await look(this.stack, this.id, this.paymentId, model.paid);
    const strange = explainStatus(model, this.seen.status);
    const broken = [...(strange === null ? [] : [strange]), ...brokenInvariants(model, this.seen)];
    if (broken.length > 0) throw new BrokenInvariant(broken.join('\n'));
  }
}
