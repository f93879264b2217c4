import { type Role, ROLES, type Scope, SCOPES } from '../../src/ledger';
import { type Call, callsOf, HEADERS, isAllowed, isOpen, TABLE } from '../admin/route-needs';
import { ask, askWhenReady } from './ask';
import type { Check } from '../support/campaign';
import { noneOf } from './check';
import { makeKey, type Stage } from './stage';

/** Makes every call that needs a key with each role, with and without each single scope, and without a key. */
export async function checkRoles({ url, keys }: Stage): Promise<readonly Check[]> {
  const described = JSON.parse((await ask(url, { method: 'GET', path: '/openapi.json', key: null })).text) as object;
  const calls = callsOf(described).filter((call) => !isOpen(call));
  const powers = ROLES.flatMap((role) => [null, ...SCOPES].map((scope): [Role, Scope | null] => [role, scope]));
  const wrong: string[] = [];
  for (const [role, scope] of powers) {
    const { key } = await makeKey(url, keys.admin, role, scope === null ? [] : [scope], 'table');
    const said = await Promise.all(
      calls.map(async (call) => wrongIn(call, await answerTo(url, call, key), role, scope)),
    );
    wrong.push(...said.flat());
  }
  const missing = Object.keys(TABLE).filter((id) => !calls.some(({ operationId }) => operationId === id));
  const open = (
    await Promise.all(calls.map(async (call) => [call.operationId, await answerTo(url, call, null)] as const))
  ).filter(([, status]) => status !== 401);
  return [
    noneOf(
      'every call, role and scope as the table says',
      [...wrong, ...missing.map((id) => `${id} is missing`)],
      `${calls.length} calls, ${powers.length} keys`,
    ),
    noneOf(
      'without a key nobody is let in',
      open.map(([id, status]) => `${id}: ${status}`),
      `${calls.length} calls`,
    ),
  ];
}

async function answerTo(url: string, { method, url: path }: Call, key: string | null): Promise<number> {
  return (await askWhenReady(url, { method, path, key, headers: HEADERS })).status;
}

function wrongIn(call: Call, status: number, role: Role, scope: Scope | null): readonly string[] {
  const isForbidden = status === 403;
  if (status !== 401 && status < 500 && isForbidden !== isAllowed(call, role, scope)) return [];
  return [`${call.operationId} by ${role} with ${scope ?? 'its whole role'}: ${status}`];
}
