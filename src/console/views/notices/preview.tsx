import { useLocation } from 'preact-iso';
import { isForPayer, LANGUAGES, type Language, PAYER_NOTICES } from '../../../contract/notices';
import { addressOf, useAddress } from '../common/address';
import { Shown, useAnswer } from '../common/answers';
import type { Notice, NoticePreview } from '../common/schemas';
import { nameOfNotice } from '../../format';

type PayerNotice = (typeof PAYER_NOTICES)[number];

/** Links to the list of notices and to the preview of what payers read. */
export function NoticeTabs() {
  const { path } = useLocation();
  return (
    <nav class="tabs" aria-label="Notices">
      {TABS.map(([name, href]) => (
        <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

const PREVIEW = '/notices/preview';

const TABS = [
  ['Sent', '/notices'],
  ['What payers read', PREVIEW],
] as const;

/** The address of the preview of a notice; null if it is not for payers. */
export function previewOf(type: Notice['type']): string | null {
  return isForPayer(type) ? addressOf(PREVIEW, { type }) : null;
}

const IN_WORDS: Readonly<Record<Language, string>> = { en: 'English', de: 'German', fr: 'French', nl: 'Dutch' };

/** The e-mail of the type of notice in the address, in every language. */
export function Preview() {
  const { query } = useAddress();
  const type = PAYER_NOTICES.find((each) => each === query['type']) ?? PAYER_NOTICES[0];
  return (
    <>
      <h1>Notices</h1>
      <NoticeTabs />
      <nav class="segments" aria-label="Types of notices">
        {PAYER_NOTICES.map((each) => (
          <a
            key={each}
            class="button"
            href={addressOf(PREVIEW, { type: each })}
            aria-current={each === type ? 'page' : undefined}
          >
            {nameOfNotice(each)}
          </a>
        ))}
      </nav>
      <p class="hint">
        The e-mail that a fictitious payer would receive, from the templates in use. The webhook notice{' '}
        <code>{type}</code> contains the same facts, without this text.
      </p>
      <div class="emails">
        {LANGUAGES.map((language) => (
          <Email key={language} type={type} language={language} />
        ))}
      </div>
    </>
  );
}

interface EmailProps {
  readonly type: PayerNotice;
  readonly language: Language;
}

function Email({ type, language }: EmailProps) {
  const preview = useAnswer(['previews'], '/v1/notices/preview', { query: { type, language } });
  return (
    <section class="panel" aria-label={IN_WORDS[language]}>
      <p class="hint">{IN_WORDS[language]}</p>
      <Shown what={`the e-mail in ${IN_WORDS[language]}`} of={preview}>
        {(email) => <EmailText of={email} />}
      </Shown>
    </section>
  );
}

function EmailText({ of: { language, subject, text } }: { readonly of: NoticePreview }) {
  const paragraphs = text.trim().split('\n\n');
  return (
    <article class="email" lang={language}>
      <h2>{subject}</h2>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </article>
  );
}
