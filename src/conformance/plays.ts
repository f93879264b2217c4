import { bodyOf, type Exchange, items, result, text } from './exchange';
import type { Merchant } from './merchant';
import { accepted, CannotBeTried, Differs } from './outcome';
import { dateOf, DAY, euros, type PlanRequest, type Repetition, USUAL } from './requests';
import type { Stage } from './stage';
import type { Bank, Trial } from './world';

/** Steps that several rows share. Amounts in cents. */

export const BOTH_FLAGS = { partialCapture: true, multipleCapture: true };

export interface Reserved extends Trial {
  readonly authorizationId: string;
  /** Epoch ms, of the authorization. */
  readonly createdAt: number;
}

/** An Event Dependent payment with its authorization. */
export async function reserved(
  stage: Stage,
  changes: PlanRequest['changes'] = {},
  options: { readonly cents?: number; readonly merchant?: Merchant } = {},
): Promise<Reserved> {
  const wanted = { plan: 'EVENT_DEPENDENT', cents: options.cents ?? USUAL, changes } as const;
  const trial = await stage.approved(wanted, options);
  const answer = await stage.final(trial, 'authorizations');
  const [record] = items(bodyOf(answer));
  const [authorizationId, createdAt] = [text(record, 'authorizationId'), text(record, 'createdAt')];
  if (result(record) === 'expired') {
    throw new CannotBeTried('the authorization had expired before it was seen; the service is slower than the row');
  }
  if (authorizationId === undefined || Number.isNaN(Date.parse(createdAt ?? '')) || result(record) !== 'successful') {
    throw new Differs(answer, 'an approved Event Dependent payment should have one successful authorization');
  }
  return { ...trial, authorizationId, createdAt: Date.parse(createdAt ?? '') };
}

/** Seconds: a timeToCapture that ends soon, but not before a row has created its payment. */
export function shortValidity({ world }: Stage): number {
  return Math.ceil(world.lead / 1000);
}

/** A reserved payment whose validity ended `ago` business ms ago. */
export async function expired(stage: Stage, ago = stage.world.margin): Promise<Reserved> {
  const timeToCapture = shortValidity(stage);
  const trial = await reserved(stage, { timeToCapture });
  await stage.until(trial, trial.createdAt + timeToCapture * 1000 + ago);
  return trial;
}

export function capture(stage: Stage, trial: Trial, cents: number, finalCapture?: boolean): Promise<Exchange> {
  const closing = finalCapture === undefined ? {} : { finalCapture };
  return stage.call(trial, 'POST', '/captures', { paymentId: trial.paymentId, amount: euros(cents), ...closing });
}

export function release(stage: Stage, { authorizationId, ...trial }: Reserved): Promise<Exchange> {
  return stage.call(trial, 'DELETE', `/authorizations/${authorizationId}?paymentId=${trial.paymentId}`);
}

export function refund(stage: Stage, trial: Trial, cents: number, captureId?: string): Promise<Exchange> {
  const named = captureId === undefined ? {} : { captureId };
  return stage.call(trial, 'POST', `/${trial.paymentId}/refunds`, { amount: euros(cents), ...named });
}

/** A Single Immediate payment, debited. */
export async function paid(stage: Stage, cents = USUAL): Promise<Trial> {
  const trial = await stage.approved({ plan: 'SINGLE', cents });
  await stage.final(trial, 'authorizations');
  await captured(stage, trial);
  return trial;
}

/** The ids of the successful captures, in the order of the list. @throws Differs if there is none */
export async function captured(stage: Stage, trial: Trial): Promise<readonly string[]> {
  const answer = await stage.final(trial, 'captures');
  const ids = items(bodyOf(answer)).flatMap((one) =>
    result(one) === 'successful' ? (text(one, 'captureId') ?? []) : [],
  );
  if (ids.length === 0) throw new Differs(answer, 'there should be a successful capture');
  return ids;
}

/** A subscription whose first due date has come. */
export async function subscribed(
  stage: Stage,
  repetition: Repetition = 'MONTHLY',
  options: { readonly cents?: number; readonly bank?: Bank; readonly merchant?: Merchant } = {},
): Promise<Trial> {
  const { cents = USUAL } = options;
  const trial = await stage.approved({ plan: 'SUBSCRIPTION', cents, repetition }, options);
  await stage.until(trial, trial.firstPaymentAt);
  return trial;
}

export function collect(stage: Stage, trial: Trial, cents = USUAL): Promise<Exchange> {
  return stage.call(trial, 'POST', `/${trial.paymentId}/authorizations`, { amount: euros(cents) });
}

/** Collects, and waits until the authorization is final. @returns when it was created, epoch ms */
export async function collected(stage: Stage, trial: Trial, cents = USUAL): Promise<number> {
  const answer = accepted(await collect(stage, trial, cents), `a payment of ${cents} cents`);
  const made = await stage.final(trial, 'authorizations');
  if (items(bodyOf(made)).every((one) => result(one) !== 'successful')) {
    throw new Differs(made, 'the payment should have been authorized');
  }
  const createdAt = Date.parse(text(bodyOf(answer), 'createdAt') ?? '');
  if (Number.isNaN(createdAt)) throw new Differs(answer, 'the authorization should say when it was created');
  return createdAt;
}

/** A weekly subscription with the payments of its first two dates. */
export async function collectedTwice(stage: Stage): Promise<Trial> {
  const trial = await subscribed(stage, 'WEEKLY');
  await collected(stage, trial);
  await captured(stage, trial);
  await stage.until(trial, trial.firstPaymentAt + 7 * DAY);
  await collected(stage, trial);
  return trial;
}

/** A new subscription whose first payment is made, once its nth date has come. */
export async function atDate(
  stage: Stage,
  repetition: Repetition,
  n: number,
  cents = USUAL,
  merchant?: Merchant,
): Promise<Trial> {
  const trial = await subscribed(stage, repetition, { cents, ...(merchant === undefined ? {} : { merchant }) });
  await collected(stage, trial, cents);
  await stage.until(trial, dateOf(trial.firstPaymentAt, repetition, n));
  return trial;
}
