import fc from 'fast-check';
import { explainedBy } from '../../src/domain/reconciliation/compare';
import type { LedgerSend } from '../../src/domain/reconciliation/records';
import { CLOCK_SKEW, idsNotTaken, type Listed, matchSent } from '../../src/domain/send';
import { euros } from '../../src/domain/money';
import { FIRST } from './subscription-under-test';

const idOf = ({ id }: Listed) => id;

/** One send of a simulated payment: first others make records, then dueday perhaps makes one, whose id it may or may not learn. */
interface Round {
  readonly foreign: readonly Omit<Listed, 'id'>[];
  readonly made: 'named' | 'unnamed' | 'nothing';
}

/** The row of a send: all ids that were listed right before it, those of them that it stores, and the id of its own record. */
interface Row {
  readonly full: readonly string[];
  readonly kept: readonly string[];
  readonly own: string | null;
}

const record = fc.record({
  amount: fc.constantFrom(euros(1999), euros(500)),
  createdAt: fc.integer({ min: -3, max: 3 }).map((step) => FIRST + (step * CLOCK_SKEW) / 2),
  status: fc.constantFrom('pending', 'successful', 'failed'),
});
const history = fc.array(
  fc.record({
    foreign: fc.array(record, { maxLength: 2 }),
    made: fc.constantFrom<Round['made']>('named', 'unnamed', 'nothing'),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Simulates several sends of a payment; the outcome of the last send is unknown, and it has no id yet. */
function simulate(rounds: readonly Round[], last: readonly Omit<Listed, 'id'>[]) {
  const listed: Listed[] = [];
  const rows: Row[] = [];
  const show = (each: Omit<Listed, 'id'>) => listed.push({ ...each, id: `id-${listed.length}` });
  rounds.forEach(({ foreign, made }, index) => {
    foreign.forEach(show);
    const full = listed.map(idOf);
    const kept = idsNotTaken(
      full,
      takenIn(rows, ({ kept: ids }) => ids),
    );
    if (made !== 'nothing') show({ amount: euros(1999), createdAt: FIRST, status: 'successful' });
    const isNamed = made === 'named' && index < rounds.length - 1;
    rows.push({ full, kept, own: isNamed ? listed.at(-1)!.id : null });
  });
  last.forEach(show);
  return { listed, rows };
}

function takenIn(rows: readonly Row[], known: (row: Row) => readonly string[]): string[] {
  return rows.flatMap((row) => [...known(row), ...(row.own === null ? [] : [row.own])]);
}

it('the ids that the row of a send stores lead to the same decision as the whole list, as long as no listed record disappears', () => {
  fc.assert(
    fc.property(history, fc.array(record, { maxLength: 3 }), (rounds, last) => {
      const { listed, rows } = simulate(rounds, last);
      const sent = { amount: euros(1999), at: FIRST };
      const own = rows.flatMap((row) => row.own ?? []);
      const whole = matchSent(listed, { ...sent, takenIds: [...rows.at(-1)!.full, ...own] });
      expect(matchSent(listed, { ...sent, takenIds: takenIn(rows, ({ kept }) => kept) })).toEqual(whole);
    }),
  );
});

it('the ids that the row of a send stores explain the same records to the reconciliation as the whole list', () => {
  fc.assert(
    fc.property(history, fc.array(record, { maxLength: 3 }), (rounds, last) => {
      const { listed, rows } = simulate(rounds, last);
      const sends = (known: (row: Row) => readonly string[]): LedgerSend<string>[] =>
        rows.map((row, index) => ({
          cycle: 0,
          amount: euros(1999),
          at: FIRST,
          knownIds: known(row),
          state: index === rows.length - 1 ? 'unknown' : 'successful',
        }));
      const foreign = listed.filter(({ id }) => !rows.some(({ own }) => own === id));
      const explained = explainedBy(
        sends(({ kept }) => kept),
        foreign,
        idOf,
      );
      expect(explained).toEqual(
        explainedBy(
          sends(({ full }) => full),
          foreign,
          idOf,
        ),
      );
    }),
  );
});

it('the rows of a payment store each foreign id only once, and no id of their own sends', () => {
  fc.assert(
    fc.property(history, (rounds) => {
      const { rows } = simulate(rounds, []);
      const ids = takenIn(rows, ({ kept }) => kept);
      expect(ids).toHaveLength(new Set(ids).size);
    }),
  );
});

it('a record that was listed before any send never counts as a later send, even if it was missing from a list in between', () => {
  const seen = { id: 'a', amount: euros(1999), createdAt: FIRST, status: 'successful' };
  const kept = [idsNotTaken(['a'], []), idsNotTaken([], ['a'])];
  expect(matchSent([seen], { amount: euros(1999), at: FIRST, takenIds: kept.flat() })).toEqual({
    kind: 'absent',
  });
});
