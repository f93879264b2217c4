import { DateTime } from 'luxon';
import { render } from 'mustache';
import type { Language } from '../contract/notices';
import type { Money } from '../domain/money';
import type { PayerNoticeBody } from './notice-body';
import type { Templates } from './templates';

/** The content of an e-mail before layout: a subject line and paragraphs of plain text. */
interface EmailText {
  readonly language: Language;
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

/** The e-mail to a payer, in the payer's language. Values from outside are reduced to one line. */
export function writeEmail(body: PayerNoticeBody, templates: Templates): EmailText {
  const language = body.data.payer.language ?? 'en';
  const words = templates[language];
  const name = omitIfLink(oneLine(body.data.payer.name ?? ''));
  const reference = omitIfLink(oneLine(body.data.payer.reference ?? ''));
  const view = { ...viewOf(body, language), name, reference };
  const fill = (template: string) => render(template, view, {}, { escape: String });
  const [first = '', ...rest] = fill(words.notices[body.type]).split('\n');
  return {
    language,
    subject: first.replace(/^Subject: */, ''),
    paragraphs: [
      fill(name === '' ? words.greeting : words.greetingByName),
      ...paragraphsOf(rest.join('\n')),
      ...(reference === '' ? [] : [fill(words.reference)]),
    ],
  };
}

/** Text that mail programs turn into a link: a scheme, `www.`, a domain, an e-mail address. */
const LINK = /:\/\/|\bwww\.|[\p{L}\p{N}-]\.\p{L}{2,}(?![\p{L}\p{N}])|\S@\S/iu;

/** Returns an empty string for a value that mail programs would turn into a link in the merchant's mail. */
function omitIfLink(text: string): string {
  return LINK.test(text) ? '' : text;
}

function paragraphsOf(text: string): readonly string[] {
  return text
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** The variables of the templates, formatted for the language. Null leaves out a section. */
function viewOf(body: PayerNoticeBody, language: Language): Readonly<Record<string, string | boolean | null>> {
  const money = (amount: Money) => formatAmount(amount, language);
  const date = (iso: string | null | undefined) => (iso == null ? null : formatDate(iso, language));
  switch (body.type) {
    case 'payment.failed': {
      const { amount, dueAt, retryAt, paymentLink = null } = body.data;
      return { amount: money(amount), dueAt: date(dueAt), retryAt: date(retryAt), paymentLink };
    }
    case 'payment.increase_announced': {
      const { amount, previousAmount, dueAt } = body.data;
      return { amount: money(amount), previousAmount: money(previousAmount), dueAt: date(dueAt) };
    }
    case 'payment.upcoming': {
      const { amount, dueAt, postponedUntil } = body.data;
      return { amount: money(amount), dueAt: date(postponedUntil ?? dueAt) };
    }
    case 'subscription.paused':
      return { until: date(body.data.until) };
    case 'subscription.cancelled':
      return { byPayer: body.data.cancelledBy === 'payer' };
    case 'subscription.resumed':
    case 'subscription.completed':
      return {};
  }
}

/** The locale whose number and date formats are used for a language. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR', nl: 'nl-NL' };

/** `1,019.99 EUR`, `1.019,99 EUR`. */
function formatAmount({ value, currency }: Money, language: Language): string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `${new Intl.NumberFormat(LOCALES[language], digits).format(value / 100)} ${currency}`;
}

/** `31 January 2027, 10:00 UTC`; in German the day is an ordinal. */
function formatDate(iso: string, language: Language): string {
  const form = language === 'de' ? "d. MMMM yyyy, HH:mm 'UTC'" : "d MMMM yyyy, HH:mm 'UTC'";
  return DateTime.fromISO(iso, { zone: 'utc', locale: LOCALES[language] }).toFormat(form);
}

/** Renders an e-mail as plain text and simple HTML. Values from outside are one line, and escaped in the HTML. */
export function renderEmail(email: EmailText) {
  const subject = oneLine(email.subject);
  const paragraphs = email.paragraphs.map(oneLine);
  return { subject, text: `${paragraphs.join('\n\n')}\n`, html: page(email.language, subject, paragraphs) };
}

function page(language: string, title: string, paragraphs: readonly string[]): string {
  const body = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n');
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5">
${body}
</body>
</html>
`;
}

/** Replaces control characters, line breaks (including those of Unicode) and direction marks by spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
