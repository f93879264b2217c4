import { loadQuietly, templatesOf } from '../config';
import { LANGUAGES, PAYER_NOTICES } from '../contract/notices';
import { layOut, readNoticeBody, writeEmail } from '../notices';
import { BadInputError } from '../process/command-error';
import { print } from './output';

export interface PreviewArguments {
  readonly language?: string;
}

/** Prints an e-mail to a payer (subject, text and HTML) from our templates or the merchant's own. */
export function previewNotice(type: string, { language = 'en' }: PreviewArguments): void {
  const templates = templatesOf(loadQuietly([]));
  const { subject, text, html } = layOut(writeEmail(sampleOf(type, language), templates));
  print(`Subject: ${subject}\n\n${text}\n${html}`);
}

const PAYER = { name: 'Ada Byron', email: 'ada@example.org', reference: 'customer 7' };

/** Sample data for every type of notice. */
const DATA = {
  subscriptionId: 'sub_example',
  paymentId: 'payment-example',
  cycle: 2,
  attempt: 0,
  amount: { value: 1999, currency: 'EUR' },
  previousAmount: { value: 1499, currency: 'EUR' },
  dueAt: '2027-01-31T10:00:00.000Z',
  detail: 'AUTHORIZATION_REJECTION_RETRYABLE',
  description: 'insufficient funds',
  retriesLeft: 3,
  retryAt: '2027-02-01T10:00:00.000Z',
  paymentLink: 'https://shop.example/pay?subscription=sub_example&cycle=2',
  until: '2027-03-15T10:00:00.000Z',
  cancelledBy: 'merchant',
};

/** @throws BadInputError with every fault. */
function sampleOf(type: string, language: string): Parameters<typeof writeEmail>[0] {
  const known = PAYER_NOTICES.find((each) => each === type);
  const faults = [
    ...(known === undefined ? [`<type>: expected ${PAYER_NOTICES.join(', ')}; got ${JSON.stringify(type)}`] : []),
    ...(LANGUAGES.some((each) => each === language)
      ? []
      : [`--language: expected ${LANGUAGES.join(', ')}; got ${JSON.stringify(language)}`]),
  ];
  if (known === undefined || faults.length > 0) throw new BadInputError(faults);
  const body = readNoticeBody(known, { ...DATA, payer: { ...PAYER, language } });
  return body as Parameters<typeof writeEmail>[0];
}
