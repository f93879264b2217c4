import fc from 'fast-check';
import { dueAt, REPETITIONS } from '../../src/domain/subscription/schedule';
import { DAY, HOUR, toIso } from '../../src/domain/time';
import { importFile } from '../support/import-call';
import { NOW, startAdmin } from './admin-under-test';
import { mandate } from './mandate';

type Fields = Record<string, unknown>;

const FIRST_PAYMENT = Date.UTC(2026, 6, 31, 12);

/** The state of a subscription at its export. Skipped cycles have even and postponed ones odd numbers, counted from the next cycle. */
const LIFE = fc.record({
  repetition: fc.constantFrom(...REPETITIONS),
  cents: fc.integer({ min: 1, max: 1999 }),
  isPaused: fc.boolean(),
  pausedHours: fc.integer({ min: 1, max: 24 }),
  pauseDays: fc.option(fc.integer({ min: 1, max: 200 })),
  skips: fc.uniqueArray(fc.constantFrom(2, 4, 6), { maxLength: 3 }),
  postponed: fc.uniqueArray(fc.constantFrom(1, 3, 5), { maxLength: 3 }),
  postponedHours: fc.integer({ min: 1, max: 119 }),
  change: fc.option(fc.record({ cents: fc.integer({ min: 1, max: 1999 }), ahead: fc.integer({ min: 0, max: 8 }) })),
});

type Life = ReturnType<typeof LIFE.generate>['value'];

function lineOf(life: Life, id: string): Fields {
  const calendar = { firstPaymentAt: FIRST_PAYMENT, repetition: life.repetition, endAt: null };
  let next = 0;
  while (dueAt(calendar, next) < NOW + DAY) next += 1;
  const state: Fields = {
    status: life.isPaused ? 'paused' : 'active',
    skippedCycles: life.skips.map((ahead) => next + ahead),
    postponements: life.postponed.map((ahead) => ({
      cycle: next + ahead,
      until: toIso(dueAt(calendar, next + ahead) + life.postponedHours * HOUR),
    })),
  };
  if (life.isPaused) state['pausedSince'] = toIso(NOW - life.pausedHours * HOUR);
  if (life.isPaused && life.pauseDays !== null) state['pausedUntil'] = toIso(NOW + life.pauseDays * DAY);
  if (life.change !== null) {
    const amount = { value: life.change.cents, currency: 'EUR' };
    state['pendingAmountChange'] = { amount, fromCycle: next + life.change.ahead };
  }
  const amount = { value: life.cents, currency: 'EUR' };
  const terms = { repetition: life.repetition, amount, collectFrom: toIso(dueAt(calendar, next)), state };
  return mandate({ subscriptionId: id, paymentId: `pay_${id}`, ...terms });
}

interface Exported {
  readonly subscriptionId: string;
  readonly state: { readonly status: string };
}

function linesOf(text: string): Exported[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Exported);
}

test('any subscription that is exported and imported elsewhere collects the same amounts on the same dates there', async () => {
  const installations = await Promise.all([startAdmin(), startAdmin()]);
  const [one, other] = installations;
  try {
    const urls = await Promise.all(installations.map(({ app }) => app.listen({ port: 0, host: '127.0.0.1' })));
    const get = (admin: typeof one, url: string) =>
      admin.app.inject({ url, headers: { authorization: `Bearer ${admin.keys.admin}` } });
    const lives = fc.sample(LIFE, { numRuns: 60, seed: fc.readConfigureGlobal().seed ?? 1 });
    const ids = lives.map((_, index) => `life-${index}`);
    const drawn = lives.map((life, index) => JSON.stringify(lineOf(life, ids[index]!))).join('\n');
    const accepted = await importFile(urls[0]!, one.keys.admin, drawn);
    expect(accepted.filter(({ problem }) => problem !== undefined)).toEqual([]);

    const { body } = await get(one, '/v1/subscriptions/export');
    const exportedOf = new Map(linesOf(body).map((line) => [line.subscriptionId, line]));
    for (const [index, { isPaused }] of lives.entries()) {
      expect(exportedOf.get(ids[index]!)?.state.status).toBe(isPaused ? 'paused' : 'active');
    }

    const answers = await importFile(urls[1]!, other.keys.admin, body);

    expect(answers.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(answers).toHaveLength(lives.length);
    const copied = (await get(other, '/v1/subscriptions/export')).body;
    expect(copied.split('\n').toSorted()).toEqual(body.split('\n').toSorted());
    for (const id of ids) {
      const [before, after] = [
        await get(one, `/v1/subscriptions/${id}/schedule?count=24`),
        await get(other, `/v1/subscriptions/${id}/schedule?count=24`),
      ];
      expect(after.json()).toEqual(before.json());
    }
  } finally {
    await Promise.all(installations.map((each) => each.stop()));
  }
});
