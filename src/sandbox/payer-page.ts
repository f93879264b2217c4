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
  fieldset { border: 0; margin: 0; padding: 0 } legend { font-weight: 600; padding: 0 }
  .wallets { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: .5rem }
  .wallet { display: block; padding: .6rem; border: 1px solid #595959; border-radius: .4rem; cursor: pointer }
  .wallet:has(:checked) { border-color: #0b4f8a; box-shadow: inset 0 0 0 1px #0b4f8a; background: #eef5fb }
  .wallet span { display: block; font-size: 1rem }
  .number { display: block; margin-top: 1rem }
  .number input { font: inherit; padding: .4rem; width: 8rem; border: 1px solid #595959 }
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
      <fieldset aria-describedby="wallet-help">
        <legend>Wallet</legend>
        <p id="wallet-help">This is a simulation: the wallet decides what your bank does.</p>
        <div class="wallets">${walletCards(payment.wallet.hint)}</div>
      </fieldset>
      <label class="number">Number for &lt;n&gt; <input name="n" type="number" min="0" max="999999" value="2" required></label>
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

/** One card per wallet. A hint that is not in the table, such as one with a number, has a card of its own. */
function walletCards(hint: string): string {
  const known = Object.entries(WALLETS).map(([name, [meaning]]) => [name, meaning] as const);
  const cards = known.some(([name]) => name === hint)
    ? known
    : [[hint, 'As requested by the merchant'] as const, ...known];
  return cards.map(([name, meaning]) => walletCard(name, meaning, name === hint)).join('');
}

function walletCard(name: string, meaning: string, isChosen: boolean): string {
  const checked = isChosen ? ' checked' : '';
  return `<label class="wallet"><input type="radio" name="wallet" value="${escape(name)}"${checked}> <strong>${escape(name)}</strong> <span>${escape(meaning)}</span></label>`;
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
