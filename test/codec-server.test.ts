import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { FastifyInstance } from 'fastify';
import { provideTemporal } from '../src/embedded/temporal/program';
import { createPayloadEncryption } from '../src/platform/payload-encryption';
import { createCodecServer } from '../src/process/codec-server';
import { silentLog } from './support/silent-log';
import { partOfRun } from './support/test-run';

const run = promisify(execFile);
const codec = createPayloadEncryption([{ id: 'k1', key: randomBytes(32).toString('base64') }], {
  plainAllowed: true,
});
const foreign = createPayloadEncryption([{ id: 'k9', key: randomBytes(32).toString('base64') }], {
  plainAllowed: true,
});
const KEY = 'key-of-the-codec-server-0123456789';
const ORIGIN = 'https://temporal.shop.example';
const INPUT = { subscriptionId: 'sub_read_by_a_person' };
const bearer = { authorization: `Bearer ${KEY}` };
const basic = (password: string) => ({ authorization: `Basic ${btoa(`anybody:${password}`)}` });

let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  app = await createCodecServer({ codec, key: KEY, origins: [ORIGIN], log: silentLog() });
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

interface PayloadJson {
  readonly metadata: Readonly<Record<string, string>>;
  readonly data: string;
}

function toJson({ metadata, data }: Payload): PayloadJson {
  const base64 = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('base64');
  const fields = Object.entries(metadata ?? {}).map(([name, bytes]) => [name, base64(bytes)]);
  return { metadata: Object.fromEntries(fields) as Record<string, string>, data: base64(data) };
}

async function sealed(value: unknown, by = codec): Promise<PayloadJson[]> {
  return (await by.encode([defaultPayloadConverter.toPayload(value)])).map(toJson);
}

async function decode(body: unknown, headers: Record<string, string>) {
  const answer = await fetch(`${url}/decode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const { message, payloads } = (await answer.json()) as { message?: string; payloads?: PayloadJson[] };
  const data = payloads?.map((each) => Buffer.from(each.data, 'base64').toString());
  return { status: answer.status, headers: answer.headers, message, data };
}

test.each([
  ['as a bearer token', bearer],
  ['as the password of HTTP Basic', basic(KEY)],
])('a caller that sends the key %s can read', async (_, headers) => {
  expect(await decode({ payloads: await sealed({ cents: 1999 }) }, headers)).toMatchObject({
    status: 200,
    data: ['{"cents":1999}'],
  });
});

it('a caller with the key can also read what was never encrypted', async () => {
  const plain = toJson(defaultPayloadConverter.toPayload('before there were keys'));
  expect((await decode({ payloads: [plain] }, bearer)).data).toEqual(['"before there were keys"']);
});

it('a browser asks its user for the key, and then sends it with every request', async () => {
  const without = await fetch(`${url}/`);
  expect(without.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
  expect((await fetch(`${url}/`, { headers: basic(KEY) })).status).toBe(200);
});

test.each([
  ['no key', {}],
  ['another key', { authorization: `Bearer ${KEY}x` }],
  ['the beginning of the key', { authorization: `Bearer ${KEY.slice(0, -1)}` }],
  ['another password', basic(`${KEY}x`)],
  ['an empty password', basic('')],
  ['the key by another scheme', { authorization: `Digest ${KEY}` }],
])('a request with %s is answered with 401, and nothing is opened', async (_, headers) => {
  const { status, data } = await decode({ payloads: await sealed('secret') }, headers);
  expect({ status, data }).toEqual({ status: 401, data: undefined });
});

test('without a key, the codec server answers only that it is alive', async () => {
  const answer = await fetch(`${url}/healthz`);
  expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: { status: 'ok' } });
  expect((await fetch(`${url}/`)).status).toBe(401);
});

it('the error about a payload that cannot be decrypted names the missing key', async () => {
  const { status, message } = await decode({ payloads: await sealed('x', foreign) }, bearer);
  expect({ status, message }).toEqual({
    status: 422,
    message: 'a payload is encrypted with key k9, which is not configured',
  });
});

it('the error about a payload that was changed says that it was changed', async () => {
  const [payload] = await sealed('x');
  const data = Buffer.from(payload!.data, 'base64');
  data[data.length - 1]! ^= 1;
  const { status, message } = await decode({ payloads: [{ ...payload!, data: data.toString('base64') }] }, bearer);
  expect({ status, message }).toEqual({
    status: 422,
    message: 'a payload was changed, or is encrypted with another key',
  });
});

it.each([
  ['no payloads', {}, 'payloads'],
  ['payloads that are not a list', { payloads: 'x' }, 'payloads'],
  ['data that is not Base64', { payloads: [{ data: '?' }] }, 'payloads[0].data'],
])('the codec server answers 400 and names the fault for %s', async (_, body, where) => {
  const { status, message } = await decode(body, bearer);
  expect({ status, message }).toEqual({ status: 400, message: expect.stringContaining(where) });
});

it('the codec server does not encode: /encode is not found', async () => {
  expect((await fetch(`${url}/encode`, { method: 'POST', headers: bearer })).status).toBe(404);
});

test.each([
  ['the Web UI', ORIGIN, ORIGIN],
  ['a page of another origin', 'https://elsewhere.example', null],
])('the codec server tells a browser whether %s may call it', async (_, origin, allowed) => {
  const preflight = await fetch(`${url}/decode`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  });
  expect(preflight.headers.get('access-control-allow-origin')).toBe(allowed);
  const { status, headers } = await decode({ payloads: [] }, { origin, ...bearer });
  expect({ status, allowed: headers.get('access-control-allow-origin') }).toEqual({ status: 200, allowed });
});

it("the codec server opens a workflow's input for Temporal's own command line", async () => {
  const { address } = partOfRun('temporal');
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, dataConverter: { payloadCodecs: [codec] } });
  const workflowId = `codec-server/${randomUUID()}`;
  const handle = await client.workflow.start('nobody', {
    workflowId,
    taskQueue: `nobody-${randomUUID()}`,
    args: [INPUT],
  });
  try {
    const { path } = await provideTemporal(silentLog());
    const show = async (...codecArgs: string[]) =>
      (await run(path, ['workflow', 'show', '--address', address, '-w', workflowId, '-o', 'json', ...codecArgs]))
        .stdout;
    const input = Buffer.from(JSON.stringify(INPUT)).toString('base64');
    expect(await show()).not.toContain(input);
    expect(await show('--codec-endpoint', url, '--codec-auth', bearer.authorization)).toContain(input);
  } finally {
    await handle.terminate();
    await connection.close();
  }
});
