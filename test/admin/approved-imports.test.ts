import { createHash } from 'node:crypto';
import { issueKey } from '../../src/admin/access/key-ring';
import { importFile, type LineAnswer } from '../support/import-call';
import { type AdminUnderTest, NOW, PRODUCTION, startAdmin } from './admin-under-test';
import { mandate, ndjson } from './mandate';

/** A second person approves the import of a file by its hash and length, as the API does not store the file. */

let admin: AdminUnderTest;
let url: string;
let ada: string;
let grace: string;

beforeEach(async () => {
  admin = await startAdmin({ policy: { ...PRODUCTION, subscriptionsReleased: true } });
  url = await admin.app.listen({ port: 0, host: '127.0.0.1' });
  const keyOf = async (holder: string) => {
    const act = { actor: 'test', reason: null, at: NOW, realAt: admin.clock.real };
    const issued = await issueKey(admin.db, { name: holder, role: 'admin', holder }, act);
    if (issued.kind !== 'issued') throw new Error(issued.kind);
    return issued.key;
  };
  [ada, grace] = [await keyOf('Ada'), await keyOf('Grace')];
});
afterEach(() => admin.stop());

const FILE = ndjson(mandate(), mandate({ paymentId: 'pay_2' }));

/** Imports the text, with this approval if one is given. @returns the problem as one object, or the answer to each line */
const send = (text: string | Buffer, approval?: string, key = ada) =>
  importFile(url, key, text, approval === undefined ? {} : { 'dueday-approval': approval });

async function problemOf(text: string | Buffer, approval?: string, key = ada) {
  const [answer] = (await send(text, approval, key)) as unknown as { code: string; approvalId: string }[];
  return answer!;
}

const decide = (verb: string, approvalId: string) =>
  admin.call('POST', `/v1/approvals/${approvalId}/${verb}`, { key: grace, body: { reason: 'compared the sums' } });

async function approvalOf(text: string | Buffer): Promise<string> {
  const { code, approvalId } = await problemOf(text);
  expect(code).toBe('approval_required');
  expect((await decide('approve', approvalId)).statusCode).toBe(200);
  return approvalId;
}

const idsOf = (answers: readonly LineAnswer[]) => answers.map(({ subscriptionId }) => typeof subscriptionId);

test('a dry run needs no approval, and the import after it does', async () => {
  const answers = await importFile(url, ada, FILE, {}, Infinity, '?dryRun=true');
  expect(answers).toMatchObject([{ dryRun: true }, { dryRun: true }]);
  expect((await problemOf(FILE)).code).toBe('approval_required');
});

test('an import waits for another person, who sees its hash and length; the import is then accepted once', async () => {
  const { code, approvalId } = await problemOf(FILE);
  expect(code).toBe('approval_required');
  expect(admin.mandates.asked).toEqual([]);
  const { items } = (await admin.call('GET', '/v1/approvals', { key: grace })).json<{ items: unknown[] }>();
  const sha256 = createHash('sha256').update(FILE).digest('hex');
  const facts = { sha256, bytes: Buffer.byteLength(FILE) };
  expect(items).toMatchObject([{ approvalId, operation: 'importSubscriptions', state: 'pending', facts }]);
  expect((await problemOf(FILE, approvalId)).code).toBe('approval_required');
  await decide('approve', approvalId);
  expect(idsOf(await send(FILE, approvalId))).toEqual(['string', 'string']);
  expect((await problemOf(FILE, approvalId)).code).toBe('approval_used');
  expect(admin.mandates.asked).toHaveLength(2);
});

test.each<[string, string]>([
  ['with a changed amount', FILE.replace('1999', '9999')],
  ['with an additional line', FILE + ndjson(mandate({ paymentId: 'pay_3' }))],
])(
  'a file %s does not match the approval: none of it is imported, and the approval remains valid',
  async (_what, other) => {
    const approval = await approvalOf(FILE);
    expect((await problemOf(other, approval)).code).toBe('approval_mismatch');
    expect(admin.mandates.asked).toEqual([]);
    expect(idsOf(await send(FILE, approval))).toEqual(['string', 'string']);
  },
);

test('another key cannot use the approval of an import, nor can an import use another approval', async () => {
  const approval = await approvalOf(FILE);
  expect((await problemOf(FILE, approval, grace)).code).toBe('approval_mismatch');
  const asked = await admin.call('POST', '/v1/keys', { key: ada, body: { name: 'lin', role: 'admin' } });
  const { approvalId } = asked.json<{ approvalId: string }>();
  await decide('approve', approvalId);
  expect((await problemOf(FILE, approvalId)).code).toBe('approval_mismatch');
});

test('a long file that differs from the approved one is imported only up to the last part whose hash was approved', async () => {
  const line = (number: number, value: number) => {
    const amount = { value, currency: 'EUR' };
    return ndjson(mandate({ paymentId: `pay_${number}`, amount, consentAmount: { value: 1999, currency: 'EUR' } }));
  };
  // The blank lines between the two mandates fill the first part, so that it contains only one mandate.
  const filler = `${' '.repeat(1023)}\n`.repeat(1100);
  const approval = await approvalOf(line(1, 1999) + filler + line(2, 1999));
  const answers = await send(line(1, 1999) + filler + line(2, 1000), approval);
  expect(answers).toMatchObject([
    { line: 1, subscriptionId: expect.any(String) },
    { problem: { code: 'approval_mismatch' } },
  ]);
  expect(admin.mandates.asked).toHaveLength(1);
});

test('the hash of an import does not depend on how its bytes are chunked', async () => {
  const long = ndjson(...Array.from({ length: 20 }, (_, n) => mandate({ paymentId: `pay_${n}` })));
  const approval = await approvalOf(long);
  const answers = await importFile(url, ada, long, { 'dueday-approval': approval }, 7);
  expect(idsOf(answers)).toEqual(Array(20).fill('string'));
});
