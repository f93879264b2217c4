import dns from 'node:dns';
import { type CallRate, UNLIMITED } from '../../src/payment-service/call-rate';
import { AMOUNT, createClient, wire } from './client-under-test';
import { json, type ScriptedServer, startScriptedServer } from './scripted-server';

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
  server.answer((_request, response) => json(response, 200, wire.consent));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
});

/** A call rate that records what happens to each permit. */
function noting(mayLeave: () => boolean) {
  const seen: string[] = [];
  const rate: CallRate = {
    ...UNLIMITED,
    take: () =>
      Promise.resolve({
        leave: () => {
          seen.push(mayLeave() ? 'left' : 'refused');
          return mayLeave();
        },
        answered: () => void seen.push('answered'),
        giveBack: () => void seen.push('given back'),
      }),
  };
  return { seen, rate };
}

/** Makes the resolver wait with its answer for the server's name. @returns a function that lets it answer */
function slowResolver(): () => void {
  const waiting: (() => void)[] = [];
  const { lookup } = dns;
  jest.spyOn(dns, 'lookup').mockImplementation((...args: Parameters<typeof lookup>) => {
    waiting.push(() => {
      lookup(...args);
    });
  });
  return () => {
    for (const answer of waiting.splice(0)) answer();
  };
}

const byName = () => server.url.replace('127.0.0.1', 'localhost');

test('a permit counts from the first byte of its call, not while the name is resolved', async () => {
  const { seen, rate } = noting(() => true);
  const { service } = createClient(byName(), { rate });
  await service.checkAccess();
  seen.splice(0);
  const resolve = slowResolver();
  const call = service.initiate('pay-1', AMOUNT);
  await new Promise((done) => setTimeout(done, 50));
  expect(seen).toEqual([]);
  resolve();
  await call;
  expect(seen.slice(0, 2)).toEqual(['left', 'answered']);
  await service.close();
});

test('a call whose permit has gone to another process once it is connected is not written, and says so', async () => {
  let isOurs = true;
  const { seen, rate } = noting(() => isOurs);
  const { service } = createClient(byName(), { rate });
  await service.checkAccess();
  seen.splice(0);
  isOurs = false;
  expect(await service.initiate('pay-1', AMOUNT)).toEqual({
    kind: 'not_sent',
    reason: 'the permit went to another process while connecting',
  });
  expect(server.calls).toEqual([]);
  expect(seen).toContain('given back');
  await service.close();
});
