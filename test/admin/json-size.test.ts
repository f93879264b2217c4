import fc from 'fast-check';
import { parseJson } from '../../src/admin/http/json/body';
import { findOversize } from '../../src/admin/http/json/size';
import type { Problem } from '../../src/admin/http/problems';

test('the fault of a body with too many values names the field that has them, and an empty list or object counts once', () => {
  const listOf = (item: string, length: number) =>
    Buffer.from(`{"first": 1, "list": [${Array.from({ length }, () => item).join()}]}`);
  expect(() => parseJson(listOf('"a, \\"[b"', 4097))).not.toThrow();
  expect(() => parseJson(listOf('"a, \\"[b"', 4098))).toThrow('Invalid: list');
  expect(() => parseJson(listOf('{ }', 4097))).not.toThrow();
  expect(() => parseJson(listOf('[\n]', 4098))).toThrow('Invalid: list');
});

test('the longest line of an import is small enough', () => {
  const cycles = Array.from({ length: 1_000 }, (_, cycle) => cycle);
  const until = '2027-01-31T10:00:00.000Z';
  const state = { status: 'active', skippedCycles: cycles, postponements: cycles.map((cycle) => ({ cycle, until })) };
  const metadata = Object.fromEntries(cycles.slice(0, 20).map((n) => [`key${n}`, 'value']));
  expect(findOversize(Buffer.from(JSON.stringify({ state, metadata })))).toBeNull();
});

const MILLION = 1_000_000;
test.each([
  ['in nested lists', '{"a":' + '['.repeat(MILLION / 2) + ']'.repeat(MILLION / 2) + '}', '20 levels of nesting'],
  ['in nested objects', '{"a":'.repeat(MILLION / 6) + '1' + '}'.repeat(MILLION / 6), '20 levels of nesting'],
  ['hidden by a duplicate field', `{"a":[${'0,'.repeat(MILLION / 2)}0],"a":1}`, '4100 values'],
  ['that are not JSON', ','.repeat(MILLION), '4100 values'],
])('a body with too many values is rejected before it is parsed: %s', (_what, text, limit) => {
  const parse = jest.spyOn(JSON, 'parse');
  try {
    expect(rejectionOf(text)).toContain(`expected at most ${limit}`);
    expect(parse).not.toHaveBeenCalled();
  } finally {
    parse.mockRestore();
  }
});

test('a body with an unterminated text is read in linear time', () => {
  expect(rejectionOf(`{"a":"${'\\"'.repeat(MILLION / 2)}`)).toContain('not valid JSON');
});

test('nesting and values are counted alike in the text of a body and in its parsed value', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 25 })), fc.nat(3), (value, indent) => {
      expect(findOversize(Buffer.from(JSON.stringify(value, null, indent))) === null).toBe(
        depthOf(value) <= 20 && countOf(value) <= 4100,
      );
    }),
  );
});

function rejectionOf(text: string): string {
  try {
    parseJson(Buffer.from(text));
  } catch (error) {
    return JSON.stringify((error as Problem).more);
  }
  return '';
}

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + countOf(each), 1)
    : 1;
