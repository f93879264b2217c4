import { applyEdit } from '../../src/console/views/metadata/metadata-edit';

type Pairs = Record<string, string>;

const opened: Pairs = { shop: 'north', team: 'a' };

test.each<[string, Pairs]>([
  ['a value', { shop: 'south', team: 'a' }],
  ['a key', { store: 'north', team: 'a' }],
  ['an added pair', { ...opened, floor: '2' }],
  ['a removed pair', { team: 'a' }],
  ['all pairs removed', {}],
])('an edit of the metadata is applied if there was no other change: %s', (_what, typed) => {
  expect(applyEdit({ opened, typed, current: opened })).toEqual(typed);
});

test('an edit of the metadata preserves concurrent changes to other pairs', () => {
  const typed = { ...opened, shop: 'south' };
  expect(applyEdit({ opened, typed, current: { shop: 'north', team: 'b' } })).toEqual({ shop: 'south', team: 'b' });
  expect(applyEdit({ opened, typed, current: { ...opened, floor: '2' } })).toEqual({ ...typed, floor: '2' });
  expect(applyEdit({ opened, typed, current: { shop: 'north' } })).toEqual({ shop: 'south' });
});

test.each<[string, Pairs, Pairs, string]>([
  [
    'a value that was also changed',
    { ...opened, shop: 'south' },
    { ...opened, shop: 'west' },
    'changed meanwhile to "west"',
  ],
  ['a value of a removed pair', { ...opened, shop: 'south' }, { team: 'a' }, '"shop" was removed'],
  ['removing a changed pair', { team: 'a' }, { ...opened, shop: 'west' }, 'changed meanwhile to "west"'],
  [
    'adding a pair that was also added',
    { ...opened, floor: '2' },
    { ...opened, floor: '3' },
    'changed meanwhile to "3"',
  ],
])('a metadata edit is refused if another user changed that pair differently: %s', (_what, typed, current, says) => {
  expect(() => applyEdit({ opened, typed, current })).toThrow(says);
});

test('the refusal of a metadata edit names the pair and its current value', () => {
  const current = { ...opened, shop: 'west' };
  expect(() => applyEdit({ opened, typed: { ...opened, shop: 'south' }, current })).toThrow(
    /^"shop" was changed meanwhile to "west"[.]/,
  );
});

test('two users who make the same change to the metadata do not conflict', () => {
  const typed = { shop: 'south' };
  expect(applyEdit({ opened, typed, current: typed })).toEqual(typed);
});

test('a metadata key may be the name of an inherited property', () => {
  const typed = { ...opened, constructor: 'south' };
  expect(Object.entries(applyEdit({ opened, typed, current: opened }))).toEqual(Object.entries(typed));
});
