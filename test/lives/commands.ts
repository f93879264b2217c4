import { randomUUID } from 'node:crypto';
import type fc from 'fast-check';
import { euros } from '../../src/domain/money';
import type { PaymentAccount } from '../../src/sandbox';
import { closeOf, cyclesBefore, DAY, dueOf, words } from './calendar';
import { amountAnswers, authorizedOf } from './amounts';
import { amountStory } from './invariants';
import { endOf, type Model, type ModelPause, MIN_WINDOW } from './model';
import { HASTE } from './moment';
import { pendingChanges } from './owed';
import { type Answer, BrokenInvariant, type RealSubscription } from './real';

export type LifeCommand = fc.AsyncCommand<Model, RealSubscription>;

/** Executes one command, compares its answer, if any, with what the model permits, and checks all invariants. */
abstract class Command implements LifeCommand {
  check(_model: Readonly<Model>): boolean {
    return true;
  }

  async run(model: Model, real: RealSubscription): Promise<void> {
    real.note(this.toString());
    await this.act(model, real);
    await real.check(model);
  }

  abstract toString(): string;
  protected abstract act(model: Model, real: RealSubscription): Promise<void>;

  /** @throws BrokenInvariant if the answer is not one of those that it may be */
  protected expectAnswer(answer: Answer, permitted: readonly Answer['kind'][]): void {
    if (permitted.includes(answer.kind)) return;
    const said = answer.kind === 'refused' ? `refused: ${answer.words}` : 'accepted';
    throw new BrokenInvariant(`${this.toString()} was ${said}`);
  }
}

const EITHER: readonly Answer['kind'][] = ['accepted', 'refused'];
const ACCEPTED: readonly Answer['kind'][] = ['accepted'];
const REFUSED: readonly Answer['kind'][] = ['refused'];

/** The possible answers to a request that needs a subscription that has not ended. */
function ifAlive(model: Model, wanted: readonly Answer['kind'][]): readonly Answer['kind'][] {
  if (['cancelled', 'completed', 'consent_failed'].includes(model.status)) return REFUSED;
  if (model.cancelled !== null) return REFUSED;
  // The daemon may not know yet that the payer, or an agreed date, has ended the subscription.
  return endOf(model) === null && !mayEndAnyMoment(model) ? wanted : EITHER;
}

function mayEndAnyMoment({ agreement }: Model): boolean {
  return agreement.end !== null || agreement.onExhausted !== 'continue';
}

export class TimePasses extends Command {
  constructor(private readonly ms: number) {
    super();
  }

  override check(model: Readonly<Model>): boolean {
    return model.now + this.ms <= model.until;
  }

  protected override act(model: Model, real: RealSubscription): Promise<void> {
    return real.passUntil(model.now + this.ms);
  }

  toString(): string {
    return `time passes: ${(this.ms / DAY).toFixed(3)} days`;
  }
}

/** Moves time to just before, at or after the next due date or the limits of its window. */
export class NextDueDate extends Command {
  constructor(private readonly offset: number) {
    super();
  }

  override check(model: Readonly<Model>): boolean {
    const at = this.target(model);
    return at > model.now && at <= model.until;
  }

  protected override act(model: Model, real: RealSubscription): Promise<void> {
    return real.passUntil(this.target(model));
  }

  toString(): string {
    return `to the next due date and ${(this.offset / 3_600_000).toFixed(3)} h`;
  }

  private target({ agreement, now }: Readonly<Model>): number {
    return dueOf(agreement, cyclesBefore({ ...agreement, end: null }, now).length) + this.offset;
  }
}

export class WalletBecomes extends Command {
  constructor(private readonly wallet: string) {
    super();
  }

  protected override async act(model: Model, { stack, paymentId }: RealSubscription): Promise<void> {
    stack.sandbox.setWallet(paymentId, this.wallet);
    model.wallets.push({ at: model.now, wallet: this.wallet });
  }

  toString(): string {
    return `the payer's wallet becomes ${this.wallet}`;
  }
}

export class PayerCancels extends Command {
  override check(model: Readonly<Model>): boolean {
    return model.granted && model.status !== 'cancelled' && model.payerCancelled === null;
  }

  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    if (real.stack.sandbox.payment(real.paymentId).consent.result !== 'successful') return;
    real.stack.sandbox.payer(real.paymentId).cancel();
    model.payerCancelled = real.now();
  }

  toString(): string {
    return 'the payer cancels at the bank';
  }
}

export interface WireFault {
  readonly method: 'GET' | 'POST';
  readonly path: 'authorizations' | 'consents' | 'captures' | 'refunds';
  /** Faults that apply at the same time. */
  readonly specs: readonly Parameters<RealSubscription['stack']['sandbox']['faults']['add']>[0][];
}

export class WireFails extends Command {
  constructor(private readonly fault: WireFault) {
    super();
  }

