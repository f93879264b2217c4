import fc from 'fast-check';
import type { SimulatedStack } from '../../src/simulation/simulated-stack';
import { type Agreement, DAY } from './calendar';
import { describeAgreement } from './commands';
import { debitedTwice } from './invariants';
import type { Life } from './life';
import { type Model, newModel } from './model';
import { BrokenInvariant, RealSubscription, SESSION } from './real';
import type { SharedTime } from './shared-time';

/** The result of a life. `broken`: the broken invariants and their time, or null. `steps`: what was done before. */
export interface Ending {
  readonly agreement: string;
  readonly broken: string | null;
  readonly steps: string;
  /** Dates that the service has debited more than once, as texts. */
  readonly doubleDebits: readonly string[];
}

/** The interval of checks while the life continues by itself after the commands. */
const STRIDE = 45 * DAY;

/** Lives one life with the daemon's own decisions and activities. @throws only faults that are not a broken promise */
export async function live(stack: SimulatedStack, time: SharedTime, id: string, life: Life): Promise<Ending> {
  const now = time.now();
  const agreement = agreementOf(life, now);
  const real = await RealSubscription.open(stack, time, id, agreement, now);
  const model = newModel(agreement, life.answer === 'approve', now, now + life.lasts);
  try {
    await answerAsPayer(real, life.answer);
    await real.check(model);
    await fc.asyncModelRun(() => ({ model, real }), life.commands);
    await goOn(model, real);
    await end(model, real);
  } catch (error) {
    if (!(error instanceof BrokenInvariant)) throw error;
    return endingOf(real, life, `at ${new Date(model.now).toISOString()}: ${error.message}`);
  }
  return endingOf(real, life, null);
}

function endingOf({ stack, paymentId, agreement }: RealSubscription, life: Life, broken: string | null): Ending {
  return {
    agreement: describeAgreement(agreement),
    broken,
    steps: life.commands.toString(),
    doubleDebits: debitedTwice(stack.sandbox.payment(paymentId)),
  };
}

function agreementOf({ agreement, lead, ends }: Life, now: number): Agreement {
  // Rounded to the minute, which is easier to read and changes nothing about the rules.
  const first = Math.ceil((now + lead) / 60_000) * 60_000;
  return { ...agreement, first, end: ends === null ? null : first + ends };
}

async function answerAsPayer(real: RealSubscription, answer: Life['answer']): Promise<void> {
  const payer = real.stack.sandbox.payer(real.paymentId);
  if (answer !== 'none') payer[answer]();
  await real.passUntil(real.now() + SESSION);
}

async function goOn(model: Model, real: RealSubscription): Promise<void> {
  while (model.now < model.until) {
    await real.passUntil(Math.min(model.until, model.now + STRIDE));
    await real.check(model);
  }
}

/** The merchant cancels, so that no life costs the others time; then ledger and service must agree to the cent. */
async function end(model: Model, real: RealSubscription): Promise<void> {
  real.note('is cancelled by its merchant at its end');
  const answer = await real.ask((subscription) => subscription.cancel());
  if (answer.kind === 'accepted') model.cancelled ??= answer.moment;
  await real.passUntil(model.now + DAY);
  await real.check(model);
  const { seen } = real;
  const open =
    seen?.attempts.filter(({ state }) => ['sending', 'unknown', 'unresolved', 'pending'].includes(state)) ?? [];
  if (open.length > 0) throw new BrokenInvariant(`a day after its end cycle ${open[0]?.cycle} is ${open[0]?.state}`);
  const collected = seen?.attempts.filter(({ state }) => state === 'successful').length;
  const debited = seen?.serviceAfter.debits.filter(({ status }) => status === 'successful').length;
  if (collected !== debited) throw new BrokenInvariant(`the ledger has ${collected} debits, the service ${debited}`);
  const refunded = seen?.serviceAfter.refunds.filter(({ result }) => result === 'successful').length;
  if (model.refunds.length !== refunded)
    throw new BrokenInvariant(`${model.refunds.length} refunds were ordered, the service has ${refunded}`);
}
