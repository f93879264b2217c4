import { z } from 'zod';
import { LANGUAGES } from '../../contract/notices';
import type { KeyPowers, PayerDetails } from '../../ledger';
import { maskEmail, seesEmails } from '../access/powers';
import { InstantOut, omitNull, line } from '../http/fields';

const MASKED = 'for viewers without scopes, and for keys with scopes that do not include payers:read';

/** The payer of a subscription, a payment, or a related record; empty once erased. */
export const PayerOut = z
  .object({
    name: omitNull(z.string()).meta({ description: `Omitted ${MASKED}` }),
    email: omitNull(z.string()).meta({ description: `Masked (a***@example.com) ${MASKED}` }),
    reference: omitNull(z.string()).meta({ description: 'As given by the merchant' }),
    language: omitNull(z.enum(LANGUAGES)).meta({ description: 'Language of messages to the payer' }),
  })
  .meta({ id: 'Payer', description: 'The payer, as far as the key may read personal data; empty once erased.' });

/** The payer as the API shows it to this caller. */
export function viewPayer(payer: PayerDetails, caller: Pick<KeyPowers, 'role' | 'scopes'>): z.output<typeof PayerOut> {
  const { name, email, reference, language } = payer;
  if (seesEmails(caller)) return { name, email, reference, language };
  return { name: null, email: email === null ? null : maskEmail(email), reference, language };
}

/** The payer's reference exactly as the merchant gave it. */
export const PayerParams = z.object({ reference: line(140) });

/** A stored address: an older release may have validated it differently. */
const StoredAddress = z
  .object({
    name: z.string(),
    street: z.string(),
    postalCode: z.string(),
    city: z.string(),
    country: z.string(),
    email: z.string().optional(),
  })
  .meta({ id: 'StoredAddress', description: 'A stored postal address.' });

const StoredRecordOut = z
  .object({
    kind: z.enum(['subscription', 'payment']),
    subscriptionId: omitNull(z.string()),
    paymentId: omitNull(z.string()).meta({ description: 'Omitted until the payment service has assigned one' }),
    status: z.string().meta({ description: '`draft` until the payment service has answered' }),
    name: omitNull(z.string()),
    email: omitNull(z.string()),
    language: omitNull(z.enum(LANGUAGES)),
    billingAddress: omitNull(StoredAddress),
    shippingAddress: omitNull(StoredAddress),
    returnURL: omitNull(z.string()),
    createdAt: InstantOut,
  })
  .meta({ id: 'StoredRecord', description: 'The data stored about the payer with one subscription or payment.' });

const LivingOut = z
  .object({
    kind: z.enum(['subscription', 'payment', 'draft', 'attempt', 'order', 'notice', 'attention', 'event', 'job']),
    subscriptionId: omitNull(z.string()),
    paymentId: omitNull(z.string()).meta({ description: 'For a one-time payment' }),
    state: z.string().meta({ description: 'The status, state, kind or type of this entry' }),
  })
  .meta({ id: 'Living', description: 'Something that still prevents the erasure of the payer.' });

/** All data stored about a payer. */
export const PayerRecordOut = z
  .object({
    reference: z.string(),
    records: z.array(StoredRecordOut).meta({ description: 'One for each subscription and payment, oldest first' }),
    keptAnswers: z.int().min(0).meta({ description: 'Responses stored for repeated requests' }),
    events: z.int().min(0).meta({ description: 'Events for your systems, stored for EVENT_RETENTION_DAYS' }),
    living: z.array(LivingOut).meta({ description: 'What still prevents the erasure; at most 100 entries' }),
  })
  .meta({ id: 'PayerRecord', description: 'All data stored about the payer.' });

export const ErasedPayerOut = z
  .object({
    erasedAt: InstantOut,
    subscriptions: z.int().min(0),
    payments: z.int().min(0),
    drafts: z.int().min(0).meta({ description: 'Drafts removed; the payment service had never answered' }),
    keptAnswers: z.int().min(0),
    events: z.int().min(0),
  })
  .meta({ id: 'ErasedPayer', description: 'The personal data was erased; the counts show from how many records.' });
