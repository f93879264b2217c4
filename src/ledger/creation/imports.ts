import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { PaymentId, SubscriptionId } from '../../domain/ids';
import type { Metadata } from '../../domain/metadata';
import type { Money } from '../../domain/money';
import type { GrantedConsent } from '../../domain/subscription/mandate';
import type { Terms } from '../../domain/subscription/state';
import { type Instant, isoOrNull, toIso } from '../../domain/time';
import type { EventData } from '../../domain/audit/event';
import { inTransaction } from '../sql/database';
import { readState, type Frozen } from '../deciding/facts';
import { notifyReplaced } from '../deciding/replaced';
import { instantToColumn, jsonToColumn, type Db, readRecords, readValues } from '../sql/statements';
import type { NewPayer, SubscriptionRecord } from '../rows/subscription';
import { findBlockingReplacement, findLostGrant, type OtherReplacement } from '../subscriptions/replacements';
import { type Act, insertEventsOfMany } from '../audit/entries';
import type { Refusal } from '../../domain/subscription/requests';
import { type CarriedState, carryState } from './carried-state';

/** The most mandates written in one transaction. */
export const MANDATES_PER_TRANSACTION = 100;

/** A consent that was granted elsewhere, as the payment service has it, to be collected by dueday from now on. */
export interface NewMandate extends Terms {
  readonly paymentId: PaymentId;
  readonly workflowId: string;
  /** Amount, number and due date of the next cycle. */
  readonly amount: Money;
  readonly cycle: number;
  readonly dueAt: Instant;
  readonly collectFrom: Instant;
  /** What dueday takes over with the consent. `consentAmount` is in the terms; `warnings` are all warnings about the line. */
  readonly consent: Omit<GrantedConsent, 'consentAmount'>;
  readonly payer: Pick<NewPayer, 'email' | 'reference' | 'language'>;
  readonly billingAddress: NewPayer['billingAddress'];
  readonly shippingAddress: NewPayer['shippingAddress'];
  readonly replaces: SubscriptionId | null;
  readonly metadata: Metadata;
  /** What another installation had accepted for the subscription; null if nothing. */
  readonly carried: CarriedState | null;
  readonly frozen: Frozen;
  readonly createdAt: Instant;
  /** Real time. */
  readonly draftedRealAt: number;
}

/** A subscription or draft with the id or the payment of an imported line. */
export type RecordedMandate = Pick<SubscriptionRecord, 'subscriptionId' | 'paymentId' | 'warnings'>;

export type MandateIds = Pick<NewMandate, 'subscriptionId' | 'paymentId'>;

/** The rows with any of these ids, or any of these payments. */
export async function findMandates(db: Db, wanted: readonly MandateIds[]): Promise<readonly RecordedMandate[]> {
  return readRecords(
    db,
    `select subscription_id, payment_id, warnings from subscriptions where subscription_id = any ($1)
     union
     select subscription_id, payment_id, warnings from subscriptions where payment_id = any ($2)`,
    [wanted.map(({ subscriptionId }) => subscriptionId), wanted.map(({ paymentId }) => paymentId)],
  );
}

/**
 * Stores mandates as active subscriptions, each with its payer, its audit entry, its events and the row from which its workflow
 * is started, in one transaction of two statements. The caller passes only mandates that replace nothing and carry no
 * state.
 * @returns the ids of those that were stored; one whose id or payment is taken is not
 */
export async function importMandates(
  pool: Pool,
  mandates: readonly NewMandate[],
  by: Act,
): Promise<ReadonlySet<SubscriptionId>> {
  return inTransaction(pool, (db) => insertMandates(db, mandates, by));
}

/** The outcome of a mandate that is imported alone. */
export type SingleOutcome =
  | {
      readonly kind: 'imported';
      /** The subscription that it replaces, whose workflow must be notified; null if there is none. */
      readonly other: { readonly subscriptionId: SubscriptionId; readonly revision: number } | null;
    }
  | { readonly kind: 'taken' }
  /** A rule forbids what another installation had accepted; the refusal's path is the field of the line. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'replaced_by_another'; readonly other: OtherReplacement };

/**
 * Imports a mandate that replaces another subscription, whose row is locked for that (rule 22), or that has a state to carry over
 * from another installation. The state is applied in the same transaction, so that a paused subscription is never
 * active, not even for a moment.
 * @param isDryRun whether to roll back even if nothing has refused the mandate
 */
export async function importAlone(pool: Pool, mandate: NewMandate, by: Act, isDryRun = false): Promise<SingleOutcome> {
  return inTransaction(pool, async (db): Promise<SingleOutcome> => {
    const { subscriptionId } = mandate;
    const blocking = await findBlockingReplacement(db, mandate);
    if (blocking !== null) return { kind: 'replaced_by_another', other: blocking };
    if (!(await insertMandates(db, [mandate], by)).has(subscriptionId)) return { kind: 'taken' };
    // A replacement that is being cancelled does not block another one, unless its consent was granted first.
    const lost = await findLostGrant(db, subscriptionId);
    if (lost !== null) throw new GrantLostError(lost.to ?? subscriptionId);
    const { carried } = mandate;
    const refusal = carried === null ? null : await carryState(db, { ...mandate, carried }, by);
    if (refusal !== null) throw new StateRefusedError(refusal);
    if (isDryRun) throw new DryRunError();
    const state = await readState(db, subscriptionId, by.at);
    return { kind: 'imported', other: await notifyReplaced(db, state, 'granted', by.at) };
  }).catch((error: unknown) => {
    if (error instanceof DryRunError) return { kind: 'imported', other: null };
    if (error instanceof StateRefusedError) return { kind: 'refused', refusal: error.refusal };
    if (!(error instanceof GrantLostError)) throw error;
    return { kind: 'replaced_by_another', other: { subscriptionId: error.to, status: 'active', redirectURL: null } };
  });
}

