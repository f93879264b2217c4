import { loadQuietly, templatesOf } from '../config';
import { LANGUAGES, PAYER_NOTICES } from '../contract/notices';
import { previewEmail } from '../notices';
import { BadInputError } from '../process/command-error';
import { print } from './output';

export interface PreviewArguments {
  readonly language?: string;
}

/**
 * Prints an e-mail to a payer (subject, text and HTML) from our templates or the merchant's own.
 * @throws BadInputError with every fault.
 */
export function previewNotice(type: string, { language = 'en' }: PreviewArguments): void {
  const templates = templatesOf(loadQuietly([]));
  const known = PAYER_NOTICES.find((each) => each === type);
  const spoken = LANGUAGES.find((each) => each === language);
  if (known === undefined || spoken === undefined) {
    throw new BadInputError([
      ...(known === undefined ? [`<type>: expected ${PAYER_NOTICES.join(', ')}; got ${JSON.stringify(type)}`] : []),
      ...(spoken === undefined
        ? [`--language: expected ${LANGUAGES.join(', ')}; got ${JSON.stringify(language)}`]
        : []),
    ]);
  }
  const { subject, text, html } = previewEmail(known, spoken, templates);
  print(`Subject: ${subject}\n\n${text}\n${html}`);
}
