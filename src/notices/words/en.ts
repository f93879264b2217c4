import type { PayerNoticeBody } from '../notice-body';

export type PayerNoticeType = PayerNoticeBody['type'];

/**
 * The texts of e-mails to payers in one language, as Mustache templates. Each of the `notices` is a line `Subject: …`, then
 * paragraphs separated by blank lines. A merchant's own templates have the same format.
 */
export interface Words {
  readonly greeting: string;
  readonly greetingByName: string;
  readonly reference: string;
  readonly notices: Readonly<Record<PayerNoticeType, string>>;
}

/** The variables of a template, besides `name` and `reference` of the payer. */
export const VARIABLES = {
  'payment.failed': ['amount', 'dueAt', 'retryAt', 'paymentLink'],
  'payment.increase_announced': ['amount', 'previousAmount', 'dueAt'],
  'payment.upcoming': ['amount', 'dueAt'],
  'subscription.paused': ['until'],
  'subscription.resumed': [],
  'subscription.cancelled': ['byPayer'],
  'subscription.completed': [],
} as const satisfies Readonly<Record<PayerNoticeType, readonly string[]>>;

/** The service's own description of a refusal is left out, as it addresses the merchant ("contact the payer before retrying"). */
export const ENGLISH: Words = {
  greeting: 'Hello,',
  greetingByName: 'Hello {{name}},',
  reference: 'Your reference: {{reference}}',
  notices: {
    'payment.failed': `Subject: Your payment of {{amount}} could not be collected

We could not collect your payment of {{amount}}, which was due on {{dueAt}}.

The usual causes are insufficient funds in the account, or a limit set by your bank.

{{#retryAt}}We plan to try again on {{retryAt}}. Please make sure that the payment can go through.{{/retryAt}}
{{^retryAt}}We will not try to collect this payment again. {{#paymentLink}}You can pay it here: {{paymentLink}}{{/paymentLink}}{{^paymentLink}}Please get in touch with us to settle it.{{/paymentLink}}{{/retryAt}}`,
    'payment.increase_announced': `Subject: Your payment changes to {{amount}}

From {{dueAt}} your payment is {{amount}} instead of {{previousAmount}}.

If you do not agree, you can cancel the subscription before then, with us or at your bank.`,
    'payment.upcoming': `Subject: Your payment of {{amount}} is due soon

On {{dueAt}} we will collect {{amount}} for your subscription.

You do not need to do anything. If you do not want the subscription to continue, you can cancel it before then, with us or at your bank.`,
    'subscription.paused': `Subject: Your subscription is paused

{{#until}}Your subscription is paused until {{until}}.{{/until}}{{^until}}Your subscription is paused until further notice.{{/until}}

No payment that falls due during the pause will be collected, now or later.`,
    'subscription.resumed': `Subject: Your subscription continues

The pause of your subscription has ended. Payments are collected on their usual dates again.`,
    'subscription.cancelled': `Subject: Your subscription is cancelled

{{#byPayer}}Your subscription is cancelled, because its consent was withdrawn at your bank.{{/byPayer}}{{^byPayer}}Your subscription is cancelled.{{/byPayer}}

Nothing more will be collected. A payment that was already with your bank may still be completed.`,
    'subscription.completed': `Subject: Your subscription is complete

Your subscription has reached its agreed end. Nothing more will be collected. Thank you.`,
  },
};
