import { type CallRate, UNLIMITED } from '../../src/payment-service/call-rate';
import { AMOUNT, CLIENT_SECRET, createClient, failure, wire } from './client-under-test';
import { json } from './scripted-server';
import { useTokenWorld } from './token-world';

const world = useTokenWorld();

it('the access token serves until 240 s of real time and is refreshed then (rule 28)', async () => {
  await world.client.service.getConsent('pay-1');
  world.client.clock.move(239_999);
  await world.client.service.getConsent('pay-1');
  expect(world.server.tokenCalls).toHaveLength(1);
  world.client.clock.move(1);
  await world.fiftyCalls();
  expect(world.server.tokenCalls).toHaveLength(2);
  expect(world.server.calls.at(-1)?.headers.authorization).toBe('Bearer test-token-2');
});

it('the access token is refreshed earlier if the service gives it a shorter life', async () => {
  world.server.answerToken((_request, response) =>
    json(response, 200, { access_token: 'short', token_type: 'Bearer', expires_in: 10 }),
  );
  await world.client.service.getConsent('pay-1');
  world.client.clock.move(7_999);
  await world.client.service.getConsent('pay-1');
  expect(world.server.tokenCalls).toHaveLength(1);
  world.client.clock.move(1);
  await world.client.service.getConsent('pay-1');
  expect(world.server.tokenCalls).toHaveLength(2);
});

it('the request for an access token takes a permit of the rate limit, and the call that waited for it takes another', async () => {
  const seen: string[] = [];
  const rate: CallRate = {
    ...UNLIMITED,
    take() {
      seen.push('turn');
      let isHeld = true;
      const end = (how: string) => {
        if (isHeld) seen.push(how);
        isHeld = false;
        return true;
      };
      return Promise.resolve({
        leave: () => end('left'),
        answered: () => undefined,
        giveBack: () => void end('given back'),
      });
    },
  };
  const { service, clock } = createClient(world.server.url, { rate });
  world.server.answerToken((_request, response) => {
    seen.push('token');
    json(response, 200, { access_token: 'a-token', token_type: 'Bearer' });
  });
  world.server.answer((_request, response) => {
    seen.push('call');
    json(response, 200, wire.consent);
  });
  await service.getConsent('pay-1');
  expect(seen.splice(0)).toEqual(['turn', 'given back', 'turn', 'left', 'token', 'turn', 'left', 'call']);
  await service.getConsent('pay-1');
  expect(seen.splice(0)).toEqual(['turn', 'left', 'call']);
  clock.move(240_000);
  await Promise.all([service.getConsent('pay-1'), service.getConsent('pay-2')]);
  const count = (what: string) => seen.filter((each) => each === what).length;
  expect(['turn', 'given back', 'left', 'token', 'call'].map(count)).toEqual([5, 2, 3, 1, 2]);
  expect(seen.slice(0, seen.indexOf('token'))).not.toContain('call');
  await service.close();
});

it('the access token is refreshed if the clock was set back to before its issue', async () => {
  await world.client.service.getConsent('pay-1');
  world.client.clock.move(-3_600_000);
  await world.client.service.getConsent('pay-1');
  expect(world.server.tokenCalls).toHaveLength(2);
});

it('the access token is not refreshed again by a late 401 for a token already replaced', async () => {
  await world.client.service.getConsent('pay-1');
  let answerLate: () => void = () => undefined;
  world.server.answer((_request, response) => (answerLate = () => json(response, 401, failure('UNAUTHENTICATED'))));
  const late = world.client.service.getConsent('pay-1');
  while (world.server.calls.length < 2) await new Promise((done) => setImmediate(done));
  world.honouring('test-token-2');
  expect((await world.client.service.getConsent('pay-1')).kind).toBe('accepted');
  answerLate();
  expect((await late).kind).toBe('accepted');
  expect(world.server.tokenCalls).toHaveLength(2);
});

it('the access token is replaced only once: a second 401 counts as not sent', async () => {
  world.honouring('none of them');
  expect(await world.client.service.initiate('pay-1', AMOUNT)).toEqual({
    kind: 'not_sent',
    reason: 'the service refused a fresh token (401)',
    httpStatus: 401,
  });
  expect(world.server.calls).toHaveLength(2);
  expect(world.server.tokenCalls).toHaveLength(2);
});

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
])('without a token nothing is sent: token endpoint answering %d %j', async (status, body) => {
  world.server.answerToken((_request, response) => json(response, status, body));
  const result = await world.client.service.initiate('pay-1', AMOUNT);
  expect(result).toEqual({ kind: 'not_sent', reason: expect.stringMatching(/^no access token: /) });
  expect(world.server.calls).toHaveLength(0);
});

it('a call without a token keeps the Retry-After of a token endpoint that answers 429', async () => {
  world.server.answerToken((_request, response) => json(response, 429, {}, { 'retry-after': '3' }));
  expect(await world.client.service.initiate('pay-1', AMOUNT)).toMatchObject({
    kind: 'not_sent',
    retryAfterMs: 3_000,
  });
});

it('a failed token request reveals the client secret neither in results nor in logs', async () => {
  world.server.answerToken((_request, response) => json(response, 401, { error: CLIENT_SECRET }));
  const result = await world.client.service.initiate('pay-1', AMOUNT);
  const everything = JSON.stringify(result) + world.client.logged();
  expect(everything).not.toContain(CLIENT_SECRET);
  expect(everything).not.toContain(Buffer.from(CLIENT_SECRET).toString('base64').slice(0, 12));
  expect(world.client.logged()).toContain('no access token');
});