  protected override async act(_model: Model, { stack, paymentId }: RealSubscription): Promise<void> {
    const { method, path, specs } = this.fault;
    for (const spec of specs) stack.sandbox.faults.add({ ...spec, match: { method, path: `${path}$`, paymentId } });
  }

  toString(): string {
    const { method, path, specs } = this.fault;
    return `${method} ${path} meets ${specs.map((spec) => JSON.stringify(spec)).join(' and ')}`;
  }
}

export class MessengerGoes extends Command {
  protected override async act(model: Model, { stack, id }: RealSubscription): Promise<void> {
    stack.messenger.cutOff(id);
    model.outages.push({ from: model.now, to: null });
  }

  toString(): string {
    return 'the messenger goes away';
  }
}

export class MessengerComes extends Command {
  override check({ outages }: Readonly<Model>): boolean {
    return outages.at(-1)?.to === null;
  }

  protected override async act(model: Model, { stack, id }: RealSubscription): Promise<void> {
    stack.messenger.connect(id);
    const outage = model.outages.pop();
    if (outage !== undefined) model.outages.push({ ...outage, to: model.now });
  }

  toString(): string {
    return 'the messenger is back';
  }
}

export class Pause extends Command {
  constructor(private readonly lasts: number | null) {
    super();
  }

  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const until = this.lasts === null ? null : model.now + this.lasts;
    const isAsAsked = until === null && openPause(model)?.to === null;
    const wanted = openPause(model) === undefined || isAsAsked ? ACCEPTED : REFUSED;
    const answer = await real.ask((subscription) => subscription.pause(until));
    this.expectAnswer(answer, mayChange(model) ? EITHER : ifAlive(model, wanted));
    // A pause that is already as requested is answered as done, and nothing changes.
    if (answer.kind === 'refused' || isAsAsked) return;
    const to = until === null ? null : { earliest: until, latest: until + HASTE };
    model.pauses.push({ from: answer.moment, to, by: 'merchant' });
  }

  toString(): string {
    return this.lasts === null ? 'pause' : `pause for ${(this.lasts / DAY).toFixed(1)} days`;
  }
}

export class Resume extends Command {
  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const answer = await real.ask((subscription) => subscription.resume());
    this.expectAnswer(answer, mayChange(model) ? EITHER : ifAlive(model, isPausedNow(model) ? ACCEPTED : REFUSED));
    if (answer.kind === 'refused') return;
    const pause = model.pauses.find(({ to }) => to === null || to.latest > answer.moment.earliest);
    if (pause !== undefined) pause.to = answer.moment;
  }

  toString(): string {
    return 'resume';
  }
}

/** Holds this subscription, by a filter that matches no other. */
export class Hold extends Command {
  constructor(private readonly lasts: number) {
    super();
  }

  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const [holdId, until] = [`hold_${randomUUID()}`, real.now() + this.lasts];
    const from = await real.hold(holdId, until);
    model.holds.push({ holdId, from, to: { earliest: until, latest: until } });
  }

  toString(): string {
    return `hold for ${(this.lasts / DAY).toFixed(1)} days`;
  }
}

/** Lifts the hold that was created last. */
export class LiftHold extends Command {
  override check({ holds, now }: Readonly<Model>): boolean {
    return holds.some(({ to }) => to.latest > now);
  }

  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const hold = model.holds.findLast(({ to }) => to.latest > model.now);
    if (hold === undefined) return;
    const lifted = await real.lift(hold.holdId);
    if (lifted.latest < hold.to.earliest) hold.to = lifted;
  }

  toString(): string {
    return 'lift the hold';
  }
}

function isPausedNow(model: Model): boolean {
  return openPause(model) !== undefined;
}

function openPause(model: Model): ModelPause | undefined {
  return model.pauses.find((pause) => isOpen(pause, model.now));
}

function isOpen({ from, to }: ModelPause, now: number): boolean {
  return from.earliest <= now && (to === null || to.latest > now);
}

/** Whether a pause may end about now, or exhausted retries may pause the subscription at any moment. */
function mayChange(model: Model): boolean {
  const ends = model.pauses.some(({ to }) => to !== null && Math.abs(to.latest - model.now) < 3 * HASTE);
  return ends || model.agreement.onExhausted === 'pause';
}

export class Skip extends Command {
  constructor(private readonly ahead: number) {
    super();
  }

  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const { agreement, now } = model;
    const started = cyclesBefore({ ...agreement, end: null }, now + HASTE).length;
    const cycle = started + this.ahead;
    const exists = agreement.end === null || dueOf(agreement, cycle) < agreement.end;
    const answer = await real.ask((subscription) => subscription.skip(cycle));
    // A cycle that is skipped already may have ended.
    const wanted = model.skips.has(cycle) ? EITHER : ACCEPTED;
    this.expectAnswer(answer, exists ? ifAlive(model, wanted) : REFUSED);
    if (answer.kind === 'accepted') model.skips.set(cycle, answer.moment);
  }

  toString(): string {
    return `skip the due date ${this.ahead} ahead`;
  }
}

