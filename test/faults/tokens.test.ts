import { AMOUNT, createClient } from '../payment-service/client-under-test';
import { json } from '../payment-service/scripted-server';
import { useTokenWorld } from '../payment-service/token-world';

const world = useTokenWorld();

/** A process has one client, and its workers share that client's token (rule 28). */
it('fault 11: the token of a process is requested once for 50 callers at once', async () => {
  const results = await world.fiftyCalls();
  expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['accepted']));
  expect(world.server.tokenCalls).toHaveLength(1);
});

it('fault 11: the token of a process is replaced once for 50 callers that are answered 401, and each call is repeated once', async () => {
  await world.client.service.getConsent('pay-1');
  world.honouring('test-token-2');
  const results = await world.fiftyCalls();
  expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['accepted']));
  expect(world.server.tokenCalls).toHaveLength(2);
  expect(world.server.calls).toHaveLength(1 + 50 + 50);
});

it('fault 11: a failed token request is shared by 50 callers, and the next call makes another', async () => {
  world.server.answerToken((_request, response) => json(response, 503, {}));
  const results = await world.fiftyCalls();
  expect(new Set(results.map((result) => result.kind))).toEqual(new Set(['not_sent']));
  expect(world.server.tokenCalls).toHaveLength(1);
  world.server.answerToken((_request, response) =>
    json(response, 200, { access_token: 'back-again', token_type: 'Bearer', expires_in: 300 }),
  );
  expect((await world.client.service.getConsent('pay-1')).kind).toBe('accepted');
});

it('fault 11: nothing is sent if the token endpoint hangs, drops the connection or is absent', async () => {
  const hasty = createClient(world.server.url, { timeoutMs: 200 });
  world.server.answerToken(() => undefined);
  expect((await hasty.service.initiate('pay-1', AMOUNT)).kind).toBe('not_sent');
  world.server.answerToken((_request, _response, socket) => socket.destroy());
  expect((await hasty.service.initiate('pay-1', AMOUNT)).kind).toBe('not_sent');
  await hasty.service.close();
  const absent = createClient(world.server.url, { tokenUrl: 'http://127.0.0.1:1/oauth/token' });
  expect(await absent.service.initiate('pay-1', AMOUNT)).toEqual({
    kind: 'not_sent',
    reason: 'no access token: not connected: ECONNREFUSED',
  });
  await absent.service.close();
  expect(world.server.calls).toHaveLength(0);
});

it('fault 11: a call answered with 401 counts as not sent while the token endpoint is down', async () => {
  await world.client.service.getConsent('pay-1');
  world.honouring('another');
  world.server.answerToken((_request, response) => json(response, 503, {}));
  expect((await world.client.service.initiate('pay-1', AMOUNT)).kind).toBe('not_sent');
});