/** Rolls back the transaction. */
class StateRefusedError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/** Rolls back the transaction. */
class DryRunError extends Error {}

/** Rolls back the transaction. */
class GrantLostError extends Error {
  constructor(readonly to: SubscriptionId) {
    super(`${to} was granted first`);
  }
}

async function insertMandates(db: Db, mandates: readonly NewMandate[], by: Act): Promise<ReadonlySet<SubscriptionId>> {
  const stored = new Set(
    await readValues<SubscriptionId>(db, INSERT, [jsonToColumn(mandates.map(rowOf)), instantToColumn(by.at)]),
  );
  const entries = mandates
    .filter(({ subscriptionId }) => stored.has(subscriptionId))
    .map((each) => ({
      subscriptionId: each.subscriptionId,
      type: 'subscription.imported' as const,
      data: importedData(each),
    }));
  await insertEventsOfMany(db, by, entries);
  return stored;
}

/** Inserts the subscriptions in the order of their ids, so that two imports with the same lines cannot deadlock. */
const INSERT = `
  with given as materialized (
    select * from jsonb_to_recordset($1::jsonb) as g (
      subscription_id text, payment_id text, payer_id uuid, workflow_id text, repetition text, consent_amount integer,
      amount integer, start_at timestamptz, first_payment_at timestamptz, end_at timestamptz, on_exhausted text, replaces text,
      metadata jsonb, warnings jsonb, created_at timestamptz, drafted_real_at timestamptz, retry_policy jsonb, spread integer,
      next_due_at timestamptz, collect_from timestamptz, collected_elsewhere boolean, last_increase_at timestamptz,
      name text, email text, reference text, language text, billing_address jsonb, shipping_address jsonb
    )
  ), stored as (
    insert into subscriptions (
      subscription_id, payment_id, payer_id, workflow_id, repetition, consent_amount, amount, start_at, first_payment_at,
      end_at, on_exhausted, replaces, metadata, warnings, created_at, drafted_real_at, retry_policy, spread, next_due_at,
      collect_from, collected_elsewhere, last_increase_at, status, consent_status, consent_checked_at
    )
    select subscription_id, payment_id, payer_id, workflow_id, repetition, consent_amount, amount, start_at, first_payment_at,
      end_at, on_exhausted, replaces, metadata, warnings, created_at, drafted_real_at, retry_policy, spread, next_due_at,
      collect_from, collected_elsewhere, last_increase_at, 'active', 'successful', $2
    from given order by subscription_id
    on conflict do nothing
    returning subscription_id, payer_id, next_due_at
  ), payer_rows as (
    insert into payers (payer_id, name, email, reference, language, billing_address, shipping_address)
    select payer_id, name, email, reference, language, billing_address, shipping_address
    from given where payer_id in (select payer_id from stored)
  ), to_start as (
    insert into workflow_starts (subscription_id, due_at) select subscription_id, next_due_at from stored
  )
  select subscription_id from stored`;

function rowOf(mandate: NewMandate): EventData {
  const { subscriptionId, paymentId, workflowId, amount, consentAmount, consent, frozen, payer } = mandate;
  return {
    subscription_id: subscriptionId,
    payment_id: paymentId,
    payer_id: randomUUID(),
    workflow_id: workflowId,
    repetition: mandate.repetition,
    consent_amount: consentAmount.value,
    amount: amount.value,
    start_at: toIso(mandate.startAt),
    first_payment_at: toIso(mandate.firstPaymentAt),
    end_at: isoOrNull(mandate.endAt),
    on_exhausted: mandate.onExhausted,
    replaces: mandate.replaces,
    metadata: mandate.metadata,
    warnings: consent.warnings,
    created_at: toIso(mandate.createdAt),
    drafted_real_at: toIso(mandate.draftedRealAt),
    retry_policy: frozen.policy,
    spread: frozen.spread,
    next_due_at: toIso(mandate.dueAt),
    collect_from: toIso(mandate.collectFrom),
    collected_elsewhere: consent.collectedOnce,
    last_increase_at: isoOrNull(consent.lastIncreaseAt),
    name: mandate.billingAddress.name,
    email: payer.email,
    reference: payer.reference,
    language: payer.language ?? null,
    billing_address: mandate.billingAddress,
    shipping_address: mandate.shippingAddress,
  };
}

function importedData({ paymentId, repetition, firstPaymentAt, endAt, amount, consentAmount, ...mandate }: NewMandate) {
  const { consent, cycle, dueAt, collectFrom } = mandate;
  return {
    paymentId,
    repetition,
    amount,
    consentAmount,
    firstPaymentAt: toIso(firstPaymentAt),
    endAt: isoOrNull(endAt),
    collectFrom: toIso(collectFrom),
    cycle,
    dueAt: toIso(dueAt),
    collectedElsewhere: consent.collectedOnce,
    lastIncreaseAt: isoOrNull(consent.lastIncreaseAt),
  };
}
