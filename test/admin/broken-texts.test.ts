import { parseJson } from '../../src/admin/http/json/body';
import { type Description, readDescription } from '../security-campaign/description';
import { type AdminUnderTest, faultPaths, startAdmin } from './admin-under-test';
import { order } from './order';
import { bodyWith, isText, textFieldsOf, withIds } from './text-fields';

let admin: AdminUnderTest;
let described: Description;
beforeAll(async () => {
  admin = await startAdmin();
  described = readDescription((await admin.call('GET', '/openapi.json')).body);
});
afterAll(() => admin.stop());

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

async function send({ method, url, body, headers = {} }: Sent) {
  return admin.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${admin.keys.admin}`, ...headers },
    ...(body === undefined ? {} : { payload: body as object }),
  });
}

const BROKEN = [
  ['NUL', 'a\u0000b'],
  ['half of a surrogate pair', 'a\ud800b'],
] as const;

test.each(BROKEN)('%s in any text of any body is rejected with 400, naming the field', async (_what, text) => {
  const wrong: unknown[] = [];
  let sent = 0;
  for (const { method, url: path, bodies } of described.operations) {
    const schema = bodies['application/json']?.schema;
    for (const field of schema === undefined ? [] : textFieldsOf(described.schemas, schema)) {
      if (field.length === 0) continue;
      const answer = await send({ method, url: withIds(path), body: bodyWith(field, text) });
      sent += 1;
      if (answer.statusCode !== 400 || !faultPaths(answer).includes(field.join('.')))
        wrong.push([method, path, field, answer.statusCode, answer.body]);
    }
  }
  expect(wrong).toEqual([]);
  expect(sent).toBeGreaterThan(50);
});

test('NUL in any text of any query or path is rejected with 400, naming the field', async () => {
  const wrong: unknown[] = [];
  let sent = 0;
  for (const { method, url: path, parameters } of described.operations)
    for (const { name, in: where, schema } of parameters) {
      if (where === 'header' || !(isText(described.schemas, schema) || where === 'path')) continue;
      const url =
        where === 'path'
          ? withIds(path.replace(`{${name}}`, 'a%00b'))
          : `${withIds(path)}?${encodeURIComponent(name)}=a%00b`;
      const answer = await send({ method, url });
      sent += 1;
      if (answer.statusCode !== 400 || !faultPaths(answer).includes(name))
        wrong.push([method, url, answer.statusCode, answer.body]);
    }
  expect(wrong).toEqual([]);
  expect(sent).toBeGreaterThan(50);
});

test('an overlong text in any field of a query or body is rejected with 400, naming the field', async () => {
  const wrong: unknown[] = [];
  const text = 'x'.repeat(10_000);
  for (const { method, url: path, parameters, bodies } of described.operations) {
    for (const { name, in: where, schema } of parameters) {
      if (where !== 'query' || !isText(described.schemas, schema)) continue;
      const url = `${withIds(path)}?${encodeURIComponent(name)}=${text}`;
      const answer = await send({ method, url });
      if (answer.statusCode !== 400 || !faultPaths(answer).includes(name))
        wrong.push([method, path, where, name, answer.statusCode, answer.body.slice(0, 300)]);
    }
    const schema = bodies['application/json']?.schema;
    for (const field of schema === undefined ? [] : textFieldsOf(described.schemas, schema)) {
      if (field.length === 0) continue;
      const answer = await send({ method, url: withIds(path), body: bodyWith(field, text) });
      if (answer.statusCode !== 400 || !faultPaths(answer).some((each) => each.startsWith(field.join('.'))))
        wrong.push([method, path, field, answer.statusCode, answer.body.slice(0, 300)]);
    }
  }
  expect(wrong).toEqual([]);
});

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key ${n}`, 'value']));

/** Counts how often a text is tested against a pattern, as a schema does for each value. */
async function comparisons(work: () => Promise<unknown>): Promise<number> {
  const test = jest.spyOn(RegExp.prototype, 'test');
  try {
    await work();
    return test.mock.calls.length;
  } finally {
    test.mockRestore();
  }
}

test.each([
  ['metadata', () => order({ metadata: pairs(10_000) })],
  ['a list', () => ({ ...order(), warnings: Array.from({ length: 20_000 }, () => 'x') })],
  ['an object in an unknown field', () => ({ ...order(), more: pairs(10_000) })],
  ['lists in lists', () => ({ more: Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => 1)) })],
])('a body with many values is rejected by its count, before its values are validated: %s', async (_what, body) => {
  let status = 0;
  const count = await comparisons(async () => {
    const answer = await admin.call('POST', '/v1/subscriptions', { body: body() });
    status = answer.statusCode;
    expect(answer.body).toContain('expected at most 4100 values in a request; got more');
  });
  expect(status).toBe(400);
  expect(count).toBeLessThan(3000);
});

test('a body with many values is accepted up to the maximum', () => {
  const listOf = (length: number) => Buffer.from(JSON.stringify({ list: Array.from({ length }, () => 1) }));
  expect(parseJson(listOf(4098))).toMatchObject({ list: { length: 4098 } });
  expect(() => parseJson(listOf(4099))).toThrow('Invalid: list');
});
