import type { Pool } from 'pg';
import type { Adopted } from '../domain/subscription/adoption';
import type { PaymentId, SubscriptionId } from '../domain/ids';
import { type Instant, toIso } from '../domain/time';
import type { Money } from '../domain/money';
import type { Terms } from '../domain/subscription/state';
import { instantToColumn, jsonToColumn, moneyFromColumn } from './column';
import { type Db, queryOne } from './db';
import { insertEvent } from './events';
import { inTransaction } from './transaction';

/** What a workflow has adopted: the ledger takes all of it from here, whatever the draft said. */
export interface Adoption {
  readonly paymentId: PaymentId;
  readonly terms: Terms;
  readonly adopted: Adopted;
  /** What the next cycle collects, which one that is, and when it falls due. */
  readonly amount: Money;
  readonly cycle: number;
  readonly dueAt: Instant;
  readonly collectFrom: Instant;
  readonly actor: string;
  readonly at: Instant;
}

/**
 * The service has the consent: the import's draft becomes an active subscription, in one transaction with its trail.
 * @returns what it begins with, warnings of the draft included; null where there is no such draft.
 */
export async function adoptDraft(pool: Pool, adoption: Adoption): Promise<Adopted | null> {
  return inTransaction(pool, async (db) => {
    const row = await queryOne<{ warnings: string[] }>(db, ACTIVATE, activationOf(adoption));
    if (row === null) return null;
    await insertEvent(db, {
      subscriptionId: adoption.terms.subscriptionId,
      at: adoption.at,
      actor: adoption.actor,
      type: 'subscription.imported',
      data: importedData(adoption),
    });
    return { ...adoption.adopted, warnings: row.warnings };
  });
}

/** What an adopted subscription began with, for whoever lost the answer; null where it has not been adopted. */
export async function readAdopted(
  db: Db,
  subscriptionId: SubscriptionId,
  paymentId: PaymentId,
): Promise<Adopted | null> {
  const row = await queryOne<AdoptedRow>(
    db,
    `select consent_amount, collected_elsewhere, last_increase_at, warnings from subscriptions
     where subscription_id = $1 and payment_id = $2 and collected_elsewhere is not null`,
    [subscriptionId, paymentId],
  );
  return row === null
    ? null
    : {
        consentAmount: moneyFromColumn(row.consent_amount),
        collectedOnce: row.collected_elsewhere,
        lastIncreaseAt: row.last_increase_at,
        warnings: row.warnings,
      };
}

const ACTIVATE = `
  update subscriptions
  set status = 'active', consent_status = 'successful', consent_checked_at = $3,
      repetition = $4, start_at = $5, first_payment_at = $6, end_at = $7, on_exhausted = $8,
      consent_amount = $9, amount = $10, next_due_at = $11, collect_from = $12, collected_elsewhere = $13,
      last_increase_at = $14, warnings = warnings || $15::jsonb
  where subscription_id = $1 and payment_id = $2 and status = 'draft'
  returning warnings`;

function activationOf({ paymentId, terms, adopted, amount, dueAt, collectFrom, at }: Adoption): unknown[] {
  return [
    terms.subscriptionId,
    paymentId,
    instantToColumn(at),
    terms.repetition,
    instantToColumn(terms.startAt),
    instantToColumn(terms.firstPaymentAt),
    instantToColumn(terms.endAt),
    terms.onExhausted,
    adopted.consentAmount.value,
    amount.value,
    instantToColumn(dueAt),
    instantToColumn(collectFrom),
    adopted.collectedOnce,
    instantToColumn(adopted.lastIncreaseAt),
    jsonToColumn(adopted.warnings),
  ];
}

function importedData({ paymentId, terms, adopted, amount, cycle, dueAt, collectFrom }: Adoption) {
  const { consentAmount, collectedOnce, lastIncreaseAt } = adopted;
  return {
    ...{ paymentId, repetition: terms.repetition, amount, consentAmount },
    ...{ firstPaymentAt: toIso(terms.firstPaymentAt), endAt: terms.endAt === null ? null : toIso(terms.endAt) },
    ...{ collectFrom: toIso(collectFrom), cycle, dueAt: toIso(dueAt), collectedElsewhere: collectedOnce },
    lastIncreaseAt: lastIncreaseAt === null ? null : toIso(lastIncreaseAt),
  };
}

interface AdoptedRow {
  consent_amount: number;
  collected_elsewhere: boolean;
  last_increase_at: number | null;
  warnings: string[];
}
