import { AMOUNT, type ClientUnderTest, createClient, wire } from './client-under-test';
import { json, type ScriptedServer, startScriptedServer } from './scripted-server';

/** A list proves absence only if it is complete, and says so itself if it is not (rule 39). */

let server: ScriptedServer;
let client: ClientUnderTest;

beforeAll(async () => {
  server = await startScriptedServer();
  client = createClient(server.url);
});

afterAll(async () => {
  await client.service.close();
  await server.close();
});

const record = (id: string) => ({ ...wire.authorization, authorizationId: id });

interface Page {
  readonly ids: readonly string[];
  /** The `Link` header. */
  readonly link?: string;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly status?: number;
}

/** Answers each path with its page; any other one fails. */
function serving(pages: Readonly<Record<string, Page>>): void {
  server.calls.length = 0;
  server.answer(({ path }, response) => {
    const page = pages[path];
    if (page === undefined) {
      json(response, 500, {});
      return;
    }
    const { ids, link, more, status = 200 } = page;
    json(response, status, { items: ids.map(record), ...more }, link === undefined ? {} : { link });
  });
}

const FIRST = '/authorizations?paymentId=pay-1';

/** The ids that were listed, and why the list is incomplete. */
async function list({ service } = client) {
  const answer = await service.listAuthorizations('pay-1');
  if (answer.kind !== 'accepted') return answer.kind;
  return { ids: answer.value.map((each) => each.authorizationId), incomplete: answer.incomplete };
}

it.each([
  ['hasMore', { hasMore: true }, 'hasMore is true'],
  ['nextCursor', { nextCursor: 'abc' }, 'nextCursor is set'],
  ['next', { next: '/authorizations?page=2' }, 'next is set'],
  ['total', { total: 3 }, 'it shows 2 of 3 records'],
])('a list is incomplete by its %s', async (_, more, incomplete) => {
  serving({ [FIRST]: { ids: ['a', 'b'], more } });
  expect(await list()).toEqual({ ids: ['a', 'b'], incomplete });
});

it.each([
  ['hasMore false', { hasMore: false }],
  ['an empty nextCursor', { nextCursor: '' }],
  ['no nextCursor', { nextCursor: null }],
  ['no next page', { next: null }],
  ['as many records in all as it shows', { total: 2 }],
])('a list is complete with %s', async (_, more) => {
  serving({ [FIRST]: { ids: ['a', 'b'], more } });
  expect(await list()).toEqual({ ids: ['a', 'b'], incomplete: undefined });
});

it.each(['captures', 'refunds'] as const)(
  'lists of %s are incomplete for the same reasons as lists of authorizations',
  async (what) => {
    const item = what === 'captures' ? wire.capture : wire.refund;
    server.answer((_request, response) => json(response, 200, { items: [item], hasMore: true }));
    const { service } = client;
    const answer = await (what === 'captures' ? service.listCaptures('pay-1') : service.listRefunds('pay-1'));
    expect(answer).toMatchObject({ kind: 'accepted', incomplete: 'hasMore is true' });
  },
);

it('a Link header with rel="next" is followed to the last page', async () => {
  serving({
    [FIRST]: {
      ids: ['a'],
      link: `<${server.url}/authorizations?paymentId=pay-1&page=2>; rel="next"`,
      more: { hasMore: true },
    },
    [`${FIRST}&page=2`]: {
      ids: ['b'],
      link: '</authorizations?page=3>; title="x"; rel="last next"',
      more: { total: 3 },
    },
    '/authorizations?page=3': { ids: ['c'], link: `<${server.url}${FIRST}>; rel="first"`, more: { total: 3 } },
  });
  expect(await list()).toEqual({ ids: ['a', 'b', 'c'], incomplete: undefined });
});

it('a record that moves to the next page while the list is read counts once, and does not make up for a missing record', async () => {
  serving({
    [FIRST]: { ids: ['c', 'b'], link: '</authorizations?page=2>; rel="next"' },
    '/authorizations?page=2': { ids: ['b', 'a'], more: { total: 4 } },
  });
  expect(await list()).toEqual({ ids: ['c', 'b', 'a'], incomplete: 'it shows 3 of 4 records' });
});

it('a Link header with rel="next" may be relative to the page that names it', async () => {
  serving({
    [FIRST]: { ids: ['a'], link: '<authorizations/more?page=2>; rel=next' },
    '/authorizations/more?page=2': { ids: ['b'], link: '<?page=3>; rel=next' },
    '/authorizations/more?page=3': { ids: ['c'] },
  });
  expect(await list()).toEqual({ ids: ['a', 'b', 'c'], incomplete: undefined });
});

