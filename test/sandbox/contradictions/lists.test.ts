import type { ContradictionOrder } from '../../../src/sandbox';
import { BOOKING, type Answer } from '../merchant';
import { Liar, WEEK } from './liar';

let liar: Liar;
afterEach(() => liar.close());

/** Collects five cycles. @returns the ids of their authorizations, oldest first */
async function collectFiveWeeks(...orders: readonly ContradictionOrder[]): Promise<readonly string[]> {
  liar = await Liar.open(...orders);
  await liar.collectWeeks(5);
  return liar.shop.sandbox.payment(liar.paymentId).authorizations.map(({ authorizationId }) => authorizationId);
}

const ids = async (path = `/authorizations?paymentId=${liar.paymentId}`): Promise<readonly string[]> =>
  (await liar.shop.get(path)).body.items.map(({ authorizationId }) => authorizationId);
const answer = (): Promise<Answer> => liar.shop.get(`/authorizations?paymentId=${liar.paymentId}`);

it('a list that is cut silently has the oldest two records by default', async () => {
  const all = await collectFiveWeeks({ kind: 'list_cut' });
  expect(await ids()).toEqual(all.slice(0, 2));
  expect((await answer()).headers.get('link')).toBeNull();
});

it('a list that is cut silently has the newest three records if it is configured so', async () => {
  const all = await collectFiveWeeks({ kind: 'list_cut', keeps: 'newest', count: 3 });
  expect(await ids()).toEqual(all.slice(2));
});

it.each([
  ['has_more', { hasMore: true }],
  ['next_cursor', { nextCursor: 'after-2' }],
  ['total', { total: 5 }],
] as const)('a list that is cut can say that there is more, by %s', async (says, more) => {
  await collectFiveWeeks({ kind: 'list_cut', says });
  expect((await answer()).body).toMatchObject(more);
  expect(await ids()).toHaveLength(2);
});

it('a list that is cut can link the next page, up to the last', async () => {
  const all = await collectFiveWeeks({ kind: 'list_cut', says: 'link' });
  const pages: (readonly string[])[] = [];
  for (let path: string | null = `/authorizations?paymentId=${liar.paymentId}`; path !== null;) {
    const { headers } = await liar.shop.get(path);
    pages.push(await ids(path));
    path = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  expect(pages).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
});

it('a list that is cut can link a next page without end', async () => {
  const all = await collectFiveWeeks({ kind: 'list_cut', says: 'endless_link' });
  const next = `/authorizations?paymentId=${liar.paymentId}&page=2`;
  expect((await answer()).headers.get('link')).toBe(`<${next}>; rel="next"`);
  expect(await ids(next)).toEqual(all.slice(0, 2));
  expect((await liar.shop.get(next)).headers.get('link')).toContain('rel="next"');
});

it('a list that is cut can link a page of another origin', async () => {
  await collectFiveWeeks({ kind: 'list_cut', says: 'foreign_link' });
  expect((await answer()).headers.get('link')).toContain('<http://service.invalid/authorizations?');
});

it('a list does not say that there is more if nothing was cut', async () => {
  await collectFiveWeeks({ kind: 'list_cut', count: 5, says: 'has_more' });
  expect((await answer()).body).not.toHaveProperty('hasMore');
});

it('a stale list has a record only a while after the record was created', async () => {
  liar = await Liar.open({ kind: 'list_lag', delayMs: 5000 });
  await liar.collect();
  liar.shop.clock.pass(4999);
  expect(await ids()).toEqual([]);
  liar.shop.clock.pass(1);
  expect(await ids()).toHaveLength(1);
});

it('a contradictory list can have the newest record first', async () => {
  const all = await collectFiveWeeks({ kind: 'list_newest_first' });
  expect(await ids()).toEqual(all.toReversed());
});

it('a contradictory list can go back only a number of days', async () => {
  const all = await collectFiveWeeks({ kind: 'list_days', days: 14 });
  expect(await ids()).toEqual(all.slice(2));
  liar.shop.clock.travelTo(liar.shop.clock.now() + 1);
  expect(await ids()).toEqual(all.slice(3));
});

it('a contradictory list can leave out refused authorizations', async () => {
  liar = await Liar.open({ kind: 'list_without_refused' });
  liar.shop.sandbox.setWallet(liar.paymentId, 'rejected-with-id-once');
  await liar.collect();
  expect(await ids()).toEqual([]);
  await liar.collect();
  expect(await ids()).toHaveLength(1);
});

it('a contradictory list can be empty', async () => {
  await collectFiveWeeks({ kind: 'list_empty' });
  expect(await ids()).toEqual([]);
  expect(liar.debits()).toHaveLength(5);
});

it('a contradictory list does not affect a record that is read by its id', async () => {
  const [first] = await collectFiveWeeks({ kind: 'list_empty' });
  expect(await ids(`/authorizations?paymentId=${liar.paymentId}&authorizationId=${first}`)).toEqual([first]);
});

it('a contradiction can apply to the list of captures only', async () => {
  await collectFiveWeeks({ kind: 'list_cut', count: 1, match: { on: 'captures' } });
  expect(await ids()).toHaveLength(5);
  expect(await liar.listed('captures')).toHaveLength(1);
});

it('a contradictory list can last for a number of requests', async () => {
  await collectFiveWeeks();
  await liar.order({ kind: 'list_empty', times: 1 });
  expect(await ids()).toEqual([]);
  expect(await ids()).toHaveLength(5);
});

it('a contradiction of lists can apply to every payment of the service', async () => {
  liar = await Liar.open();
  await liar.collectWeeks(1);
  liar.shop.sandbox.faults.contradict({ kind: 'list_empty' });
  liar.shop.clock.travelTo(liar.shop.clock.now() + WEEK);
  liar.shop.clock.pass(BOOKING);
  expect(await ids()).toEqual([]);
});
