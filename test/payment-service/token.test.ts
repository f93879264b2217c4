import { AMOUNT, CLIENT_SECRET, type ClientUnderTest, createClient, failure, wire } from './client-under-test';
import { json, type ScriptedServer, startScriptedServer } from './scripted-server';

let server: ScriptedServer;
let client: ClientUnderTest;

beforeEach(async () => {
  server = await startScriptedServer();
  client = createClient(server.url);
  server.answer((_request, response) => json(response, 200, wire.consent));
});

afterEach(async () => {
  await client.service.close();
  await server.close();
});

/** The service honours only this token. */
function honouring(token: string): void {
  server.answer((request, response) => {
    if (request.headers.authorization === `Bearer ${token}`) json(response, 200, wire.consent);
    else json(response, 401, failure('UNAUTHENTICATED'));
  });
}

const fiftyCalls = () => Promise.all(Array.from({ length: 50 }, () => client.service.getConsent('pay-1')));

describe('the token', () => {
  it('serves until 240 s of real time and is refreshed then', async () => {
    await client.service.getConsent('pay-1');
    client.clock.move(239_999);
    await client.service.getConsent('pay-1');
    expect(server.tokenCalls).toHaveLength(1);
    client.clock.move(1);
    await fiftyCalls();
    expect(server.tokenCalls).toHaveLength(2);
    expect(server.calls.at(-1)?.headers.authorization).toBe('Bearer test-token-2');
  });

  it('is refreshed earlier where the service says that it lives shorter', async () => {
    server.answerToken((_request, response) =>
      json(response, 200, { access_token: 'short', token_type: 'Bearer', expires_in: 10 }),
    );
    await client.service.getConsent('pay-1');
    client.clock.move(7_999);
    await client.service.getConsent('pay-1');
    expect(server.tokenCalls).toHaveLength(1);
    client.clock.move(1);
    await client.service.getConsent('pay-1');
    expect(server.tokenCalls).toHaveLength(2);
  });

  it('is refreshed where the clock was set back past its beginning', async () => {
    await client.service.getConsent('pay-1');
    client.clock.move(-3_600_000);
    await client.service.getConsent('pay-1');
    expect(server.tokenCalls).toHaveLength(2);
  });

  it('is not refreshed again by a late 401 for a token already replaced', async () => {
    await client.service.getConsent('pay-1');
    let answerLate: () => void = () => undefined;
    server.answer((_request, response) => (answerLate = () => json(response, 401, failure('UNAUTHENTICATED'))));
    const late = client.service.getConsent('pay-1');
    while (server.calls.length < 2) await new Promise((done) => setImmediate(done));
    honouring('test-token-2');
    expect((await client.service.getConsent('pay-1')).kind).toBe('accepted');
    answerLate();
    expect((await late).kind).toBe('accepted');
    expect(server.tokenCalls).toHaveLength(2);
  });

  it('is tried afresh once only: a second 401 is not sent', async () => {
    honouring('none of them');
    expect(await client.service.initiate('pay-1', AMOUNT)).toEqual({
      kind: 'not_sent',
      reason: 'the service refused a fresh token (401)',
    });
    expect(server.calls).toHaveLength(2);
    expect(server.tokenCalls).toHaveLength(2);
  });
});

describe('without a token nothing is sent', () => {
  it.each([
    [500, 'down'],
    [401, failure('UNAUTHENTICATED')],
    [201, { access_token: 'a-token', token_type: 'Bearer' }],
    [200, '<html>'],
    [200, { token_type: 'Bearer' }],
    [200, { access_token: '', token_type: 'Bearer' }],
    [200, { access_token: 'a\r\nx-injected: 1', token_type: 'Bearer' }],
    [200, { access_token: 'a-token', token_type: 'mac' }],
    [302, {}],
  ])('token endpoint answering %d %j', async (status, body) => {
    server.answerToken((_request, response) => json(response, status, body));
    const result = await client.service.initiate('pay-1', AMOUNT);
    expect(result).toEqual({ kind: 'not_sent', reason: expect.stringMatching(/^no access token: /) });
    expect(server.calls).toHaveLength(0);
  });

  it('keeps the Retry-After of a token endpoint that has enough', async () => {
    server.answerToken((_request, response) => json(response, 429, {}, { 'retry-after': '3' }));
    expect(await client.service.initiate('pay-1', AMOUNT)).toMatchObject({ kind: 'not_sent', retryAfterMs: 3_000 });
  });

  it('says nothing of the secret in results or logs', async () => {
    server.answerToken((_request, response) => json(response, 401, { error: CLIENT_SECRET }));
    const result = await client.service.initiate('pay-1', AMOUNT);
    const everything = JSON.stringify(result) + client.logged();
    expect(everything).not.toContain(CLIENT_SECRET);
    expect(everything).not.toContain(Buffer.from(CLIENT_SECRET).toString('base64').slice(0, 12));
    expect(client.logged()).toContain('no access token');
  });
});
