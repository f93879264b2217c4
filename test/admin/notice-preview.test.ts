import { LANGUAGES } from '../../src/contract/notices';
import { OWN_TEMPLATES, previewEmail } from '../../src/notices';
import { type AdminUnderTest, faultsOf, startAdmin } from './admin-under-test';

let admin: AdminUnderTest;

beforeAll(async () => {
  admin = await startAdmin();
});
afterAll(() => admin.stop());

const preview = (query: string) => admin.call('GET', `/v1/notices/preview?${query}`, { role: 'viewer' });

test('the preview of a notice is the e-mail that a payer would get, in each language', async () => {
  const subjects: string[] = [];
  for (const language of LANGUAGES) {
    const answer = await preview(`type=payment.failed&language=${language}`);
    const email = answer.json<{ subject: string; text: string }>();
    const sent = previewEmail('payment.failed', language, OWN_TEMPLATES);
    expect(email).toEqual({ type: 'payment.failed', language, ...sent });
    expect(email.text).toContain('Ada Byron');
    subjects.push(email.subject);
  }
  expect(new Set(subjects).size).toBe(LANGUAGES.length);
});

test('the preview refuses a notice to the merchant and an unknown language', async () => {
  expect(faultsOf(await preview('type=cycle.missed')).map(({ path }) => path)).toEqual(['type']);
  expect(faultsOf(await preview('type=payment.failed&language=it')).map(({ path }) => path)).toEqual(['language']);
});
