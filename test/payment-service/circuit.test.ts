import type { CircuitState } from '../../src/payment-service';
import { waitUntil } from '../support/wait-until';
import { AMOUNT, type ClientUnderTest, createClient, failure, wire } from './client-under-test';
import { json, type ScriptedServer, startScriptedServer } from './scripted-server';

const WAIT = 300;

let server: ScriptedServer;
let client: ClientUnderTest;
let states: CircuitState[];
/** The time of the machine's clock, which is stopped until a test moves it. */
let now: number;

beforeEach(async () => {
  now = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  server = await startScriptedServer();
  states = [];
  client = createClient(server.url, {
    circuit: { failuresInARow: 3, firstWaitMs: WAIT, lastWaitMs: WAIT },
    onCircuit: (state) => states.push(state),
  });
  server.answer((_request, response) => json(response, 500, {}));
});

afterEach(async () => {
  jest.restoreAllMocks();
  await client.service.close();
  await server.close();
});

const look = () => client.service.getConsent('pay-1');
const healed = () => server.answer((_request, response) => json(response, 200, wire.consent));

async function broken(): Promise<void> {
  for (let call = 0; call < 3; call += 1) expect(await look()).toMatchObject({ kind: 'unknown' });
}

test('after the configured number of calls without an answer in a row no call is sent, and the access check fails', async () => {
  await broken();
  expect(await client.service.initiate('pay-1', AMOUNT)).toMatchObject({
    kind: 'not_sent',
    reason: expect.stringContaining('calls are paused'),
    retryAfterMs: WAIT,
  });
  expect(server.calls).toHaveLength(3);
  expect(await client.service.checkAccess()).toMatchObject({ kind: 'not_sent' });
  expect(states).toEqual(['open']);
});

test('one failing call fewer leaves the circuit closed, and an answer resets the count', async () => {
  await look();
  await look();
  server.answer((_request, response) => json(response, 404, failure('NOT_FOUND')));
  expect(await look()).toMatchObject({ kind: 'rejected' });
  server.answer((_request, response) => json(response, 500, {}));
  await look();
  await look();
  expect([server.calls.length, states]).toEqual([5, []]);
});

test('after its wait an open circuit lets a single call probe the service, and its answer closes the circuit', async () => {
  await broken();
  healed();
  now += WAIT;
  let answerProbe = (): void => undefined;
  server.answer((_request, response) => {
    const answer = () => json(response, 200, wire.consent);
    if (server.calls.length === 4) answerProbe = answer;
    else answer();
  });
  const probe = look();
  await waitUntil('the probe has arrived', () => server.calls.length === 4);
  const others = [look(), look()];
  // This request arrives later than the two calls would have arrived if they had been sent.
  expect((await fetch(`${server.url}/bystander`)).status).toBe(200);
  expect(server.calls.map(({ path }) => path).slice(4)).toEqual(['/bystander']);
  answerProbe();
  expect(await Promise.all([probe, ...others])).toMatchObject(Array(3).fill({ kind: 'accepted' }));
  expect(states).toEqual(['open', 'half_open', 'closed']);
  expect(await client.service.checkAccess()).toMatchObject({ kind: 'accepted' });
});

test('a probe without an answer opens the circuit for another wait', async () => {
  await broken();
  now += WAIT;
  expect(await look()).toMatchObject({ kind: 'unknown' });
  expect(await look()).toMatchObject({ kind: 'not_sent' });
  expect([server.calls.length, states]).toEqual([4, ['open', 'half_open', 'open']]);
});

test('a call that the last check before sending has stopped does not count towards opening the circuit', async () => {
  const beforeSend = () => false;
  for (let call = 0; call < 5; call += 1) {
    expect(await client.service.initiate('pay-1', AMOUNT, { beforeSend })).toEqual({
      kind: 'not_sent',
      reason: 'fenced',
    });
  }
  expect(states).toEqual([]);
});
