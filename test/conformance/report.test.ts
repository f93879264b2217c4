import { asJson, chooseRows, inLines, inNumbers, masked, Merchant, playRows, ROWS } from '../../src/conformance';
import { CREDENTIALS, openService } from './service-under-test';

it('the report shows request and answer of a row that differs, without any secret', async () => {
  const { world, close } = await openService({ brokenRules: ['final-capture'] });
  const findings = await playRows(world, chooseRows(['fields/finalCapture', 'flags/true-true'])!);
  await close();
  const [differs, holds] = findings.map(inLines);
  expect(holds).toEqual([
    'holds            flags/true-true',
    '                 Resources and their fields: "true | true | Several captures, whose sum may reach up to the authorized amount."',
  ]);
  expect(differs!.slice(0, 3)).toEqual([
    'differs          fields/finalCapture',
    expect.stringContaining('Resources and their fields: "When true, the payment is closed'),
    '                 a capture after the final one should be refused; the answer was 201 pending',
  ]);
  const text = differs!.join('\n');
  expect(text).toMatch(/> POST http:\S+\/captures\n/);
  expect(text).toContain('> authorization: Bearer [masked]');
  expect(text).toMatch(/> \{"paymentId":"pay_\S+,"amount":\{"value":1,"currency":"EUR"\}\}\n/);
  expect(text).toMatch(/< 201\n/);
  expect(inNumbers(findings)).toBe('2 rows: 1 hold, 1 differ, 0 cannot be tried');
  expect(asJson(findings, world.name)).toMatchObject({
    items: [
      { id: 'fields/finalCapture', verdict: 'differs', exchange: { answer: { status: 201 } } },
      { verdict: 'holds' },
    ],
  });
});

it('the report masks tokens, keys and client secrets wherever they appear', async () => {
  const { service, close } = await openService();
  const merchant = new Merchant({ ...service, apiKey: 'key-of-the-contract' }, CREDENTIALS);
  const token = await merchant.requestToken();
  const called = await merchant.call('GET', '/consents?paymentId=x');
  await close();
  const shown = JSON.stringify([masked(token), masked(called)]);
  const { access_token: secret } = JSON.parse(token.answer.text) as { access_token: string };
  for (const one of [
    secret,
    'key-of-the-contract',
    CREDENTIALS.clientSecret,
    called.request.headers['authorization']!,
  ]) {
    expect(shown).not.toContain(one);
  }
  const encoded = Buffer.from(`${CREDENTIALS.clientId}:${CREDENTIALS.clientSecret}`).toString('base64');
  expect(shown).not.toContain(encoded);
});

it('rows are chosen by their name or their group, and an unknown name matches none', () => {
  expect(chooseRows([])).toBe(ROWS);
  expect(chooseRows(['flags'])).toHaveLength(4);
  expect(chooseRows(['flags/true-true', 'caps'])!.map((row) => row.id)).toEqual([
    'flags/true-true',
    'caps/weekly',
    'caps/monthly',
    'caps/quarterly',
    'caps/half-yearly',
    'caps/yearly',
  ]);
  expect(chooseRows(['flag'])).toBeNull();
});
