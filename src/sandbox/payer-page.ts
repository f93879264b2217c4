import { createHash } from 'node:crypto';
import { iso } from './payments/calendar';
import { inEuros } from './limits/verdict';
import type { Payment } from './payments/records';
import { WALLETS } from './bank/wallets';

/** The page on which the payer decides. It needs no script; the browser reloads it when the session ends. */
export interface PayerPage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const STYLE = `
  body { font: 1.125rem/1.5 system-ui, sans-serif; color: #1b1b1b; background: #fff; margin: 2rem auto; max-width: 40rem; padding: 0 1rem }
  dt { font-weight: 600 } dd { margin: 0 0 .5rem }
  label { display: block; font-weight: 600 }
  input { font: inherit; padding: .5rem; width: 100%; box-sizing: border-box; border: 1px solid #595959 }
  button { font: inherit; padding: .6rem 1.2rem; margin: 1rem .5rem 0 0; border: 2px solid #0b4f8a; background: #fff; color: #0b4f8a; cursor: pointer }
  button.main { background: #0b4f8a; color: #fff }
  :focus-visible { outline: 3px solid #b35900; outline-offset: 2px }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const PLANS = {
  SINGLE: 'One payment',
  EVENT_DEPENDENT: 'Payment after an event',
  SUBSCRIPTION: 'Subscription',
} as const;

export function decisionPage(payment: Payment, realNow: number): PayerPage {
  const action = (name: string): string => `formaction="/payer/${payment.paymentId}/${name}"`;
  const html = document(
    'Do you approve this payment?',
    `<dl>${facts(payment)}</dl>
    <form method="post" action="/payer/${payment.paymentId}/approve">
      <label for="wallet">Wallet</label>
      <input id="wallet" name="wallet" list="wallets" value="${escape(payment.wallet.hint)}" aria-describedby="wallet-help" autocomplete="off" maxlength="100">
      <datalist id="wallets">${walletOptions()}</datalist>
      <p id="wallet-help">This is a simulation: the wallet decides what your bank does. Replace &lt;n&gt; with a number.</p>
      <button class="main" type="submit">Approve</button>
      <button type="submit" ${action('decline')}>Decline</button>
      <button type="submit" ${action('abort')}>Abort</button>
    </form>
    <p>You have until ${iso(payment.sessionEndsAt)} (UTC). After that you return to the shop.</p>`,
  );
  const secondsLeft = Math.max(0, Math.ceil((payment.sessionEndsAt - realNow) / 1000));
  // Browsers also apply form-action to the redirect after the form.
  const origin = new URL(payment.request.returnURL).origin;
  return { html, headers: { ...securityHeaders(`'self' ${origin}`), refresh: String(secondsLeft) } };
}

/** A page that only shows a message. */
export function messagePage(title: string, message: string): PayerPage {
  return { html: document(title, `<p>${escape(message)}</p>`), headers: securityHeaders(`'none'`) };
}

function facts({ request }: Payment): string {
  const rows: [string, string | undefined][] = [
    ['Plan', PLANS[request.useCase]],
    ['Amount', inEuros(request.amount.value)],
    ['Every', request.repetition?.toLowerCase().replace('_', '-')],
    ['First payment', isoOrNothing(request.firstPaymentAt)],
    ['Ends', isoOrNothing(request.endAt)],
    ['Name', request.billingAddress.name],
    ['You return to', new URL(request.returnURL).host],
  ];
  return rows
    .flatMap(([term, value]) => (value === undefined ? [] : `<dt>${term}</dt><dd>${escape(value)}</dd>`))
    .join('');
}

function isoOrNothing(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : iso(instant);
}

function walletOptions(): string {
  return Object.entries(WALLETS)
    .map(([name, [meaning]]) => `<option value="${escape(name)}">${escape(meaning)}</option>`)
    .join('');
}

function document(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escape(title)}</h1>${body}</main></body>
</html>
`;
}

function securityHeaders(formAction: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
