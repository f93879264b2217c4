import type { PaymentId } from '../domain/ids';
import { type Db, getPayment, type PaymentRecord } from '../ledger';
import { notFound } from './problems';

/** Of an id out of a checked path. @throws Problem `not_found`; a draft has no id yet. */
export async function findPayment(db: Db, { id }: { readonly id: string }): Promise<PaymentRecord> {
  const record = await getPayment(db, id as PaymentId);
  if (record === null) throw notFound(`There is no payment ${id}.`);
  return record;
}
