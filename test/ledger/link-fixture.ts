import { randomUUID } from 'node:crypto';
import type { AuthorizationId, CaptureId, PaymentId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { decideNext, insertLinkDraft, type LinkDraft, openPayment, type OneTimeRef, type Pool } from '../../src/ledger';
import { windowOf } from './deciding-fixture';
import { COLLECT_BY, REAL_NOW, sendOf, settle, startDebit, subscribe, type Subscribed } from './ledger-fixture';
import { recordBooking, patchPayment } from './payment-fixture';

/** Creates a subscription whose first cycle has failed after a final refusal. */
export async function createFailed(pool: Pool): Promise<Subscribed> {
  const given = await subscribe(pool);
  await failCycle(pool, given, 0);
  return given;
}

export async function failCycle(pool: Pool, given: Subscribed, cycle: number): Promise<void> {
  const window = windowOf(cycle);
  await settle(pool, await startDebit(pool, sendOf(given, { cycle, ...window, at: window.dueAt })), 'rejected');
  await decideNext(pool, given.subscriptionId, { at: window.dueAt + 2000, followed: [], revision: 0 });
}

export function linkDraft(
  { subscriptionId }: Pick<Subscribed, 'subscriptionId'>,
  changes: Partial<LinkDraft> = {},
): LinkDraft {
  const requestId = changes.requestId ?? `pay_${randomUUID()}`;
  return {
    subscriptionId,
    cycle: 0,
    amount: euros(1999),
    requestId,
    workflowId: `payment/${requestId}`,
    returnURL: 'https://shop.example/back',
    merchantCategoryCode: null,
    createdAt: COLLECT_BY,
    draftedRealAt: REAL_NOW,
    reason: 'Ada asked to pay now',
    actor: 'till',
    ...changes,
  };
}

/** Records the service's answer, so that the payer can pay. @returns whether the link was opened */
export function openLink(pool: Pool, { requestId, draftedRealAt, createdAt }: LinkDraft): Promise<boolean> {
  return openPayment(pool, {
    ...{ requestId, draftedRealAt, paymentId: `at-${requestId}` as PaymentId },
    ...{ redirectURL: 'https://bank.example/pay', requestedRealAt: REAL_NOW, at: createdAt },
  });
}

/** Creates a link whose payer has been redirected to the bank. */
export async function createLink(pool: Pool, given: Subscribed, changes: Partial<LinkDraft> = {}): Promise<OneTimeRef> {
  const draft = linkDraft(given, changes);
  const drafted = await insertLinkDraft(pool, draft, 0);
  if (drafted.kind !== 'inserted') throw new Error(`not drafted: ${JSON.stringify(drafted)}`);
  if (!(await openLink(pool, draft))) throw new Error('not opened');
  const { requestId } = draft;
  return { subscriptionId: null, requestId, paymentId: `at-${requestId}` as PaymentId };
}

/** Records that the payer and the bank have approved. */
export async function authorizeLink(pool: Pool, link: OneTimeRef, at: number): Promise<void> {
  const known = { detail: null, description: null };
  const authorizationId = `aut-${link.requestId}` as AuthorizationId;
  await patchPayment(pool, link, {
    consent: { status: 'successful', reason: null },
    authorization: { authorizationId, state: 'successful', createdAt: at, ...known },
  });
}

/** Records that the payer has paid. */
export async function payLink(pool: Pool, link: OneTimeRef, at = COLLECT_BY + 60_000): Promise<CaptureId> {
  await authorizeLink(pool, link, at);
  return recordBooking(pool, link, 'successful', at);
}
