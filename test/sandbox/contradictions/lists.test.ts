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

it('lists that are cut silently have the oldest two', async () => {
  const all = await collectFiveWeeks({ kind: 'list_cut' });
  expect(await ids()).toEqual(all.slice(0, 2));
  expect((await answer()).headers.get('link')).toBeNull();
});

it('lists that are cut silently have the newest three', async () => {
  const all = await collectFiveWeeks({ kind: 'list_cut', keeps: 'newest', count: 3 });
  expect(await ids()).toEqual(all.slice(2));
});

it.each([
  ['has_more', { hasMore: true }],
  ['next_cursor', { nextCursor: 'after-2' }],
  ['total', { total: 5 }],
] as const)('lists that are cut say so: %s', async (says, more) => {
  await collectFiveWeeks({ kind: 'list_cut', says });
  expect((await answer()).body).toMatchObject(more);
  expect(await ids()).toHaveLength(2);
});

it('lists that are cut link the next page, until the last', async () => {
  const all = await collectFiveWeeks({ kind: 'list_cut', says: 'link' });
  const pages: (readonly string[])[] = [];
  for (let path: string | null = `/authorizations?paymentId=${liar.paymentId}`; path !== null;) {
    const { headers } = await liar.shop.get(path);
    pages.push(await ids(path));
    path = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  expect(pages).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
});

it('lists that are cut link a next page for ever', async () => {
  const all = await collectFiveWeeks({ kind: 'list_cut', says: 'endless_link' });
  const next = `/authorizations?paymentId=${liar.paymentId}&page=2`;
  expect((await answer()).headers.get('link')).toBe(`<${next}>; rel="next"`);
  expect(await ids(next)).toEqual(all.slice(0, 2));
  expect((await liar.shop.get(next)).headers.get('link')).toContain('rel="next"');
});

it('lists that are cut link a page of another origin', async () => {
  await collectFiveWeeks({ kind: 'list_cut', says: 'foreign_link' });
  expect((await answer()).headers.get('link')).toContain('<http://service.invalid/authorizations?');
});

it('a cut list does not say so if nothing was left out of it', async () => {
  await collectFiveWeeks({ kind: 'list_cut', count: 5, says: 'has_more' });
  expect((await answer()).body).not.toHaveProperty('hasMore');
});

it('lists that are stale or partial have a record a while after it was made', async () => {
  liar = await Liar.open({ kind: 'list_lag', delayMs: 5000 });
  await liar.collect();
  liar.shop.clock.pass(4999);
  expect(await ids()).toEqual([]);
  liar.shop.clock.pass(1);
  expect(await ids()).toHaveLength(1);
});

it('lists that are stale or partial have the newest record first', async () => {
  const all = await collectFiveWeeks({ kind: 'list_newest_first' });
  expect(await ids()).toEqual(all.toReversed());
});

it('lists that are stale or partial go back so many days', async () => {
  const all = await collectFiveWeeks({ kind: 'list_days', days: 14 });
  expect(await ids()).toEqual(all.slice(2));
  liar.shop.clock.travelTo(liar.shop.clock.now() + 1);
  expect(await ids()).toEqual(all.slice(3));
});

it('lists that are stale or partial leave out refused ones', async () => {
  liar = await Liar.open({ kind: 'list_without_refused' });
  liar.shop.sandbox.setWallet(liar.paymentId, 'rejected-with-id-once');
  await liar.collect();
  expect(await ids()).toEqual([]);
  await liar.collect();
  expect(await ids()).toHaveLength(1);
});

it('lists that are stale or partial are empty', async () => {
  await collectFiveWeeks({ kind: 'list_empty' });
  expect(await ids()).toEqual([]);
  expect(liar.debits()).toHaveLength(5);
});

it('a contradictory list does not affect a record that is read by its id', async () => {
  const [first] = await collectFiveWeeks({ kind: 'list_empty' });
  expect(await ids(`/authorizations?paymentId=${liar.paymentId}&authorizationId=${first}`)).toEqual([first]);
});

it('a contradiction affects the list of captures if it says so', async () => {
  await collectFiveWeeks({ kind: 'list_cut', count: 1, match: { on: 'captures' } });
  expect(await ids()).toHaveLength(5);
  expect(await liar.listed('captures')).toHaveLength(1);
});

it('a contradictory list lasts for as many requests as it says', async () => {
  await collectFiveWeeks();
  await liar.order({ kind: 'list_empty', times: 1 });
  expect(await ids()).toEqual([]);
  expect(await ids()).toHaveLength(5);
});

it('a contradictory list can apply to the whole service from its start', async () => {
  liar = await Liar.open();
  await liar.collectWeeks(1);
  liar.shop.sandbox.faults.contradict({ kind: 'list_empty' });
  liar.shop.clock.travelTo(liar.shop.clock.now() + WEEK);
  liar.shop.clock.pass(BOOKING);
  expect(await ids()).toEqual([]);
});
