import { AMOUNT, type ClientUnderTest, createClient, failure, wire } from '../payment-service/client-under-test';
import { json, type ScriptedServer, startScriptedServer } from '../payment-service/scripted-server';

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

/** A process has one client, and its workers share that client's token (decisions 28). */
describe('the token of a process', () => {
  it('fault 11: is had once for 50 callers at once', async () => {
    const results = await fiftyCalls();
    expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['accepted']));
    expect(server.tokenCalls).toHaveLength(1);
  });

  it('fault 11: is replaced once for 50 callers that are answered 401, and each call made once more', async () => {
    await client.service.getConsent('pay-1');
    honouring('test-token-2');
    const results = await fiftyCalls();
    expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['accepted']));
    expect(server.tokenCalls).toHaveLength(2);
    expect(server.calls).toHaveLength(1 + 50 + 50);
  });

  it('fault 11: is asked for again by the next call, and one failure is shared by 50 callers', async () => {
    server.answerToken((_request, response) => json(response, 503, {}));
    const results = await fiftyCalls();
    expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['not_sent']));
    expect(server.tokenCalls).toHaveLength(1);
    server.answerToken((_request, response) =>
      json(response, 200, { access_token: 'back-again', token_type: 'Bearer', expires_in: 300 }),
    );
    expect((await client.service.getConsent('pay-1')).kind).toBe('accepted');
  });

  it('fault 11: hanging, dropping or absent token endpoint', async () => {
    const hasty = createClient(server.url, { timeoutMs: 200 });
    server.answerToken(() => undefined);
    expect((await hasty.service.initiate('pay-1', AMOUNT)).kind).toBe('not_sent');
    server.answerToken((_request, _response, socket) => socket.destroy());
    expect((await hasty.service.initiate('pay-1', AMOUNT)).kind).toBe('not_sent');
    await hasty.service.close();
    const absent = createClient(server.url, { tokenUrl: 'http://127.0.0.1:1/oauth/token' });
    expect(await absent.service.initiate('pay-1', AMOUNT)).toEqual({
      kind: 'not_sent',
      reason: 'no access token: not connected: ECONNREFUSED',
    });
    await absent.service.close();
    expect(server.calls).toHaveLength(0);
  });

  it('fault 11: after a 401 with the token endpoint down', async () => {
    await client.service.getConsent('pay-1');
    honouring('another');
    server.answerToken((_request, response) => json(response, 503, {}));
    expect((await client.service.initiate('pay-1', AMOUNT)).kind).toBe('not_sent');
  });
});
