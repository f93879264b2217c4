import { z } from 'zod';
import { isForPayer, LANGUAGES, MERCHANT_NOTICES, PAYER_NOTICES } from '../../contract/notices';
import { MAX_RETRIES } from '../../domain/subscription/retries';
import type { NoticeRecord } from '../../ledger';
import {
  InstantIn,
  InstantOut,
  omitNull,
  line,
  PAGE_FIELDS,
  PaymentIdText,
  Reason,
  SubscriptionIdText,
} from '../http/fields';

const NOTICE_STATES = ['pending', 'delivered', 'undeliverable'] as const;
const NOTICE_TYPES = [...PAYER_NOTICES, ...MERCHANT_NOTICES] as const;

export const NoticesQuery = z.strictObject({
  ...PAGE_FIELDS,
  state: z.enum(NOTICE_STATES).optional(),
  type: z.enum(NOTICE_TYPES).optional(),
  subscriptionId: SubscriptionIdText.optional().meta({ description: 'Only notices about this subscription' }),
  paymentId: PaymentIdText.optional().meta({ description: 'Only notices about this one-time payment' }),
});

export const PreviewQuery = z.strictObject({
  type: z.enum(PAYER_NOTICES),
  language: z.enum(LANGUAGES).default('en'),
});

export const PreviewOut = z
  .object({
    type: z.enum(PAYER_NOTICES),
    language: z.enum(LANGUAGES),
    subject: z.string(),
    text: z.string().meta({ description: 'The plain text of the e-mail; paragraphs are separated by empty lines' }),
    html: z.string().meta({ description: 'The HTML of the e-mail' }),
  })
  .meta({ id: 'NoticePreview', description: 'The e-mail to an invented payer, from the templates in use.' });

export const NoticeParams = z.object({ id: z.string().regex(/^msg_[0-9a-f]{32}$/, 'the id of a notice') });

export const ToldBody = z
  .strictObject({
    channel: line(40).meta({ description: 'How the payer was notified, such as phone' }),
    toldAt: InstantIn.meta({
      description: 'When the payer was notified: after the event that the notice reports, and not after now',
    }),
    evidence: Reason.meta({ description: 'For the audit log; without personal data' }),
  })
  .meta({ id: 'ToldByPerson', description: 'How and when the payer was notified, with evidence.' });

/** A notice as stored: the recipient's address is added at delivery. */
export const NoticeOut = z
  .object({
    noticeId: z.string(),
    type: z.enum(NOTICE_TYPES),
    to: z.enum(['payer', 'merchant']),
    state: z.enum(NOTICE_STATES),
    subscriptionId: z.string().nullable(),
    paymentId: omitNull(z.string()).meta({ description: 'For a one-time payment' }),
    cycle: omitNull(z.int().min(0)),
    attempt: omitNull(z.int().min(0).max(MAX_RETRIES)),
    data: z.record(z.string(), z.unknown()),
    deliveries: z.int().min(0).meta({ description: 'Number of tries so far' }),
    createdAt: InstantOut,
    deliveredAt: InstantOut.nullable(),
    channel: omitNull(z.string()),
    evidence: omitNull(z.unknown()).meta({ description: 'Why the notice counts as delivered' }),
    lastError: omitNull(z.string()),
  })
  .meta({ id: 'Notice', description: 'A notice to a payer or to the merchant, and whether it was delivered.' });

export type NoticeOut = z.output<typeof NoticeOut>;

/** The ledger's record of a notice, and whether it is for the payer or the merchant. */
export function viewNotice(record: NoticeRecord): NoticeOut {
  return { ...record, data: { ...record.data }, to: isForPayer(record.type) ? 'payer' : 'merchant' };
}
