import { z } from 'zod';
import { LANGUAGES } from '../../contract/notices';
import { InstantOut, leftOut, line } from '../http/fields';

/** What an address in a path is compared with: as the merchant gave it. */
export const PayerParams = z.object({ reference: line(140) });

/** An address as it is stored: an older release may have checked it otherwise. */
const StoredAddress = z
  .object({
    name: z.string(),
    street: z.string(),
    postalCode: z.string(),
    city: z.string(),
    country: z.string(),
    email: z.string().optional(),
  })
  .meta({ id: 'StoredAddress', description: 'A postal address as it is stored.' });

const StoredRecordOut = z
  .object({
    kind: z.enum(['subscription', 'payment']),
    subscriptionId: leftOut(z.string()),
    paymentId: leftOut(z.string()).meta({ description: 'Left out where the service has named none yet' }),
    status: z.string().meta({ description: 'draft before the service has answered' }),
    name: leftOut(z.string()),
    email: leftOut(z.string()),
    language: leftOut(z.enum(LANGUAGES)),
    billingAddress: leftOut(StoredAddress),
    shippingAddress: leftOut(StoredAddress),
    returnURL: leftOut(z.string()),
    createdAt: InstantOut,
  })
  .meta({ id: 'StoredRecord', description: 'What is stored of the payer with one subscription or payment.' });

const LivingOut = z
  .object({
    kind: z.enum(['subscription', 'payment', 'draft', 'attempt', 'order', 'notice', 'attention', 'event', 'job']),
    subscriptionId: leftOut(z.string()),
    paymentId: leftOut(z.string()).meta({ description: 'Of a one-time payment' }),
    state: z.string().meta({ description: 'Its status, state, kind or type' }),
  })
  .meta({ id: 'Living', description: 'What keeps the payer from being erased.' });

/** All that is stored of a payer. */
export const PayerRecordOut = z
  .object({
    reference: z.string(),
    records: z.array(StoredRecordOut).meta({ description: 'Of each subscription and payment, oldest first' }),
    keptAnswers: z.int().min(0).meta({ description: 'Answers kept for repeated requests' }),
    events: z.int().min(0).meta({ description: 'Events for your systems, kept for EVENT_RETENTION_DAYS' }),
    living: z.array(LivingOut).meta({ description: 'What keeps the payer from being erased, the first hundred' }),
  })
  .meta({ id: 'PayerRecord', description: 'Everything that is stored of the payer.' });

export const ErasedPayerOut = z
  .object({
    erasedAt: InstantOut,
    subscriptions: z.int().min(0),
    payments: z.int().min(0),
    drafts: z.int().min(0).meta({ description: 'Removed: the service had never answered' }),
    keptAnswers: z.int().min(0),
    events: z.int().min(0),
  })
  .meta({ id: 'ErasedPayer', description: 'The personal data was erased; the counts say of what.' });
