import { applyEdit } from '../../src/console/views/common/metadata-edit';

type Pairs = Record<string, string>;

const opened: Pairs = { shop: 'north', team: 'a' };

test.each<[string, Pairs]>([
  ['a value', { shop: 'south', team: 'a' }],
  ['a key', { store: 'north', team: 'a' }],
  ['a pair more', { ...opened, floor: '2' }],
  ['a pair less', { team: 'a' }],
  ['none at all', {}],
])('what is typed is kept where nobody else has written: %s', (_what, typed) => {
  expect(applyEdit({ opened, typed, current: opened })).toEqual(typed);
});

test('what others have written meanwhile stays: another value, a pair more, a pair less', () => {
  const typed = { ...opened, shop: 'south' };
  expect(applyEdit({ opened, typed, current: { shop: 'north', team: 'b' } })).toEqual({ shop: 'south', team: 'b' });
  expect(applyEdit({ opened, typed, current: { ...opened, floor: '2' } })).toEqual({ ...typed, floor: '2' });
  expect(applyEdit({ opened, typed, current: { shop: 'north' } })).toEqual({ shop: 'south' });
});

test.each<[string, Pairs, Pairs, string]>([
  ['a value that has another one', { ...opened, shop: 'south' }, { ...opened, shop: 'west' }, 'it is "west" now'],
  ['a value of a pair that is gone', { ...opened, shop: 'south' }, { team: 'a' }, '"shop" was taken away'],
  ['a pair less that has another value', { team: 'a' }, { ...opened, shop: 'west' }, 'it is "west" now'],
  ['a pair more that is there already', { ...opened, floor: '2' }, { ...opened, floor: '3' }, 'it is "3" now'],
])(
  'what is typed is refused where the same pair was changed otherwise meanwhile: %s',
  (_what, typed, current, says) => {
    expect(() => applyEdit({ opened, typed, current })).toThrow(says);
  },
);

test('the refusal names the pair, and its present value', () => {
  const current = { ...opened, shop: 'west' };
  expect(() => applyEdit({ opened, typed: { ...opened, shop: 'south' }, current })).toThrow(
    /^"shop" was changed meanwhile: it is "west" now[.]/,
  );
});

test('two who make the same change do not disagree', () => {
  const typed = { shop: 'south' };
  expect(applyEdit({ opened, typed, current: typed })).toEqual(typed);
});

test('a key may be the name of something that every object has', () => {
  const typed = { ...opened, constructor: 'south' };
  expect(Object.entries(applyEdit({ opened, typed, current: opened }))).toEqual(Object.entries(typed));
});
