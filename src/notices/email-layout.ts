import type { EmailText } from './email-text';

export interface EmailParts {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Whom the e-mail greets, and the reference the payer knows the subscription by. */
export interface Addressee {
  readonly name: string | null;
  readonly reference?: string | null | undefined;
}

/** The same words as plain text and as simple HTML. Everything from outside is one line, and escaped in the HTML. */
export function layOut(words: EmailText, to: Addressee): EmailParts {
  const name = oneLine(to.name ?? '');
  const reference = oneLine(to.reference ?? '');
  const paragraphs = [
    name === '' ? 'Hello,' : `Hello ${name},`,
    ...words.paragraphs.map(oneLine),
    ...(reference === '' ? [] : [`Your reference: ${reference}`]),
  ];
  return {
    subject: oneLine(words.subject),
    text: `${paragraphs.join('\n\n')}\n`,
    html: page(oneLine(words.subject), paragraphs),
  };
}

function page(title: string, paragraphs: readonly string[]): string {
  const body = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="font-family: sans-serif; line-height: 1.5">
${body}
</body>
</html>
`;
}

/** Control characters and line ends, those of Unicode and its turners of direction too, become spaces. */
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
