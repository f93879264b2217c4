import { DateTime } from 'luxon';
import { formatMoney } from '../domain/money';
import type { PayerNoticeBody } from './notice-body';

/** What an e-mail says, before it is laid out: one line of subject and paragraphs of plain text. */
export interface EmailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

type Data<T extends PayerNoticeBody['type']> = Extract<PayerNoticeBody, { type: T }>['data'];

/** The words for a payer. Nothing in the subject comes from outside but amounts. */
export function writeEmail(body: PayerNoticeBody): EmailText {
  switch (body.type) {
    case 'payment.failed':
      return paymentFailed(body.data);
    case 'payment.increase_announced':
      return increaseAnnounced(body.data);
    case 'subscription.paused':
      return paused(body.data);
    case 'subscription.resumed':
      return resumed();
    case 'subscription.cancelled':
      return cancelled(body.data);
    case 'subscription.completed':
      return completed();
  }
}

/** The service's description is left out: it speaks to the merchant ("contact the payer before retrying"). */
function paymentFailed(data: Data<'payment.failed'>): EmailText {
  const amount = formatMoney(data.amount);
  return {
    subject: `Your payment of ${amount} could not be collected`,
    paragraphs: [
      `We could not collect your payment of ${amount}, which was due on ${date(data.dueAt)}.`,
      'The usual causes are too little money in the account, or a limit set with your bank.',
      data.retryAt === null
        ? 'We will not try to collect this payment again. Please get in touch with us to settle it.'
        : `We plan to try again on ${date(data.retryAt)}. Please make sure that the payment can go through by then.`,
    ],
  };
}

function increaseAnnounced(data: Data<'payment.increase_announced'>): EmailText {
  return {
    subject: `Your payment changes to ${formatMoney(data.amount)}`,
    paragraphs: [
      `From ${date(data.dueAt)} your payment is ${formatMoney(data.amount)} instead of ${formatMoney(data.previousAmount)}.`,
      'If you do not agree, you can cancel the subscription before then, with us or at your bank.',
    ],
  };
}

function paused(data: Data<'subscription.paused'>): EmailText {
  const until = data.until ?? null;
  return {
    subject: 'Your subscription is paused',
    paragraphs: [
      until === null
        ? 'Your subscription is paused until further notice.'
        : `Your subscription is paused until ${date(until)}.`,
      'No payment that falls due during the pause will be collected, now or later.',
    ],
  };
}

function resumed(): EmailText {
  return {
    subject: 'Your subscription goes on',
    paragraphs: ['The pause of your subscription has ended. Payments are collected on their usual dates again.'],
  };
}

function cancelled(data: Data<'subscription.cancelled'>): EmailText {
  return {
    subject: 'Your subscription is cancelled',
    paragraphs: [
      data.cancelledBy === 'payer'
        ? 'Your subscription is cancelled, because its consent was withdrawn at your bank.'
        : 'Your subscription is cancelled.',
      'Nothing more will be collected. A payment that was already with your bank may still be completed.',
    ],
  };
}

function completed(): EmailText {
  return {
    subject: 'Your subscription is complete',
    paragraphs: ['Your subscription has reached its agreed end. Nothing more will be collected. Thank you.'],
  };
}

/** `31 January 2027, 10:00 UTC` */
function date(iso: string): string {
  return DateTime.fromISO(iso, { zone: 'utc', locale: 'en-GB' }).toFormat("d MMMM yyyy, HH:mm 'UTC'");
}