/** Postpones the first attempt of a coming cycle within its window. */
export class Postpone extends Command {
  constructor(
    private readonly ahead: number,
    private readonly part: number,
  ) {
    super();
  }

  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const { agreement, now } = model;
    const cycle = cyclesBefore({ ...agreement, end: null }, now + HASTE).length + this.ahead;
    const exists = agreement.end === null || dueOf(agreement, cycle) < agreement.end;
    const [due, close] = [dueOf(agreement, cycle), closeOf(agreement, cycle)];
    const until = Math.round(due + this.part * (close - due));
    const answer = await real.ask((subscription) => subscription.postpone(cycle, until));
    // A window this short may be shorter than the transit margin, and a skipped cycle may have ended.
    const wanted = model.skips.has(cycle) || close - until < MIN_WINDOW ? EITHER : ACCEPTED;
    this.expectAnswer(answer, exists ? ifAlive(model, wanted) : REFUSED);
    if (answer.kind === 'accepted') model.postponed.set(cycle, until);
  }

  toString(): string {
    return `postpone the due date ${this.ahead} ahead by ${this.part} of its window`;
  }
}

/** Skips a cycle whose due date is past, which is possible only if it was not tried. */
export class SkipStarted extends Command {
  override check({ agreement, now }: Readonly<Model>): boolean {
    return cyclesBefore(agreement, now - HASTE).length > 0;
  }

  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const cycle = cyclesBefore(model.agreement, model.now - HASTE).length - 1;
    const tried = real.stack.sandbox.payment(real.paymentId).authorizations.some((each) => each.cycle === cycle);
    const answer = await real.ask((subscription) => subscription.skip(cycle));
    this.expectAnswer(answer, tried ? REFUSED : EITHER);
    if (answer.kind === 'accepted') model.skips.set(cycle, answer.moment);
  }

  toString(): string {
    return 'skip the cycle that fell due last';
  }
}

export class RetryNow extends Command {
  override check({ agreement, now }: Readonly<Model>): boolean {
    return cyclesBefore(agreement, now).length > 0;
  }

  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const cycle = cyclesBefore(model.agreement, model.now).length - 1;
    const made = real.stack.sandbox.payment(real.paymentId).authorizations.filter((each) => each.cycle === cycle);
    const mayBe = made.length > 0 && made.length < 4 && made.every(({ result }) => result === 'failed');
    const isSettled = made.every(({ createdAt }) => Date.parse(createdAt) < model.now - HASTE);
    const answer = await real.ask((subscription) => subscription.retry(cycle));
    this.expectAnswer(answer, mayBe || !isSettled ? EITHER : REFUSED);
  }

  toString(): string {
    return 'retry now';
  }
}

/** Another amount: in cents, or as a share of the consent's amount (1: all of it). */
export type Wanted = { readonly cents: number } | { readonly share: number };

export class ChangeAmount extends Command {
  constructor(
    private readonly wanted: Wanted,
    private readonly ahead: number,
  ) {
    super();
  }

  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const { agreement, now } = model;
    const { wanted } = this;
    const cents = 'cents' in wanted ? wanted.cents : Math.max(1, Math.round(agreement.cents * wanted.share));
    const fromCycle = cyclesBefore({ ...agreement, end: null }, now + HASTE).length + this.ahead;
    const ruled = amountAnswers(agreement, authorizedOf(accountOf(real)), fromCycle, cents);
    // A skipped cycle may end before its due date.
    const permitted = model.skips.has(fromCycle) ? ([...ruled, 'refused'] as const) : ruled;
    const answer = await real.ask((subscription) => subscription.changeAmount(fromCycle, euros(cents)));
    this.expectAnswer(answer, permitted.includes('accepted') ? ifAlive(model, permitted) : permitted);
    if (answer.kind === 'accepted') model.requests.push({ moment: answer.moment, change: { fromCycle, cents } });
  }

  toString(): string {
    const { wanted } = this;
    const amount = 'cents' in wanted ? `${wanted.cents}` : `${wanted.share} of the consent's`;
    return `change the amount to ${amount}, ${this.ahead} due dates ahead`;
  }
}

