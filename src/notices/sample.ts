import type { Language, PAYER_NOTICES } from '../contract/notices';
import { renderEmail, writeEmail } from './email-text';
import { type PayerNoticeBody, readNoticeBody } from './notice-body';
import type { Templates } from './templates';

const PAYER = { name: 'Ada Byron', email: 'ada@example.org', reference: 'customer 7' };

/** Sample data for every type of notice to a payer. */
const DATA = {
  subscriptionId: 'sub_example',
  paymentId: 'payment-example',
  cycle: 2,
  attempt: 0,
  amount: { value: 1999, currency: 'EUR' },
  previousAmount: { value: 1499, currency: 'EUR' },
  dueAt: '2027-01-31T10:00:00.000Z',
  detail: 'AUTHORIZATION_REJECTION_RETRYABLE',
  description: 'insufficient funds',
  retriesLeft: 3,
  retryAt: '2027-02-01T10:00:00.000Z',
  paymentLink: 'https://shop.example/pay?subscription=sub_example&cycle=2',
  until: '2027-03-15T10:00:00.000Z',
  cancelledBy: 'merchant',
};

/** The e-mail to an invented payer, from dueday's templates or the merchant's own: its subject, plain text and HTML. */
export function previewEmail(
  type: (typeof PAYER_NOTICES)[number],
  language: Language,
  templates: Templates,
): ReturnType<typeof renderEmail> {
  const body = readNoticeBody(type, { ...DATA, payer: { ...PAYER, language } }) as PayerNoticeBody;
  return renderEmail(writeEmail(body, templates));
}
