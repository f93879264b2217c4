import { issueKey } from '../../src/admin/access/key-ring';
import { type Role, ROLES, type Scope, SCOPES } from '../../src/ledger';
import { describeAdminApi } from '../client/description';
import { type AdminUnderTest, NOW, startAdmin } from './admin-under-test';
import { type Call, callsOf, HEADERS, isAllowed, isOpen, type Needs, TABLE } from './route-needs';

/** The access of every role and every scope to every call of the API. */

let admin: AdminUnderTest;
let calls: readonly Call[];
beforeAll(async () => {
  admin = await startAdmin();
  calls = callsOf(await describeAdminApi());
});
afterAll(() => admin.stop());

const needing = () => calls.filter((call) => !isOpen(call));

test('the route table has every call that needs a key, with the role and scopes of the API description', () => {
  const said = needing().map((call): [string, Needs] => [
    call.operationId,
    [call['x-role'], ...(call['x-scopes'] ?? [])] as unknown as Needs,
  ]);
  expect(Object.fromEntries(said)).toEqual(TABLE);
  expect(calls.filter(isOpen).map(({ operationId }) => operationId)).toEqual(['getHealth', 'getReadiness']);
});

test('the API description marks the calls that a second person may have to approve, and no call that stops something', () => {
  const approvable = calls.filter((call) => call['x-approvable'] === true).map(({ operationId }) => operationId);
  expect(approvable.toSorted()).toEqual([
    ...['capturePayment', 'changeAmount', 'createKey', 'importSubscriptions', 'refundCycle'],
    ...['refundPayment', 'resolveCapture', 'resolveCycle', 'resolveRefund', 'rotateKey', 'runBulk'],
  ]);
});

test('every list accepts a limit from 1 to 200, and has 50 rows by default', () => {
  const limits = calls.flatMap(({ operationId, parameters = [] }) =>
    parameters.filter(({ name }) => name === 'limit').map(({ schema }): [string, unknown] => [operationId, schema]),
  );
  expect(limits.map(([operationId]) => operationId)).toEqual(
    expect.arrayContaining(['listSubscriptions', 'listEvents', 'listJobResults', 'reportReconciliation']),
  );
  for (const [operationId, schema] of limits)
    expect([operationId, schema]).toMatchObject([
      operationId,
      { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    ]);
});

async function keyOf(role: Role, scopes: readonly Scope[]): Promise<string> {
  const act = { actor: 'test', reason: null, at: NOW, realAt: admin.clock.real };
  const issued = await issueKey(admin.db, { name: `${role} ${scopes.join(' ')}`.trim(), role, scopes }, act);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return issued.key;
}

describe.each(ROLES)('the role %s', (role) => {
  test.each<[string, Scope | null]>([
    ['the whole role', null],
    ...SCOPES.map((each): [string, Scope] => [`the scope ${each}`, each]),
  ])('a key with %s may make the calls that the route table names, and no others', async (_what, scope) => {
    const key = await keyOf(role, scope === null ? [] : [scope]);
    for (const call of needing()) {
      const { statusCode, body } = await admin.call(call.method, call.url, { key, headers: HEADERS });
      const answered = statusCode === 403 ? 'forbidden' : statusCode === 401 ? 'unauthenticated' : 'let in';
      const expected = isAllowed(call, role, scope) ? 'let in' : 'forbidden';
      expect([call.operationId, answered]).toEqual([call.operationId, expected]);
      expect([call.operationId, statusCode, statusCode < 500 ? '' : body]).toEqual([call.operationId, statusCode, '']);
    }
  });
});

test('every call without a key is refused', async () => {
  for (const { method, url } of needing()) {
    const answer = await admin.call(method, url, { headers: { ...HEADERS, authorization: '' } });
    expect([method, url, answer.statusCode]).toEqual([method, url, 401]);
  }
});