/** Withdraws the pending change, which is refused if there is none or a cycle has frozen it. */
export class WithdrawChange extends Command {
  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const account = accountOf(real);
    const pending = pendingChanges(amountStory(model, account, real.seen?.told ?? []));
    const started = cyclesBefore(model.agreement, model.now + HASTE).length;
    const isFree = pending.map((change) => change !== null && change.fromCycle >= started);
    const wanted = !isFree.includes(false) ? ACCEPTED : pending.every((change) => change === null) ? REFUSED : EITHER;
    const answer = await real.ask((subscription) => subscription.withdrawChange());
    this.expectAnswer(answer, wanted.includes('accepted') ? ifAlive(model, wanted) : wanted);
    if (answer.kind === 'accepted') model.requests.push({ moment: answer.moment, change: null });
  }

  toString(): string {
    return 'take back the change of amount';
  }
}

/** Refunds part of a debit, all that is left, or a cent more than is left. */
export class Refund extends Command {
  constructor(
    private readonly debitsAgo: number,
    private readonly part: number | 'rest' | 'too much',
  ) {
    super();
  }

  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const debits = accountOf(real).debits.filter(({ status }) => status === 'successful');
    const debit = debits.at(-1 - this.debitsAgo) ?? debits[0];
    const cycle = debit?.cycle ?? 0;
    const ordered = model.refunds.filter(({ captureId }) => captureId === debit?.captureId);
    const left = (debit?.amount.value ?? 0) - ordered.reduce((sum, { cents }) => sum + cents, 0);
    const { part } = this;
    const cents = part === 'rest' ? left : part === 'too much' ? left + 1 : Math.max(1, Math.round(left * part));
    if (cents === 0) return;
    const answer = await real.refund(cycle, euros(cents));
    const isKnown = real.seen?.cycles.some((each) => each.cycle === cycle && each.status === 'collected') ?? false;
    this.expectAnswer(answer, debit === undefined || cents > left ? REFUSED : isKnown ? ACCEPTED : EITHER);
    if (answer.kind === 'accepted' && debit !== undefined) model.refunds.push({ captureId: debit.captureId, cents });
  }

  toString(): string {
    const { part } = this;
    return `refund ${typeof part === 'number' ? `${part} of what is left` : part}, ${this.debitsAgo} debits ago`;
  }
}

function accountOf({ stack, paymentId }: RealSubscription): PaymentAccount {
  return stack.sandbox.payment(paymentId);
}

/** The payer of a cycle that was not collected asks to pay it now, and pays or declines at the bank. */
export class PayByLink extends Command {
  constructor(
    private readonly nth: number,
    private readonly pays: boolean,
    /** Whether the payer waits until the window of the cycle has closed. */
    private readonly waits: boolean,
  ) {
    super();
  }

  override check({ agreement, now, until }: Readonly<Model>): boolean {
    return cyclesBefore(agreement, now).length > 0 && now + DAY <= until;
  }

  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const { agreement, paid } = model;
    const uncollected = real.seen?.cycles.filter(({ status }) => ['failed', 'missed'].includes(status)) ?? [];
    const record = uncollected.at(-1 - this.nth);
    const cycle = record?.cycle ?? cyclesBefore(agreement, model.now).length - 1;
    const close = closeOf(agreement, cycle);
    if (this.waits && model.now < close && close + DAY <= model.until) {
      await real.passUntil(close);
      await real.check(model);
    }
    const isPayable = record !== undefined && close <= model.now && !paid.has(cycle);
    const answer = await real.payByLink(cycle, record?.amount ?? euros(agreement.cents), this.pays);
    this.expectAnswer(answer, isPayable ? ACCEPTED : REFUSED);
    if (answer.kind === 'accepted' && this.pays && answer.paymentId !== undefined) paid.set(cycle, answer.paymentId);
  }

  toString(): string {
    return `an uncollected cycle, ${this.nth} before the last, is ${this.pays ? 'paid' : 'declined'} by a link`;
  }
}

export class Cancel extends Command {
  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    const answer = await real.ask((subscription) => subscription.cancel());
    const isOver = ['completed', 'consent_failed', 'cancelled'].includes(model.status);
    this.expectAnswer(answer, isOver || mayEndAnyMoment(model) || endOf(model) !== null ? EITHER : ACCEPTED);
    if (answer.kind === 'accepted') model.cancelled ??= answer.moment;
  }

  toString(): string {
    return 'cancel';
  }
}

export class Acknowledge extends Command {
  protected override async act(model: Model, real: RealSubscription): Promise<void> {
    // No time has passed since the last check: an item for an operator remains even after the last cycle is final.
    const isNeeded = model.status !== 'consent_failed' && real.seen?.standing === 'needs_attention';
    const answer = await real.ask((subscription) => subscription.acknowledge());
    this.expectAnswer(answer, isNeeded ? ACCEPTED : REFUSED);
  }

  toString(): string {
    return `acknowledge`;
  }
}

export function describeAgreement({ repetition, first, end, cents, onExhausted }: Model['agreement']): string {
  const until = end === null ? '' : ` until ${words(end)}`;
  return `${repetition} ${cents} cents from ${words(first)}${until}, ${onExhausted} when exhausted`;
}