it('a Link header with rel="next" is found among several', async () => {
  serving({
    [FIRST]: { ids: ['a'], link: `<${server.url}/x>; rel="prev", <${server.url}/authorizations?page=2>; rel="next"` },
    '/authorizations?page=2': { ids: ['b'] },
  });
  expect(await list()).toEqual({ ids: ['a', 'b'], incomplete: undefined });
});

it.each(['https://other.example/authorizations?page=2', '//other.example/authorizations', 'http://[/'])(
  'a Link header with rel="next" to another address, %s, is not followed',
  async (url) => {
    serving({ [FIRST]: { ids: ['a'], link: `<${url}>; rel="next"` } });
    expect(await list()).toEqual({ ids: ['a'], incomplete: 'the next page is at another address' });
    expect(server.calls).toHaveLength(1);
  },
);

it('a Link header with rel="next" is followed below the path of the base URL only', async () => {
  const prefixed = createClient(`${server.url}/api/v2`);
  serving({
    [`/api/v2${FIRST}`]: { ids: ['a'], link: '</api/v2/authorizations?page=2>; rel="next"' },
    '/api/v2/authorizations?page=2': { ids: ['b'], link: '</api/v1/authorizations?page=3>; rel="next"' },
  });
  expect(await list(prefixed)).toEqual({
    ids: ['a', 'b'],
    incomplete: 'the next page is at another address',
  });
  await prefixed.service.close();
});

it('a Link header with rel="next" is followed for 20 pages at most', async () => {
  const pages = Array.from({ length: 25 }, (_, n) => n + 1).map((n) => {
    const path = n === 1 ? FIRST : `/authorizations?page=${n}`;
    return [path, { ids: [`a${n}`], link: `</authorizations?page=${n + 1}>; rel="next"` }] as const;
  });
  serving(Object.fromEntries(pages));
  const listed = await list();
  expect(listed).toMatchObject({ incomplete: 'it has more than 20 pages' });
  expect(server.calls).toHaveLength(20);
});

it('a Link header with rel="next" to a page that was already read ends the list as incomplete', async () => {
  serving({
    [FIRST]: { ids: ['a'], link: '</authorizations?page=2>; rel="next"' },
    '/authorizations?page=2': { ids: ['b'], link: `<${FIRST}>; rel="next"` },
  });
  expect(await list()).toEqual({ ids: ['a', 'b'], incomplete: 'it links back to a page already read' });
  expect(server.calls).toHaveLength(2);
});

it('a Link header with rel="next" to a page that fails leaves the whole list unread', async () => {
  serving({ [FIRST]: { ids: ['a'], link: '</authorizations?page=2>; rel="next"' } });
  expect(await list()).toBe('unknown');
});

it('a Link header with rel="next" to a page with a record that cannot be read leaves the whole list unread', async () => {
  serving({
    [FIRST]: { ids: ['a'], link: '</authorizations?page=2>; rel="next"' },
    '/authorizations?page=2': { ids: [], more: { items: [{ odd: true }] } },
  });
  expect(await list()).toBe('unknown');
});

const refunded = { ...wire.authorization, status: { result: 'refunded' } };

it('an unknown status counts as pending in a list, and hides no other record', async () => {
  server.answer((_request, response) => json(response, 200, { items: [refunded, record('b')] }));
  const answer = await client.service.listAuthorizations('pay-1');
  expect(answer).toMatchObject({
    kind: 'accepted',
    value: [
      { authorizationId: 'auth-1', status: 'pending', unknownStatus: 'refunded' },
      { authorizationId: 'b', status: 'pending' },
    ],
  });
});

it.each([
  ['captures', wire.capture],
  ['refunds', wire.refund],
] as const)('an unknown status counts as pending among %s', async (what, item) => {
  server.answer((_request, response) => json(response, 200, { items: [{ ...item, status: { result: 'reversed' } }] }));
  const { service } = client;
  const answer = await (what === 'captures' ? service.listCaptures('pay-1') : service.listRefunds('pay-1'));
  expect(answer).toMatchObject({ value: [{ status: 'pending', unknownStatus: 'reversed' }] });
});

it('an unknown status in the answer to a POST leaves its outcome unknown, and keeps the answer', async () => {
  server.answer((_request, response) => json(response, 201, refunded));
  const answer = await client.service.initiate('pay-1', AMOUNT);
  expect(answer).toMatchObject({ kind: 'unknown', accepted: expect.stringContaining('auth-1') as string });
});
