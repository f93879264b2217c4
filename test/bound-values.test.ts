import { argumentOf, bind, bindAll, isBound, openValues, resultOf, unreadable } from '../src/contract/bound-values';

const DECIDE = argumentOf('activity', 'decide');

it('bound values are opened, in their order, if all of them are bound to the purpose of their receiver', () => {
  expect(openValues(DECIDE, bindAll(DECIDE, [1, null, 'x']), true)).toEqual({ kind: 'opened', values: [1, null, 'x'] });
});

it.each([
  ['of another activity', argumentOf('activity', 'collectPayment'), 'the argument of activity collectPayment'],
  ['of a signal of the same name', argumentOf('signal', 'decide'), 'the argument of signal decide'],
  ['of a workflow of the same name', argumentOf('workflow', 'decide'), 'the argument of workflow decide'],
  ['that is the result of the same activity', resultOf('activity', 'decide'), 'the result of activity decide'],
  ['that is bound to nothing', '', 'nothing'],
])('a value %s is refused, with and without keys', (_, boundTo, named) => {
  const why = `a payload is bound to ${named}; expected the argument of activity decide`;
  for (const isSealed of [true, false])
    expect(openValues(DECIDE, [bind(DECIDE, 1), bind(boundTo, 2)], isSealed)).toEqual({ kind: 'refused', why });
});

it('unbound values are accepted unchanged if nothing is encrypted, and refused if something is', () => {
  expect(openValues(DECIDE, [{ cycle: 3 }], false)).toEqual({ kind: 'opened', values: [{ cycle: 3 }] });
  expect(openValues(DECIDE, [{ cycle: 3 }], true)).toMatchObject({ kind: 'refused' });
});

it('a call without arguments is bound too; an unbound one is refused if payloads are encrypted', () => {
  expect(openValues(DECIDE, bindAll(DECIDE, []), true)).toEqual({ kind: 'opened', values: [undefined] });
  expect(openValues(DECIDE, [], true)).toEqual({ kind: 'refused', why: 'it has no payload' });
  expect(openValues(DECIDE, [], false)).toEqual({ kind: 'opened', values: [] });
});

it('a value that could not be read is refused with the reason why it could not', () => {
  expect(openValues(DECIDE, [unreadable('no key')], false)).toEqual({ kind: 'refused', why: 'no key' });
  expect(openValues(DECIDE, [{ unreadable: 3 }, { unreadable: 'x', cycle: 3 }], false)).toMatchObject({
    kind: 'opened',
  });
});

it('a bound value is recognized by having exactly its fields', () => {
  expect([bind('x', 1), { boundTo: 'x' }].map(isBound)).toEqual([true, true]);
  expect([null, 'x', { boundTo: 1 }, { boundTo: 'x', value: 1, other: 2 }].map(isBound)).toEqual([
    ...[false, false, false, false],
  ]);
});
