import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Language, LANGUAGES, PAYER_NOTICES } from '../../src/contract/notices';
import { renderEmail, OWN_TEMPLATES, readNoticeBody, readTemplates, writeEmail } from '../../src/notices';
import { about, failed, payer } from './notice-samples';

type Body = Parameters<typeof writeEmail>[0];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dueday-templates-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string) => writeFileSync(join(folder, name), text);

function bodyOf(type: string, data: Record<string, unknown> = {}, language: Language = 'en'): Body {
  const all = {
    ...failed,
    previousAmount: { value: 1499, currency: 'EUR' },
    until: failed.dueAt,
    cancelledBy: 'payer',
  };
  return readNoticeBody(type, { ...all, ...data, payer: { ...payer, language } }) as Body;
}

describe('the words of each language', () => {
  const cases = LANGUAGES.flatMap((language) => PAYER_NOTICES.map((type) => [language, type] as const));

  test.each(cases)(
    'the text in %s of a notice %s has a subject, paragraphs and no open placeholders',
    (language, type) => {
      for (const data of [{}, { retryAt: null, until: null, cancelledBy: 'merchant' }]) {
        const { subject, paragraphs } = writeEmail(bodyOf(type, data, language), OWN_TEMPLATES);
        expect(subject).toMatch(/^\S.{10,}/);
        expect(paragraphs.length).toBeGreaterThan(2);
        expect([subject, ...paragraphs].join('\n')).not.toMatch(/\{\{|\}\}|undefined|null|Subject/);
      }
    },
  );

  test.each([
    ['en', '1,019.99 EUR', '31 January 2027, 10:00 UTC', 'Hello Ada Byron,', 'Your reference: customer 7'],
    ['de', '1.019,99 EUR', '31. Januar 2027, 10:00 UTC', 'Guten Tag Ada Byron,', 'Ihre Referenz: customer 7'],
    ['fr', '1\u202f019,99 EUR', '31 janvier 2027, 10:00 UTC', 'Bonjour Ada Byron,', 'Votre référence : customer 7'],
    ['nl', '1.019,99 EUR', '31 januari 2027, 10:00 UTC', 'Hallo Ada Byron,', 'Uw referentie: customer 7'],
  ] as const)(
    'a notice in %s writes amounts and days in the usual format of the language',
    (language, amount, day, greeting, reference) => {
      const body = bodyOf('payment.failed', { amount: { value: 101_999, currency: 'EUR' } }, language);
      const { subject, text, html } = renderEmail(writeEmail(body, OWN_TEMPLATES));
      for (const said of [amount, day, greeting, reference]) expect(text).toContain(said);
      expect(subject).toContain(amount);
      expect(html).toContain(`<html lang="${language}">`);
    },
  );

  test('notices are in English if the payer has no language', () => {
    const body = readNoticeBody('subscription.resumed', about) as Body;
    expect(writeEmail(body, OWN_TEMPLATES)).toMatchObject({ language: 'en', subject: 'Your subscription continues' });
  });
});

test("a merchant's template replaces dueday's own text for its type and language only", () => {
  put(
    'payment.failed.de.txt',
    'Subject: Schade, {{name}}\r\n\r\n{{amount}} fehlen.\r\n\r\n{{#retryAt}}Bis {{retryAt}}!{{/retryAt}}\r\n',
  );
  const { templates, faults } = readTemplates(folder);
  expect(faults).toEqual([]);
  const email = writeEmail(bodyOf('payment.failed', {}, 'de'), templates);
  expect(email.subject).toBe('Schade, Ada Byron');
  expect(email.paragraphs.slice(1, -1)).toEqual(['19,99 EUR fehlen.', 'Bis 1. Februar 2027, 10:00 UTC!']);
  expect(writeEmail(bodyOf('payment.failed', { retryAt: null }, 'de'), templates).paragraphs).toHaveLength(3);
  expect(writeEmail(bodyOf('payment.failed'), templates).subject).toContain('could not be collected');
});

test("a merchant's template does not expand markup in the payer’s name", () => {
  put('payment.failed.en.txt', 'Subject: {{name}}\n\n{{{name}}} {{&reference}}');
  const body = bodyOf('payment.failed', {});
  const name = '{{amount}}\nBcc: x <b>';
  const told = { ...body, data: { ...body.data, payer: { ...payer, name } } } as Body;
  const { subject, html } = renderEmail(writeEmail(told, readTemplates(folder).templates));
  expect(subject).toBe('{{amount}} Bcc: x <b>');
  expect(html).toContain('<p>{{amount}} Bcc: x &lt;b&gt; customer 7</p>');
});

test("notices use dueday's own texts if the merchant's folder of templates is empty", () => {
  expect(readTemplates(folder)).toEqual({ templates: OWN_TEMPLATES, faults: [] });
});

test("a merchant's templates are refused with every fault of every file", () => {
  put('payment.failed.it.txt', 'Subject: Ciao\n\nx');
  put('payment.failed.html', 'x');
  put('subscription.paused.en.txt', 'Subject: Paused\n\n{{until}} {{amount}}');
  put('subscription.resumed.en.txt', 'no subject');
  put('subscription.completed.en.txt', 'Subject: Done\n\n{{#name}}');
  put('subscription.cancelled.en.txt', 'Subject: Gone\n\n{{>footer}}');
  mkdirSync(join(folder, 'payment.failed.fr.txt'));
  expect(readTemplates(folder).faults).toEqual([
    'payment.failed.fr.txt: cannot be read: EISDIR',
    expect.stringMatching(
      /^payment\.failed\.html: expected a file <type>\.<language>\.txt; types are payment\.failed, /,
    ),
    expect.stringMatching(/^payment\.failed\.it\.txt: expected a file/),
    'subscription.cancelled.en.txt: expected one of byPayer, name, reference; got {{> footer}}',
    expect.stringMatching(/^subscription\.completed\.en\.txt: expected Mustache: Unclosed section "name"/),
    'subscription.paused.en.txt: expected one of until, name, reference; got {{amount}}',
    'subscription.resumed.en.txt: expected a line "Subject: …", then text',
  ]);
});

test("a merchant's folder of templates is refused if it does not exist", () => {
  rmSync(folder, { recursive: true });
  expect(readTemplates(folder).faults).toEqual(['cannot be read: ENOENT']);
});
