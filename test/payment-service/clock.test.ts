import { SECOND } from '../../src/domain/time';
import { AMOUNT, type ClientUnderTest, createClient, failure, REAL_START, wire } from './client-under-test';
import { json, type ScriptedServer, startScriptedServer } from './scripted-server';

let server: ScriptedServer;
let client: ClientUnderTest;

beforeEach(async () => {
  server = await startScriptedServer();
  client = createClient(server.url);
});

afterEach(async () => {
  await client.service.close();
  await server.close();
});

function showing(date: string, status = 200, body: unknown = { items: [] }): void {
  server.answer((_request, response) => json(response, status, body, { date }));
}

const at = (ms: number) => new Date(REAL_START + ms).toUTCString();
const list = () => client.service.listAuthorizations('pay-1');

it.each([
  ['as ours', 0, undefined],
  ['less than a second ahead, which is cut off', 999, undefined],
  ['75 s ahead', 75 * SECOND, 75 * SECOND],
  ['76 s behind', -76 * SECOND, -76 * SECOND + 999],
])('the Date header of an accepted answer shows the clock of the service: %s', async (_how, ms, clockLead) => {
  showing(at(ms));
  expect(await list()).toEqual({ kind: 'accepted', value: [], ...(clockLead === undefined ? {} : { clockLead }) });
});

it('the Date header of an accepted answer is compared with the whole duration of the request', async () => {
  server.answer((_request, response) => {
    client.clock.move(20 * SECOND);
    json(response, 200, { items: [] }, { date: at(20 * SECOND) });
  });
  expect(await list()).toEqual({ kind: 'accepted', value: [] });
});

it.each(['', 'soon', '2026-11-21T09:00:00.000Z', 'Sat, 99 Nov 2026 09:00:00 GMT'])(
  'a Date header of an accepted answer with the value %j is ignored',
  async (date) => {
    showing(date);
    expect(await list()).toEqual({ kind: 'accepted', value: [] });
  },
);

it('an accepted answer without a Date header shows no difference of clocks', async () => {
  server.answer((_request, response) => json(response, 200, { items: [] }));
  expect(await list()).toEqual({ kind: 'accepted', value: [] });
});

it('the Date header of a refusal is not read', async () => {
  showing(at(-3_600_000), 422, failure('AUTHORIZATION_REJECTION_FINAL'));
  expect(await client.service.initiate('pay-1', AMOUNT)).not.toHaveProperty('clockLead');
  showing(at(-3_600_000), 201, wire.authorization);
  expect(await client.service.initiate('pay-1', AMOUNT)).toMatchObject({ kind: 'accepted', clockLead: -3_599_001 });
});
