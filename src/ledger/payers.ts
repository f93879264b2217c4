import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Instant } from '../domain/time';
import { instantToColumn, jsonToColumn } from './column';
import type { Db } from './db';
import { inTransaction } from './transaction';

/** Personal data: lives in the table of payers alone, never in logs, histories or the trail (decisions 29). */
export interface PostalAddress {
  readonly name: string;
  readonly street: string;
  readonly postalCode: string;
  readonly city: string;
  /** Two upper-case letters. */
  readonly country: string;
  readonly email?: string | undefined;
}

/** As the merchant gave it; all null once erased. */
export interface PayerRecord {
  readonly payerId: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly reference: string | null;
}

export interface NewPayer {
  readonly email: string | null;
  readonly reference: string | null;
  /** Its name is the payer's. */
  readonly billingAddress: PostalAddress;
  readonly shippingAddress: PostalAddress | null;
}

/** @returns the payer's new id. */
export async function insertPayer(db: Db, payer: NewPayer): Promise<string> {
  const payerId = randomUUID();
  await db.query(
    `insert into payers (payer_id, name, email, reference, billing_address, shipping_address)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      payerId,
      payer.billingAddress.name,
      payer.email,
      payer.reference,
      jsonToColumn(payer.billingAddress),
      jsonToColumn(payer.shippingAddress),
    ],
  );
  return payerId;
}

/**
 * Blanks a payer's personal data, also in answers kept for repeated requests. What concerns money stays. Erasing again
 * changes nothing.
 * @returns false where there is no such payer.
 */
export async function erasePayer(pool: Pool, payerId: string, at: Instant): Promise<boolean> {
  return inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      `update payers
       set name = null, email = null, reference = null, billing_address = null, shipping_address = null,
           erased_at = coalesce(erased_at, $2)
       where payer_id = $1`,
      [payerId, instantToColumn(at)],
    );
    await db.query(
      `update idempotency_keys
       set body = (body::jsonb - 'payer')::json
       where json_typeof(body) = 'object'
         and body ->> 'subscriptionId' in (select subscription_id from subscriptions where payer_id = $1)`,
      [payerId],
    );
    return rowCount === 1;
  });
}
