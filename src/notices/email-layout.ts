import type { Language } from '../contract/notices';

/** What an e-mail says, before it is laid out: one line of subject and paragraphs of plain text. */
export interface EmailText {
  readonly language: Language;
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

export interface EmailParts {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The same words as plain text and as simple HTML. Everything from outside is one line, and escaped in the HTML. */
export function layOut(words: EmailText): EmailParts {
  const subject = oneLine(words.subject);
  const paragraphs = words.paragraphs.map(oneLine);
  return { subject, text: `${paragraphs.join('\n\n')}\n`, html: page(words.language, subject, paragraphs) };
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
